package shop

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// What the tables of the business call accounts, what people and programs sign in with, and stations.
const (
	RecordToken        ident.RecordKind = "token"
	RecordStation      ident.RecordKind = "station"
	RecordPasskey      ident.RecordKind = "passkey"
	RecordAccessPolicy ident.RecordKind = "access policy"

	NameToken        refusal.RecordName = "Token"
	NameStation      refusal.RecordName = "Station"
	NamePasskey      refusal.RecordName = "Passkey"
	NameAccessPolicy refusal.RecordName = "AccessPolicy"

	TokenPrefix   = "tok_"
	StationPrefix = "stn_"
	PasskeyPrefix = "pky_"

	OpChangeAccount    Operation = "change-account"     // somebody else's
	OpChangeOwnAccount Operation = "change-own-account" // see it, its secrets and its tokens as well
	OpReplaceSecret    Operation = "replace-secret"     // set a password or a PIN, one's own or somebody else's
	OpConfirmAccount   Operation = "confirm-account"    // of somebody whose secret another person set
	OpSignOut          Operation = "sign-out"
	OpIdentify         Operation = "identify" // see who one is; see, give and set up one's second factors
	OpEnter            Operation = "enter"    // sign in, set the first password, choose who works at a browser, leave it
	OpMakeStation      Operation = "make-station"
	OpRevokeStation    Operation = "revoke-station"
	OpSeeStations      Operation = "see-stations"
	OpSetAccess        Operation = "set-access-policy" // see it as well

	AboutStation  Subject = "station"
	AboutSettings Subject = "settings"

	ActionAccountChanged      trail.Action = "account_changed"
	ActionAccountConfirmed    trail.Action = "account_confirmed"
	ActionSecretChanged       trail.Action = "secret_changed"
	ActionTokenCreated        trail.Action = "token_created"
	ActionTokenRevoked        trail.Action = "token_revoked"
	ActionStationCreated      trail.Action = "station_created"
	ActionStationRevoked      trail.Action = "station_revoked"
	ActionSignInLocked        trail.Action = "sign_in_locked"
	ActionAccountUnlocked     trail.Action = "account_unlocked"
	ActionSessionEnded        trail.Action = "session_ended"
	ActionAccessPolicyChanged trail.Action = "access_policy_changed"
)

var accessNoun = noun{
	records: []Record{
		{Kind: RecordToken, Names: named(NameToken), Prefix: TokenPrefix, Table: "access_token"},
		{Kind: RecordStation, Names: named(NameStation), Prefix: StationPrefix, Table: "station"},
		{Kind: RecordPasskey, Names: named(NamePasskey), Prefix: PasskeyPrefix, Table: "passkey"},
		{Kind: RecordAccessPolicy, Names: named(NameAccessPolicy), Table: "second_factor_role", Compared: true},
	},
	operations: []operationRow{
		{operation: OpChangeAccount, permission: Admin, subject: AboutPerson, signed: SignAccounts},
		{operation: OpChangeOwnAccount, permission: SignedIn, subject: AboutPerson},
		{operation: OpReplaceSecret, permission: Arrived, subject: AboutPerson},
		// Whoever may decide or administer. ConfirmAccount asks for that itself.
		{operation: OpConfirmAccount, permission: SignedIn, subject: AboutPerson},
		{operation: OpSignOut, permission: Arrived, subject: AboutPerson},
		{operation: OpIdentify, permission: Entering, subject: AboutPerson},
		{operation: OpEnter, permission: Anyone, subject: AboutPerson},
		{operation: OpMakeStation, permission: Plan, subject: AboutStation},
		{operation: OpRevokeStation, permission: Admin, subject: AboutStation},
		{operation: OpSeeStations, permission: SignedIn, subject: AboutStation},
		{operation: OpSetAccess, permission: Admin, subject: AboutSettings, signed: SignAccounts},
	},
	actions: []actionRow{
		{action: ActionAccountChanged, of: only(RecordUser), access: true, signed: SignAccounts},
		{action: ActionAccountConfirmed, of: only(RecordUser), access: true, signed: SignAccounts},
		{action: ActionSecretChanged, of: only(RecordUser), access: true, signed: SignAccounts},
		{action: ActionTokenCreated, of: only(RecordToken), access: true, signed: SignAccounts},
		{action: ActionTokenRevoked, of: only(RecordToken), access: true},
		{action: ActionStationCreated, of: only(RecordStation), access: true},
		{action: ActionStationRevoked, of: only(RecordStation), access: true},
		{action: ActionSignInLocked, access: true},
		{action: ActionAccountUnlocked, of: only(RecordUser), access: true},
		{action: ActionSessionEnded, of: only(RecordUser), access: true},
		{action: ActionAccessPolicyChanged, of: only(RecordAccessPolicy), access: true, signed: SignAccounts},
	},
}
