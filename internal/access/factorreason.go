package access

import "github.com/routecard/routecard/shop"

// The reasons for which second factors are refused, one a line.
var (
	reasonGiveSecond  = shop.NewReason(shop.Forbidden, "second_factor_needed", "Give your second factor first")
	reasonSetUpSecond = shop.NewReason(shop.Forbidden, "second_factor_missing", "Set up a second factor first")
	reasonCode        = shop.NewReason(shop.Unauthenticated, "code_not_valid", "The code is not valid")
	reasonPasskey     = shop.NewReason(shop.Unauthenticated, "passkey_not_valid", "The passkey is not valid")

	reasonNoSecondStep   = shop.NewReason(shop.Invalid, "no_second_factor_needed", "This sign-in needs no second factor")
	reasonLastFactor     = shop.NewReason(shop.Invalid, "last_second_factor", "Your role needs a second factor: set up another one first")
	reasonOwnFactors     = shop.NewReason(shop.Invalid, "own_second_factors", "Remove your own second factors one by one")
	reasonNoFactors      = shop.NewReason(shop.Invalid, "no_second_factor", "The user has no second factor")
	reasonHasCodes       = shop.NewReason(shop.Invalid, "one_time_codes_set_up", "You have one-time codes: remove them before you set up others")
	reasonCodesConfirmed = shop.NewReason(shop.Invalid, "one_time_codes_set_up", "The one-time codes are confirmed already")
	reasonCodesNotBegun  = shop.NewReason(shop.Invalid, "no_one_time_codes", "Set up one-time codes first")
	reasonNoCodes        = shop.NewReason(shop.Invalid, "no_one_time_codes", "You have no one-time codes")
	reasonNoPasskey      = shop.NewReason(shop.Invalid, "no_passkey", "You have no passkey")
	reasonPasskeyTaken   = shop.NewReason(shop.Invalid, "passkey_registered", "This passkey is registered already")
	reasonManyPasskeys   = shop.NewReason(shop.Invalid, "too_many_passkeys", "You have too many passkeys: remove one first")
	reasonUnregistered   = shop.NewReason(shop.Invalid, "passkey_not_registered", "The passkey could not be registered. Try again")
	reasonNoPasskeys     = shop.NewReason(shop.Invalid, "passkeys_need_https", "Passkeys need https and a name: start the service with --public-url https://routecard.example.com, or open it as http://localhost")
)
