package shop

import (
	"context"
	"iter"
	"slices"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// User is a person or a machine. Steps can be assigned to users. A user with a login can sign in or use tokens.
type User struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Department string          `json:"department,omitempty"`
	Active     bool            `json:"active"` // inactive users keep assignments and history, but get no new assignments
	CreatedAt  ident.Timestamp `json:"createdAt"`
	Login      string          `json:"login,omitempty"` // set once, never changed
	Roles      []string        `json:"roles,omitempty"`
	Salt       string          `json:"-"` // see Contents; "" if the user has not changed since salts were introduced
	// Kind is the kind of account; "" means Person. It is set with the login and never changed.
	Kind       AccountKind `json:"kind,omitempty"`
	ExternalID string      `json:"externalId,omitempty"`
}

// AccountKind is the kind of an account.
type AccountKind string

// Values of AccountKind. A person signs in. A program uses tokens that administrators create.
const (
	Person  AccountKind = "person"
	Program AccountKind = "program"
)

// AccountKinds returns all kinds of accounts.
func AccountKinds() []AccountKind { return []AccountKind{Person, Program} }

// Users yields the active users, or all of them, by name in byte order.
func (s *Service) Users(ctx context.Context, all bool) iter.Seq2[User, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[User, error] {
		return func(yield func(User, error) bool) {
			for user, err := range tx.Users() {
				if (err != nil || all || user.Active) && !yield(user, err) {
					return
				}
			}
		}
	})
}

// CreateUserInput is the body of Create User.
type CreateUserInput struct {
	Name       input.TextInput `field:"name"`
	Department input.TextInput `field:"department"`
	ExternalInput
	ChangedBy input.TextInput `field:"changedBy"` // for the audit trail
}

// CreateUser adds an active user. Names need not be unique.
func (s *Service) CreateUser(ctx context.Context, in CreateUserInput) (User, error) {
	user := User{Active: true}
	var err error
	if user.Name, err = input.RequiredTrimmed(in.Name); err != nil {
		return User{}, err
	}
	if user.Department, err = input.OptionalWithin("department", in.Department, input.NameLimit); err != nil {
		return User{}, err
	}
	if err := in.ExternalInput.Change(s.SerialPrefix(), user.ID, &user.ExternalID); err != nil {
		return User{}, err
	}
	userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
	if err != nil {
		return User{}, err
	}
	err = s.Commit(ctx, &user, func(tx Tx) error {
		user.ID, user.CreatedAt, user.Salt = s.NewID(prefixUser), s.Now(), trail.Salted("")
		if err := tx.InsertUser(user); err != nil {
			return err
		}
		if err := tx.AppendAudit(trail.Entry{
			Action: ActionUserCreated, UserID: userID, Timestamp: user.CreatedAt,
			Metadata: trail.Metadata(UserEvent{
				UserID: user.ID, After: &userFacts{&user.Name, &user.Department, &user.Active}, Contents: user.Contents(),
			}),
		}); err != nil {
			return err
		}
		return recordExternal(tx, ExternalID{RecordUser, user.ID, user.ExternalID}, "",
			trail.Entry{UserID: userID, Timestamp: user.CreatedAt})
	})
	return user, err
}

// UserEvent is the metadata of an entry about a user.
type UserEvent struct {
	UserID string     `json:"userId"` // the changed user; the entry's own userId made the change
	Before *userFacts `json:"before"`
	After  *userFacts `json:"after"`

	Contents trail.ContentsSHA256 `json:"contentsSha256,omitempty"`
}

// userFacts has the fields of a user that can change, for the audit trail. nil fields are omitted.
type userFacts struct {
	Name       *string `json:"name,omitempty"`
	Department *string `json:"department,omitempty"`
	Active     *bool   `json:"active,omitempty"`
}

// userChange returns the changed fields of a user, before and after the change.
func userChange(before, after User) (was, is userFacts) {
	if before.Name != after.Name {
		was.Name, is.Name = &before.Name, &after.Name
	}
	if before.Department != after.Department {
		was.Department, is.Department = &before.Department, &after.Department
	}
	if before.Active != after.Active {
		was.Active, is.Active = &before.Active, &after.Active
	}
	return was, is
}

// UpdateUserInput is the body of Update User.
type UpdateUserInput struct {
	Name       input.TextInput `field:"name"`
	Department input.TextInput `field:"department"`
	Active     input.FlagInput `field:"active"`
	ExternalInput
	ChangedBy input.TextInput `field:"changedBy"` // for the audit trail
}

// Apply validates the fields in the input and returns the user with them.
func (in UpdateUserInput) Apply(prefix ident.Prefix, user User) (User, error) {
	var err error
	if in.Name.Present() {
		if user.Name, err = input.ChangedName(in.Name, refusal.Required); err != nil {
			return user, err
		}
	}
	if in.Department.Present() { // null and blank remove it
		if user.Department, err = input.OptionalWithin("department", in.Department, input.NameLimit); err != nil {
			return user, err
		}
	}
	if in.Active.Present() {
		if err := in.Active.Typed("active"); err != nil {
			return user, err
		}
		user.Active = in.Active.Value
	}
	return user, in.ExternalInput.Change(prefix, user.ID, &user.ExternalID)
}

// UpdateUser changes the fields in the input. Deactivating a user keeps assignments and history, but permanently ends the user's sessions
// and tokens.
func (s *Service) UpdateUser(ctx context.Context, id string, in UpdateUserInput) (User, error) {
	var user User
	ctx = s.signable(ctx, in, id)
	err := s.Commit(ctx, &user, func(tx Tx) (err error) {
		before, err := FindUser(tx, id)
		if err != nil {
			return err
		}
		if err := RefuseUnread(ctx, NameUser, id, func() (any, error) { return before, nil }); err != nil {
			return err
		}
		if user, err = in.Apply(tx.SerialPrefix(), before); err != nil {
			return err
		}
		if s.signing != nil { // callers authenticate
			if err := KeepsAdministrator(tx, before, user, s.signing.Permissions); err != nil {
				return err
			}
		}
		if before.Active && !user.Active {
			if err := tx.EndAccess(id, s.Now()); err != nil {
				return err
			}
		}
		userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
		if err != nil {
			return err
		}
		if err := recordExternal(tx, ExternalID{RecordUser, id, user.ExternalID}, before.ExternalID,
			trail.Entry{UserID: userID, Timestamp: s.Now()}); err != nil {
			return err
		}
		was, is := userChange(before, user)
		if was == (userFacts{}) {
			return nil
		}
		user.Salt = trail.Salted(user.Salt)
		now := s.Now()
		if err := tx.UpdateUser(user, now); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionUserChanged, UserID: userID, Timestamp: now,
			Metadata: trail.Metadata(UserEvent{UserID: id, Before: &was, After: &is, Contents: user.Contents()}),
		})
	})
	return user, err
}

// User implements Get User, for active and inactive users.
func (s *Service) User(ctx context.Context, id string) (User, error) {
	var user User
	err := s.store.View(ctx, func(tx Reader) (err error) {
		user, err = FindUser(tx, id)
		return err
	})
	return user, err
}

// FindUser returns a user, or a refusal if the user does not exist.
func FindUser(tx UserStore, id string) (User, error) {
	user, err := tx.User(id)
	return user, OrNotFound(err, NameUser, id)
}

// UserNames returns the names of all users by identifier.
func UserNames(tx UserStore) (map[string]string, error) {
	names := map[string]string{}
	for user, err := range tx.Users() {
		if err != nil {
			return nil, err
		}
		names[user.ID] = user.Name
	}
	return names, nil
}

// UserStore lists the database operations for users.
type UserStore interface {
	InsertUser(user User) error
	UpdateUser(user User, at ident.Timestamp) error
	User(id string) (User, error)
	Users() iter.Seq2[User, error] // including inactive ones, by name in byte order
	// LockAdministrators prevents other transactions from changing who is an administrator until the transaction ends.
	LockAdministrators() error
	// EndAccess ends the sessions of a user and revokes the user's tokens.
	EndAccess(userID string, at ident.Timestamp) error
}

// LanguageStore stores the languages of pages that users and stations chose. They are no part of the records, and have no audit entries.
type LanguageStore interface {
	// Language returns the tag of the language that a user or a station chose, "" if none.
	Language(of string) (string, error)
	// PutLanguage stores the tag; "" removes the stored tag.
	PutLanguage(of, tag string) error
}

// Language returns the tag of the language that a user or a station chose for the pages, "" if none.
func (s *Service) Language(ctx context.Context, of string) (tag string, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		tag, err = tx.Language(of)
		return err
	})
	return tag, err
}

// ChooseLanguage stores the language that a user or a station chose for the pages; "" removes it.
func (s *Service) ChooseLanguage(ctx context.Context, of, tag string) error {
	return s.store.Update(ctx, func(tx Tx) error { return tx.PutLanguage(of, tag) })
}

// SameUser reports whether two states of a user are equal in all fields that the trail records.
func SameUser(before, after User) bool {
	was, _ := userChange(before, after)
	return was == userFacts{}
}

// Contents is the SHA-256 of the user's contents that audit entries record, including the login, the roles and the kind. It is "" for a
// user without a salt: the user's entries have no hash.
func (u *User) Contents() trail.ContentsSHA256 {
	if u.Salt == "" {
		return ""
	}
	return trail.ContentsOf(struct {
		ID         string          `json:"id"`
		Name       string          `json:"name"`
		Department string          `json:"department"`
		Active     bool            `json:"active"`
		CreatedAt  ident.Timestamp `json:"createdAt"`
		Login      string          `json:"login"`
		Roles      []string        `json:"roles"`
		Salt       string          `json:"salt"`
		// Kind is omitted for a person, so that the contents of users from before kinds were introduced do not change.
		Kind AccountKind `json:"kind,omitempty"`
	}{u.ID, u.Name, u.Department, u.Active, u.CreatedAt, u.Login, append([]string{}, u.Roles...), u.Salt, u.Kind})
}

// Names of users in the tables of records, operations and actions.
const (
	RecordUser ident.RecordKind = "user"

	NameUser refusal.RecordName = "User"

	prefixUser = "user_"

	OpCreateUser Operation = "create-user"
	OpUpdateUser Operation = "update-user"

	AboutPerson Subject = "person"

	ActionUserCreated trail.Action = "user_created"
	ActionUserChanged trail.Action = "user_changed"
)

// Reasons to refuse a change of a user.
var (
	UserInactive = refusal.NewReason(refusal.Invalid, "user_inactive", "User not found or inactive")
)

var userNoun = noun{
	records: []Record{
		{
			Kind: RecordUser, Names: named(NameUser), Prefix: prefixUser, Table: "shop_user",
			Called: []string{"name"}, Detailed: "department", Tagged: true, External: true, Compared: true,
		},
	},
	operations: []operationRow{
		{operation: OpCreateUser, permission: Admin, subject: AboutPerson},
		{operation: OpUpdateUser, permission: Admin, subject: AboutPerson, signed: SignAccounts},
	},
	actions: []actionRow{
		{action: ActionUserCreated, of: only(RecordUser)},
		{action: ActionUserChanged, of: only(RecordUser), signed: SignAccounts},
	},
}

// AdministratorStore lists the database operations for the rule about the last administrator.
type AdministratorStore interface {
	Users() iter.Seq2[User, error]
	// LockAdministrators prevents other transactions from changing who is an administrator until the transaction ends.
	LockAdministrators() error
}

// Administers reports whether a user is an administrator: an active person with a login and the permission Admin. A program does not
// count, since it cannot sign in to grant the permission to others.
func Administers(user User, permissions func(roles []string) []Permission) bool {
	return user.Active && user.Login != "" && user.Kind != Program && slices.Contains(permissions(user.Roles), Admin)
}

// KeepsAdministrator refuses a change of a user that would leave the shop without an administrator: no user could undo such a change.
func KeepsAdministrator(store AdministratorStore, before, after User, permissions func(roles []string) []Permission) error {
	if !Administers(before, permissions) || Administers(after, permissions) {
		return nil
	}
	if err := store.LockAdministrators(); err != nil {
		return err
	}
	for user, err := range store.Users() {
		if err != nil {
			return err
		}
		if user.ID != before.ID && Administers(user, permissions) {
			return nil
		}
	}
	return refusal.Refuse(refusal.LastAdmin)
}

// Names of accounts, credentials and stations in the tables of records, operations and actions.
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

	OpChangeAccount    Operation = "change-account"     // the account of another user
	OpChangeOwnAccount Operation = "change-own-account" // includes reading it, its secrets and its tokens
	OpReplaceSecret    Operation = "replace-secret"     // set a password or a PIN, of the caller or of another user
	OpConfirmAccount   Operation = "confirm-account"    // the account of a user whose secret was set by another person
	OpSignOut          Operation = "sign-out"
	OpIdentify         Operation = "identify" // read the caller's own identity; read and set up the caller's own second factors
	OpEnter            Operation = "enter"    // sign in, set the first password, select or leave the current user of a browser
	OpMakeStation      Operation = "make-station"
	OpRevokeStation    Operation = "revoke-station"
	OpSeeStations      Operation = "see-stations"
	OpSetAccess        Operation = "set-access-policy" // includes reading the policy

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
		// Requires Decide or Admin, which ConfirmAccount checks itself.
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
