package access

import "github.com/routecard/routecard/shop/refusal"

// The reasons for which second factors are refused, one a line.
var (
	reasonGiveSecond  = refusal.NewReason(refusal.Forbidden, "second_factor_needed", "Give your second factor first")
	reasonSetUpSecond = refusal.NewReason(refusal.Forbidden, "second_factor_missing", "Set up a second factor first")
	reasonCode        = refusal.NewReason(refusal.Unauthenticated, "code_not_valid", "The code is not valid")
	reasonPasskey     = refusal.NewReason(refusal.Unauthenticated, "passkey_not_valid", "The passkey is not valid")

	reasonNoSecondStep   = refusal.NewReason(refusal.Invalid, "no_second_factor_needed", "This sign-in needs no second factor")
	reasonLastFactor     = refusal.NewReason(refusal.Invalid, "last_second_factor", "Your role needs a second factor: set up another one first")
	reasonOwnFactors     = refusal.NewReason(refusal.Invalid, "own_second_factors", "Remove your own second factors one by one")
	reasonNoFactors      = refusal.NewReason(refusal.Invalid, "no_second_factor", "The user has no second factor")
	reasonHasCodes       = refusal.NewReason(refusal.Invalid, "one_time_codes_set_up", "You have one-time codes: remove them before you set up others")
	reasonCodesConfirmed = refusal.NewReason(refusal.Invalid, "one_time_codes_set_up", "The one-time codes are confirmed already")
	reasonCodesNotBegun  = refusal.NewReason(refusal.Invalid, "no_one_time_codes", "Set up one-time codes first")
	reasonNoCodes        = refusal.NewReason(refusal.Invalid, "no_one_time_codes", "You have no one-time codes")
	reasonNoPasskey      = refusal.NewReason(refusal.Invalid, "no_passkey", "You have no passkey")
	reasonPasskeyTaken   = refusal.NewReason(refusal.Invalid, "passkey_registered", "This passkey is registered already")
	reasonManyPasskeys   = refusal.NewReason(refusal.Invalid, "too_many_passkeys", "You have too many passkeys: remove one first")
	reasonUnregistered   = refusal.NewReason(refusal.Invalid, "passkey_not_registered", "The passkey could not be registered. Try again")
	reasonNoPasskeys     = refusal.NewReason(refusal.Invalid, "passkeys_need_https", "Passkeys need https and a name: start the service with --public-url https://routecard.example.com, or open it as http://localhost")
)
