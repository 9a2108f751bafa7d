package access

import "github.com/routecard/routecard/shop/refusal"

// The reasons of refusals that only this package uses, one a line. WrongSecret is for a wrong login, password, badge or PIN, PINChange for
// users whose PIN another person set, Unconfirmed for users whose account a second person must confirm first.
var (
	// Signing in and permissions.
	reasonUnknown    = refusal.NewReason(refusal.Unauthenticated, "authentication_required", "Authentication required")
	reasonToken      = refusal.NewReason(refusal.Unauthenticated, "token_not_valid", "The token is not valid")
	WrongSecret      = refusal.NewReason(refusal.Unauthenticated, "wrong_login_or_password", "The login or the password is not valid")
	reasonThrottled  = refusal.NewReason(refusal.Throttled, "too_many_attempts", "Too many wrong attempts. Try again in {minutes} minutes")
	reasonQueue      = refusal.NewReason(refusal.Throttled, "too_many_sign_ins", "Too many sign-ins at once. Try again soon")
	reasonPassword   = refusal.NewReason(refusal.Forbidden, "password_change_needed", "Change your password first")
	PINChange        = refusal.NewReason(refusal.Forbidden, "pin_change_needed", "Change your PIN first")
	reasonByToken    = refusal.NewReason(refusal.Forbidden, "people_only", "Credentials are managed by people who are signed in")
	Unconfirmed      = refusal.NewReason(refusal.Forbidden, "account_not_confirmed", "Your account is not confirmed yet")
	reasonNotSecond  = refusal.NewReason(refusal.Forbidden, "second_person_confirms", "A second person has to confirm this account")
	reasonNoSetter   = refusal.NewReason(refusal.Forbidden, "setter_not_confirmed", "Confirm the account of {login} first, or set a new secret: it changed this account while it was not confirmed itself")
	reasonUnreplaced = refusal.NewReason(refusal.Invalid, "secret_not_replaced", "{login} has to replace the password or the PIN first")
	reasonBadge      = refusal.NewReason(refusal.Forbidden, "badges_at_stations", "Badges work at stations")
	reasonSetupCode  = refusal.NewReason(refusal.Forbidden, "setup_code_not_valid", "The setup code is not valid")
	reasonUnproved   = refusal.NewReason(refusal.Invalid, "required", "Type the password or the PIN.")

	// Accounts and tokens.
	reasonLoginForm  = refusal.NewReason(refusal.Invalid, "login_form", "{field} must have {least} to {most} of the characters a-z, 0-9, dot, underscore and hyphen")
	reasonLoginTaken = refusal.NewReason(refusal.Invalid, "login_taken", "{field} {login} is taken")
	reasonLoginKept  = refusal.NewReason(refusal.Invalid, "cannot_be_changed", "{field} cannot be changed")
	reasonNoAccount  = refusal.NewReason(refusal.Invalid, "no_active_account", "The user has no active account")
	reasonSame       = refusal.NewReason(refusal.Invalid, "must_be_new", "{field} must not be the old one")
	reasonShort      = refusal.NewReason(refusal.Invalid, "too_short", "{field} must have at least {least} characters")
	reasonFewDigits  = refusal.NewReason(refusal.Invalid, "too_short", "{field} must have at least {least} digits")
	reasonLogin      = refusal.NewReason(refusal.Invalid, "must_not_be_login", "{field} must not be the login")
	reasonGuessable  = refusal.NewReason(refusal.Invalid, "easy_to_guess", "The PIN is too easy to guess")
	reasonCommon     = refusal.NewReason(refusal.Invalid, "too_common", "The password is too common")
	reasonKnownWord  = refusal.NewReason(refusal.Invalid, "must_not_contain_name", "{field} must not contain {word}, which is part of the login, the name or the name of the shop")
	reasonNoTime     = refusal.NewReason(refusal.Invalid, "must_be_time", "{field} must be a time like 2026-01-31T09:30:00.000Z")
	reasonPast       = refusal.NewReason(refusal.Invalid, "must_be_in_future", "{field} must be in the future")
	reasonFar        = refusal.NewReason(refusal.Invalid, "must_be_within_a_year", "{field} must be within a year")
	reasonSubject    = refusal.NewReason(refusal.Invalid, "subject_taken", "{field} belongs to {login}")

	reasonHasHistory = refusal.NewReason(refusal.Invalid, "user_has_history", "{field} must be person: {name} may have worked here. Create a new user for the service account")
	reasonProgram    = refusal.NewReason(refusal.Invalid, "program_has_tokens", "A program has tokens and no other secret")
	reasonOthersOwn  = refusal.NewReason(refusal.Forbidden, "made_by_that_person", "Tokens of a person are made by that person")

	// The provider of OpenID Connect.
	reasonNoProvider   = refusal.NewReason(refusal.NotFound, "no_sign_in_service", "There is no sign-in service")
	reasonSilent       = refusal.NewReason(refusal.Unavailable, "sign_in_service_silent", "The sign-in service does not answer just now. Try again soon, or sign in with a password")
	reasonAttempt      = refusal.NewReason(refusal.Unauthenticated, "sign_in_not_begun_here", "This sign-in was not begun in this browser, or too long ago. Sign in again")
	reasonNotSignedIn  = refusal.NewReason(refusal.Unauthenticated, "not_signed_in", "The sign-in service did not sign you in")
	reasonManyGroups   = refusal.NewReason(refusal.Forbidden, "too_many_groups", "The sign-in service did not say which groups you are in, since they are too many")
	reasonInactive     = refusal.NewReason(refusal.Forbidden, "account_inactive", "Your account is not active any more")
	reasonNotConnected = refusal.NewReason(refusal.Forbidden, "account_not_connected", "Nobody here is connected with this account. An administrator connects yours with {subject}")
	reasonNoLogin      = refusal.NewReason(refusal.Forbidden, "no_login_told", "The sign-in service did not say a login that can be used here")
	reasonSignInAgain  = refusal.NewReason(refusal.Unauthenticated, "sign_in_again", "Sign in at {provider} again")
	reasonLogoutToken  = refusal.NewReason(refusal.Invalid, "logout_token_not_valid", "The logout token is not valid")
	reasonOtherAccount = refusal.NewReason(refusal.Forbidden, "login_of_other_account", "The login {login} is somebody's already. If it is you, an administrator connects your account with {subject}")
)
