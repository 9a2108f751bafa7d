package access

import "github.com/routecard/routecard/shop"

// The reasons for which only this package refuses, one a line. WrongSecret is what somebody hears whose login, password, badge or
// PIN is not right, PINChange whose PIN another person set, Unconfirmed whose account a second person has to confirm first.
var (
	// Who comes in.
	reasonUnknown    = shop.NewReason(shop.Unauthenticated, "authentication_required", "Authentication required")
	reasonToken      = shop.NewReason(shop.Unauthenticated, "token_not_valid", "The token is not valid")
	WrongSecret      = shop.NewReason(shop.Unauthenticated, "wrong_login_or_password", "The login or the password is not valid")
	reasonThrottled  = shop.NewReason(shop.Throttled, "too_many_attempts", "Too many wrong attempts. Try again in {minutes} minutes")
	reasonQueue      = shop.NewReason(shop.Throttled, "too_many_sign_ins", "Too many sign-ins at once. Try again soon")
	reasonPassword   = shop.NewReason(shop.Forbidden, "password_change_needed", "Change your password first")
	PINChange        = shop.NewReason(shop.Forbidden, "pin_change_needed", "Change your PIN first")
	reasonByToken    = shop.NewReason(shop.Forbidden, "people_only", "Credentials are managed by people who are signed in")
	Unconfirmed      = shop.NewReason(shop.Forbidden, "account_not_confirmed", "Your account is not confirmed yet")
	reasonNotSecond  = shop.NewReason(shop.Forbidden, "second_person_confirms", "A second person has to confirm this account")
	reasonNoSetter   = shop.NewReason(shop.Forbidden, "setter_not_confirmed", "Confirm the account of {login} first, or set a new secret: it changed this account while it was not confirmed itself")
	reasonUnreplaced = shop.NewReason(shop.Invalid, "secret_not_replaced", "{login} has to replace the password or the PIN first")
	reasonBadge      = shop.NewReason(shop.Forbidden, "badges_at_stations", "Badges work at stations")
	reasonSetupCode  = shop.NewReason(shop.Forbidden, "setup_code_not_valid", "The setup code is not valid")
	reasonUnproved   = shop.NewReason(shop.Invalid, "required", "Type the password or the PIN.")

	// Accounts and tokens.
	reasonLoginForm  = shop.NewReason(shop.Invalid, "login_form", "{field} must have {least} to {most} of the characters a-z, 0-9, dot, underscore and hyphen")
	reasonLoginTaken = shop.NewReason(shop.Invalid, "login_taken", "{field} {login} is taken")
	reasonLoginKept  = shop.NewReason(shop.Invalid, "cannot_be_changed", "{field} cannot be changed")
	reasonNoAccount  = shop.NewReason(shop.Invalid, "no_active_account", "The user has no active account")
	reasonSame       = shop.NewReason(shop.Invalid, "must_be_new", "{field} must not be the old one")
	reasonShort      = shop.NewReason(shop.Invalid, "too_short", "{field} must have at least {least} characters")
	reasonFewDigits  = shop.NewReason(shop.Invalid, "too_short", "{field} must have at least {least} digits")
	reasonLogin      = shop.NewReason(shop.Invalid, "must_not_be_login", "{field} must not be the login")
	reasonGuessable  = shop.NewReason(shop.Invalid, "easy_to_guess", "The PIN is too easy to guess")
	reasonCommon     = shop.NewReason(shop.Invalid, "too_common", "The password is too common")
	reasonKnownWord  = shop.NewReason(shop.Invalid, "must_not_contain_name", "{field} must not contain {word}, which is part of the login, the name or the name of the shop")
	reasonNoTime     = shop.NewReason(shop.Invalid, "must_be_time", "{field} must be a time like 2026-01-31T09:30:00.000Z")
	reasonPast       = shop.NewReason(shop.Invalid, "must_be_in_future", "{field} must be in the future")
	reasonFar        = shop.NewReason(shop.Invalid, "must_be_within_a_year", "{field} must be within a year")
	reasonSubject    = shop.NewReason(shop.Invalid, "subject_taken", "{field} belongs to {login}")

	reasonHasHistory = shop.NewReason(shop.Invalid, "user_has_history", "{field} must be person: {name} may have worked here. Create a new user for the service account")
	reasonProgram    = shop.NewReason(shop.Invalid, "program_has_tokens", "A program has tokens and no other secret")
	reasonOthersOwn  = shop.NewReason(shop.Forbidden, "made_by_that_person", "Tokens of a person are made by that person")

	// The sign-in service of others.
	reasonNoProvider   = shop.NewReason(shop.NotFound, "no_sign_in_service", "There is no sign-in service")
	reasonSilent       = shop.NewReason(shop.Unavailable, "sign_in_service_silent", "The sign-in service does not answer just now. Try again soon, or sign in with a password")
	reasonAttempt      = shop.NewReason(shop.Unauthenticated, "sign_in_not_begun_here", "This sign-in was not begun in this browser, or too long ago. Sign in again")
	reasonNotSignedIn  = shop.NewReason(shop.Unauthenticated, "not_signed_in", "The sign-in service did not sign you in")
	reasonManyGroups   = shop.NewReason(shop.Forbidden, "too_many_groups", "The sign-in service did not say which groups you are in, since they are too many")
	reasonInactive     = shop.NewReason(shop.Forbidden, "account_inactive", "Your account is not active any more")
	reasonNotConnected = shop.NewReason(shop.Forbidden, "account_not_connected", "Nobody here is connected with this account. An administrator connects yours with {subject}")
	reasonNoLogin      = shop.NewReason(shop.Forbidden, "no_login_told", "The sign-in service did not say a login that can be used here")
	reasonSignInAgain  = shop.NewReason(shop.Unauthenticated, "sign_in_again", "Sign in at {provider} again")
	reasonLogoutToken  = shop.NewReason(shop.Invalid, "logout_token_not_valid", "The logout token is not valid")
	reasonOtherAccount = shop.NewReason(shop.Forbidden, "login_of_other_account", "The login {login} is somebody's already. If it is you, an administrator connects your account with {subject}")
)
