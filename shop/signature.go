package shop

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// SignedOperation is an operation for which a shop can require signatures.
type SignedOperation string

// Values of SignedOperation.
const (
	SignScrap         SignedOperation = "scrap"
	SignForceComplete SignedOperation = "forceComplete"
	SignWaive         SignedOperation = "waive"
	SignOverride      SignedOperation = "override"
	SignRelease       SignedOperation = "release"
	SignDisposition   SignedOperation = "disposition"
	SignUndo          SignedOperation = "undo"
	SignRework        SignedOperation = "rework"
	SignBOMEdit       SignedOperation = "bomEdit"
	SignPathUpdate    SignedOperation = "pathUpdate" // update of a path that has serials
	SignLotExpiry     SignedOperation = "lotExpiry"
	SignFirstArticle  SignedOperation = "firstArticle" // verification and approval of a first article inspection
	SignSubstitute    SignedOperation = "substitute"   // installation of a part that replaces a part type of the bill
)

// SignedOperations returns all operations that can be signed.
func SignedOperations() []SignedOperation {
	var signed []SignedOperation
	for _, row := range operations {
		if row.signed != "" && !slices.Contains(signed, row.signed) {
			signed = append(signed, row.signed)
		}
	}
	return signed
}

// row returns the first row in the table of operations that has this name in the signature policy.
func (o SignedOperation) row() operationRow {
	for _, row := range operations {
		if row.signed == o {
			return row
		}
	}
	return operationRow{}
}

// Permission is the permission required to sign the operation.
func (o SignedOperation) Permission() Permission { return o.row().permission }

// secondPermission is the permission required of the second signer.
func (o SignedOperation) secondPermission() Permission {
	row := o.row()
	return cmp.Or(row.second, row.permission)
}

// SignatureDemand is the number and kind of signatures that an operation requires.
type SignatureDemand string

// Values of SignatureDemand, lowest first.
const (
	SignedByNobody SignatureDemand = "none"
	SignedBySelf   SignatureDemand = "self"
	SignedBySecond SignatureDemand = "second" // the user who makes the change and a second user sign
)

// SignatureDemands returns all demands, lowest first.
func SignatureDemands() []SignatureDemand {
	return []SignatureDemand{SignedByNobody, SignedBySelf, SignedBySecond}
}

// SignaturePolicy maps operations to the signatures that they require.
type SignaturePolicy map[SignedOperation]SignatureDemand

// Demand returns the demand for an operation. An operation that is not in the policy requires no signature.
func (p SignaturePolicy) Demand(operation SignedOperation) SignatureDemand {
	if demand, ok := p[operation]; ok {
		return demand
	}
	return SignedByNobody
}

// most returns the highest demand for any of the operations.
func (p SignaturePolicy) most(operations []SignedOperation) SignatureDemand {
	demands, highest := SignatureDemands(), 0
	for _, operation := range operations {
		highest = max(highest, slices.Index(demands, p.Demand(operation)))
	}
	return demands[highest]
}

// full returns the policy with an entry for every operation.
func (p SignaturePolicy) full() SignaturePolicy {
	full := make(SignaturePolicy)
	for _, operation := range SignedOperations() {
		full[operation] = p.Demand(operation)
	}
	return full
}

// SignatureMeaning is the meaning of a signature.
type SignatureMeaning string

// Values of SignatureMeaning.
const (
	Approval       SignatureMeaning = "approval"
	Review         SignatureMeaning = "review"
	Responsibility SignatureMeaning = "responsibility"
	Authorship     SignatureMeaning = "authorship"
)

// SignatureMeanings returns all meanings in the order in which the HTTP API lists them.
func SignatureMeanings() []SignatureMeaning {
	return []SignatureMeaning{Approval, Review, Responsibility, Authorship}
}

// TicketLife is the lifetime of a ticket.
const TicketLife = 2 * time.Minute

// SignatureTicket proves that a person has signed recently. It is valid once, for one operation at one address with one body.
type SignatureTicket struct {
	Hash        string // hash of the ticket's secret
	UserID      string
	Login       string
	PrintedName string
	Meaning     SignatureMeaning
	Method      string // how the signer authenticated: password or pin
	Operation   SignedOperation
	Target      string // address of the request
	BodySHA256  string // in hexadecimal, of the canonical form of the signed content; access stores it keyed with its pepper
	Means       string // credential with which the ticket was requested; see Caller
	SignedAt    ident.Timestamp
	ExpiresAt   ident.Timestamp
	UsedAt      ident.Timestamp // 0 if not used
	UsedFor     string          // name of the request that used it
}

// SignInput is the input for a signature ticket.
type SignInput struct {
	Meaning   input.TextInput `field:"meaning"`
	Operation input.TextInput `field:"operation"`
	Target    input.TextInput `field:"target"`
	// BodySHA256 is the SHA-256 of the body that will be sent, in the form of RFC 8785.
	BodySHA256 input.TextInput `field:"bodySha256"`
}

// Ticket validates the input and returns a ticket. The caller adds the signer and the time.
func (in SignInput) Ticket() (ticket SignatureTicket, err error) {
	if _, err = input.RequiredName("meaning", in.Meaning); err != nil {
		return ticket, err
	}
	if ticket.Meaning, err = input.OneOf("meaning", in.Meaning, SignatureMeanings()); err != nil {
		return ticket, err
	}
	if _, err = input.RequiredName("operation", in.Operation); err != nil {
		return ticket, err
	}
	if ticket.Operation, err = input.OneOf("operation", in.Operation, SignedOperations()); err != nil {
		return ticket, err
	}
	if ticket.Target, err = input.RequiredWithin("target", in.Target, input.TextLimit, refusal.Required); err != nil {
		return ticket, err
	}
	ticket.BodySHA256, err = requiredDigest("bodySha256", in.BodySHA256)
	return ticket, err
}

// requiredDigest validates a SHA-256 in hexadecimal.
func requiredDigest(field string, in input.TextInput) (string, error) {
	digest, err := input.RequiredName(field, in)
	if err == nil && (len(digest) != 2*sha256.Size || strings.Trim(digest, "0123456789abcdef") != "") {
		err = refusal.RefuseField(refusal.NotSHA256, field)
	}
	return digest, err
}

// Refusals for missing or invalid signatures.
var (
	errUnsigned   = refusal.Refuse(Unsigned)
	errUncosigned = refusal.Refuse(Uncosigned)
	errTicket     = refusal.Refuse(TicketNotValid)
)

// ErrOpenSignatures refuses signatures in a service without sign-in.
var ErrOpenSignatures error = refusal.Refuse(SignaturesAreOff)

// SignatureError refuses a change because of missing signatures, and describes the signatures that it needs.
type SignatureError struct {
	Refusal   *refusal.Error
	Operation SignedOperation
	Demand    SignatureDemand
	Contents  []SignedContent // content to sign
}

func (e *SignatureError) Error() string { return e.Refusal.Error() }

func (e *SignatureError) Unwrap() error { return e.Refusal }

// signer is a person who signed a request, with the person's current permissions.
type signer struct {
	ticket      SignatureTicket
	active      bool
	permissions []Permission
	again       bool // an earlier part of the request used the ticket
}

// signedChange is a change that may require signatures.
type signedChange struct {
	operation SignedOperation
	demand    SignatureDemand
	address   string
	body      string    // hash that tickets must have; "" if no ticket can match
	of        *signable // nil if the operation has not declared its content
	by        string    // user in whose name the change is made
	at        ident.Timestamp
	confirmed []string // users whose accounts the change confirms
}

// judge refuses a change unless its signatures are valid and complete. It also checks signatures that are not required, because they will
// be displayed.
func (c signedChange) judge(signers []signer) error {
	if len(signers) > 2 {
		return errTicket
	}
	// When the operation runs, other serials may match a filter than when it was signed.
	if c.of != nil && c.of.filtered() && (c.demand != SignedByNobody || len(signers) > 0) {
		return refusal.Refuse(SignedFilter)
	}
	if c.operation.SecondOnly() {
		return c.judgeSecond(signers)
	}
	own := false
	for i, s := range signers {
		mine := s.ticket.Login == c.by
		switch {
		case !c.fits(s, mine):
			return errTicket
		case i > 0 && s.ticket.UserID == signers[0].ticket.UserID:
			return errTicket
		}
		own = own || mine
	}
	switch {
	case c.demand == SignedByNobody:
	case len(signers) == 0, c.demand == SignedBySecond && !own:
		return errUnsigned
	case !own:
		return errTicket
	case c.demand == SignedBySecond && len(signers) == 1:
		return errUncosigned
	}
	return nil
}

// wanting extends a refusal for missing signatures with the signatures that the change requires.
func (c signedChange) wanting(err error) error {
	refused, ok := errors.AsType[*refusal.Error](err)
	if !ok || refused.Kind != refusal.Forbidden {
		return err
	}
	wanting := &SignatureError{Refusal: refused, Operation: c.operation, Demand: c.demand}
	if c.of != nil {
		content, err := c.of.content()
		if err != nil {
			return err
		}
		wanting.Contents = []SignedContent{content}
	}
	return wanting
}

// fits reports whether a ticket is for this change, and its signer has the permission. mine reports whether the signer makes the change.
func (c signedChange) fits(s signer, mine bool) bool {
	needs := c.operation.secondPermission()
	if mine {
		needs = c.operation.Permission()
	}
	fresh := s.ticket.UsedAt == 0 && c.at < s.ticket.ExpiresAt
	return s.ticket.Operation == c.operation && s.ticket.Target == c.address &&
		c.body != "" && s.ticket.BodySHA256 == c.body && (fresh || s.again) &&
		s.active && slices.Contains(s.permissions, needs)
}

// signedAs returns the operations in the entries that can be signed. The change is signed as the first of these operations. inUse reports
// whether a path has serials, and loginOf returns a user's login. A change concerns at most one path.
func signedAs(told [][]trail.Entry, inUse func(pathID string) (bool, error), loginOf func(userID string) (string, error),
) ([]SignedOperation, error) {
	paths := make(map[trail.Action]string)
	for _, entries := range told {
		for i := range entries {
			signable, err := mayHaveToBeSigned(&entries[i], loginOf)
			if err != nil {
				return nil, err
			}
			if !signable {
				continue
			}
			if _, seen := paths[entries[i].Action]; !seen {
				paths[entries[i].Action] = entries[i].PathID
			}
		}
	}
	var operations []SignedOperation
	for i := range actionTable {
		row := &actionTable[i]
		path, found := paths[row.action]
		if !found || row.signed == "" || slices.Contains(operations, row.signed) {
			continue
		}
		if row.signed == SignPathUpdate {
			used, err := inUse(path)
			if err != nil {
				return nil, err
			}
			if !used {
				continue
			}
		}
		if row.whole {
			operations = slices.Insert(operations, 0, row.signed)
		} else {
			operations = append(operations, row.signed)
		}
	}
	return operations, nil
}

// mayBeSigned reports whether entries record an operation that can be signed.
func mayBeSigned(entries []trail.Entry) bool {
	return slices.ContainsFunc(entries, func(entry trail.Entry) bool { return SigningOf(&entry) != "" })
}

// signedMetadata is the metadata of a signature's audit entry.
type signedMetadata struct {
	Operation   SignedOperation  `json:"operation"`
	Meaning     SignatureMeaning `json:"meaning"`
	Login       string           `json:"login"`
	PrintedName string           `json:"printedName"`
	Method      string           `json:"method"`
	SignedAt    ident.Timestamp  `json:"signedAt"`
	Entries     int              `json:"entries"` // number of entries signed
	SHA256      string           `json:"sha256"`  // hash of these entries
}

// signedAsShown is the metadata of the audit entry of a signature that was given on a page. Signatures that were given through the HTTP
// interface, or recorded by an earlier version, have neither language nor words.
type signedAsShown struct {
	signedMetadata
	Language     string `json:"language,omitempty"`     // language tag of the page
	MeaningShown string `json:"meaningShown,omitempty"` // the words for the meaning on the page
}

// Signature is a signature with its signer, time, meaning and signed entries.
type Signature struct {
	ID       string `json:"id"` // id of the signature's audit entry
	SerialID string `json:"serialId,omitempty"`
	signedMetadata
	EntryIDs []string `json:"entryIds"` // signed audit entries
}

// SignaturesIn returns the signatures in the trail of one serial, oldest first.
func SignaturesIn(trail []trail.Entry) ([]Signature, error) {
	signatures := []Signature{}
	for i := range trail {
		if trail[i].Action != ActionRecordSigned {
			continue
		}
		signature := Signature{ID: trail[i].ID, SerialID: trail[i].SerialID, EntryIDs: []string{}}
		if err := json.Unmarshal(trail[i].Metadata, &signature.signedMetadata); err != nil {
			return nil, err
		}
		for _, entry := range signedEntries(trail[:i], trail[i].SerialID, signature.Entries) {
			signature.EntryIDs = append(signature.EntryIDs, entry.ID)
		}
		signatures = append(signatures, signature)
	}
	return signatures, nil
}

// signedEntries returns the entries that a signature signs: the last count entries before it that concern the same serial, or no serial if
// the signature concerns none. Signatures are not counted.
func signedEntries(before []trail.Entry, serialID string, count int) []trail.Entry {
	var signed []trail.Entry
	for i := len(before) - 1; i >= 0 && len(signed) < count; i-- {
		if before[i].SerialID == serialID && before[i].Action != ActionRecordSigned {
			signed = append(signed, before[i])
		}
	}
	slices.Reverse(signed)
	return signed
}

// SignaturePolicy returns the signatures that operations require.
func (s *Service) SignaturePolicy(ctx context.Context) (SignaturePolicy, error) {
	if s.signing == nil {
		return nil, ErrOpenSignatures
	}
	var policy SignaturePolicy
	err := s.store.View(ctx, func(tx Reader) (err error) {
		policy, err = tx.SignaturePolicy()
		return err
	})
	return policy.full(), err
}

// policyInput is the body of Set Signature Policy.
type policyInput map[SignedOperation]input.TextInput

func (in policyInput) body() (map[string]any, error) {
	object := make(map[string]any)
	for operation, demand := range in {
		value, err := demand.Written()
		if err != nil {
			return nil, err
		}
		if value != input.Absent {
			object[string(operation)] = value
		}
	}
	return object, nil
}

// SetSignaturePolicy changes the signatures that operations require. Omitted operations keep their demand.
func (s *Service) SetSignaturePolicy(ctx context.Context, in map[SignedOperation]input.TextInput) (SignaturePolicy, error) {
	if s.signing == nil {
		return nil, ErrOpenSignatures
	}
	if err := CallerOf(ctx).RequireConfirmed(); err != nil {
		return nil, err
	}
	var after SignaturePolicy
	ctx = s.signable(ctx, policyInput(in))
	err := s.Commit(ctx, &after, func(tx Tx) error {
		before, err := tx.SignaturePolicy()
		if err != nil {
			return err
		}
		after = before.full()
		if err := RefuseUnread(ctx, NameSignaturePolicy, "", func() (any, error) { return before.full(), nil }); err != nil {
			return err
		}
		was, is := make(SignaturePolicy), make(SignaturePolicy)
		for _, operation := range SignedOperations() {
			given := in[operation]
			if !given.Present() {
				continue
			}
			demand, err := input.OneOf(string(operation), given, operation.Demands())
			if err != nil {
				return err
			}
			if demand != after[operation] {
				was[operation], is[operation] = after[operation], demand
				after[operation] = demand
			}
		}
		if len(is) == 0 {
			return nil
		}
		if is[SignAccounts] == SignedBySecond {
			if err := s.needsTwo(tx); err != nil {
				return err
			}
		}
		if err := tx.PutSignaturePolicy(is); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionSignaturePolicyChanged, UserID: CallerOf(ctx).Login, Timestamp: s.Now(),
			Metadata: trail.BeforeAndAfter(was, is),
		})
	})
	return after, err
}

// A single administrator can create an account, set its password and grant it any role. If the policy demands it, a second administrator
// must sign every change that would let a person act under another name or with more permissions. Changes that only remove access need no
// signature, so that one administrator can lock a person out at once: make a user inactive, revoke a token, end a session.

// SignAccounts covers every change of accounts and permissions. The administrator who makes the change does not sign it, since the
// operations already require a recent secret. The only signature is that of another administrator.
const SignAccounts SignedOperation = "accounts"

// SecondOnly reports whether an operation is signed by a second person only.
func (o SignedOperation) SecondOnly() bool { return o == SignAccounts }

// Demands returns the demands that a policy can set for an operation, lowest first.
func (o SignedOperation) Demands() []SignatureDemand {
	if o.SecondOnly() {
		return []SignatureDemand{SignedByNobody, SignedBySecond}
	}
	return SignatureDemands()
}

// providerActor is the actor of entries about changes that an OpenID Connect provider caused.
const providerActor = "oidc"

// accountMetadata is the metadata of entries about accounts and users that shows which account changed, and how.
type accountMetadata struct {
	AccountID string `json:"accountId"`
	UserID    string `json:"userId"`
	After     struct {
		Name   *string `json:"name"`
		Active *bool   `json:"active"`
	} `json:"after"`
}

// ConcernsAccounts reports whether an entry records a change that SignAccounts covers. loginOf returns the login of a user; "" for a user
// without a login.
//
// SignAccounts does not cover changes without a signed-in caller (a first sign-in, updates from an identity provider), changes of a
// user's own secrets and tokens, and changes of users without a login.
func ConcernsAccounts(entry *trail.Entry, loginOf func(userID string) (string, error)) (bool, error) {
	if SigningOf(entry) != SignAccounts || entry.Means == "" {
		return false, nil
	}
	var told accountMetadata
	if entry.Action != ActionSignaturePolicyChanged && entry.Action != ActionAccessPolicyChanged {
		if err := json.Unmarshal(entry.Metadata, &told); err != nil {
			return false, err
		}
	}
	switch entry.Action { //nolint:exhaustive // all others concern accounts
	case ActionAccountChanged:
		return entry.Actor != providerActor, nil
	case ActionSecretChanged, ActionTokenCreated:
		login, err := loginOf(told.AccountID)
		return login != entry.UserID, err
	case ActionUserChanged:
		if told.After.Name == nil && (told.After.Active == nil || !*told.After.Active) {
			return false, nil
		}
		login, err := loginOf(told.UserID)
		return login != "", err
	}
	return true, nil
}

// mayHaveToBeSigned reports whether an entry records a change that can be signed. If SignAccounts covers its action, the entry must
// concern accounts.
func mayHaveToBeSigned(entry *trail.Entry, loginOf func(userID string) (string, error)) (bool, error) {
	switch SigningOf(entry) { //nolint:exhaustive // all others can be signed
	case "":
		return false, nil
	case SignAccounts:
		return ConcernsAccounts(entry, loginOf)
	}
	return true, nil
}

// PolicyBefore returns the policy before the change that an entry records. policy is the policy after it.
func PolicyBefore(policy SignaturePolicy, entry *trail.Entry) (SignaturePolicy, error) {
	var told struct {
		Before SignaturePolicy `json:"before"`
	}
	if err := json.Unmarshal(entry.Metadata, &told); err != nil {
		return nil, err
	}
	before := make(SignaturePolicy)
	for _, operation := range SignedOperations() {
		before[operation] = cmp.Or(told.Before[operation], policy.Demand(operation))
	}
	return before, nil
}

// judgeSecond refuses a change that a second person must sign unless the signatures are valid and complete.
func (c signedChange) judgeSecond(signers []signer) error {
	others := 0
	for i, s := range signers {
		mine := s.ticket.Login == c.by
		if !c.fits(s, mine) || i > 0 && s.ticket.UserID == signers[0].ticket.UserID || slices.Contains(c.confirmed, s.ticket.UserID) {
			return errTicket
		}
		if !mine {
			others++
		}
	}
	switch {
	case others > 1:
		return errTicket
	case c.demand == SignedBySecond && others == 0:
		return errUncosigned
	}
	return nil
}

// confirmedIn returns the users whose accounts are confirmed in the entries. They cannot be the second person for their own account.
func confirmedIn(told [][]trail.Entry) (ids []string, err error) {
	for _, entries := range told {
		for i := range entries {
			if entries[i].Action != ActionAccountConfirmed {
				continue
			}
			var account accountMetadata
			if err := json.Unmarshal(entries[i].Metadata, &account); err != nil {
				return nil, err
			}
			ids = append(ids, account.AccountID)
		}
	}
	return ids, nil
}

// needsTwo refuses to demand a second administrator unless two administrators can sign: otherwise the demand could not be removed.
func (s *Service) needsTwo(tx Tx) error {
	var administrators []string
	for user, err := range tx.Users() {
		if err != nil {
			return err
		}
		if Administers(user, s.signing.Permissions) {
			administrators = append(administrators, user.ID)
		}
	}
	found := 0
	for _, id := range administrators {
		signs, err := tx.UserSigns(id)
		if err != nil {
			return err
		}
		if signs {
			found++
		}
	}
	if found < 2 {
		return refusal.RefuseField(FewAdmins, string(SignAccounts))
	}
	return nil
}

// EndSecondAdministrator removes the demand for a second administrator, in the name of the user by. After a first sign-in the shop has only
// one administrator.
func EndSecondAdministrator(tx interface {
	SignatureStore
	AppendAudit(entries ...trail.Entry) error
}, by string, at ident.Timestamp,
) error {
	policy, err := tx.SignaturePolicy()
	if err != nil || policy.Demand(SignAccounts) == SignedByNobody {
		return err
	}
	before, after := make(SignaturePolicy), make(SignaturePolicy)
	before[SignAccounts], after[SignAccounts] = policy.Demand(SignAccounts), SignedByNobody
	if err := tx.PutSignaturePolicy(after); err != nil {
		return err
	}
	return tx.AppendAudit(trail.Entry{
		Action: ActionSignaturePolicyChanged, UserID: by, Timestamp: at,
		Metadata: trail.BeforeAndAfter(before, after),
	})
}

// SignatureStore lists the database operations for signatures.
type SignatureStore interface {
	// SignaturePolicy returns the demands; operations that require no signature may be missing. In an Update, the policy does not change
	// until the transaction ends.
	SignaturePolicy() (SignaturePolicy, error)
	// UserSigns reports whether a user can sign, with a password, a PIN or a passkey.
	UserSigns(id string) (bool, error)
	// SecondFactorRoles returns the roles that require a second factor to sign in, in the order of their names.
	SecondFactorRoles() ([]string, error)
	// PutSignaturePolicy changes the demands for the operations in changed.
	PutSignaturePolicy(changed SignaturePolicy) error
	SignatureTicket(hash string) (SignatureTicket, error)
	// UseSignatureTicket marks a ticket as used by a request. It returns ErrNoRecord if the ticket was used before.
	UseSignatureTicket(hash, usedFor string, at ident.Timestamp) error
	// SignatureTicketsFor returns the tickets that a request has used, in the order of their hashes.
	SignatureTicketsFor(request string) ([]SignatureTicket, error)
}

// Names of signatures and the signature policy in the tables of records, operations and actions.
const (
	RecordSignaturePolicy ident.RecordKind = "signature policy"
	RecordSignature       ident.RecordKind = "signature" // an audit entry that signs other entries

	NameSignaturePolicy refusal.RecordName = "SignaturePolicy"

	OpSign      Operation = "sign"
	OpSetPolicy Operation = "set-signature-policy" // includes reading the policy

	ActionRecordSigned           trail.Action = "record_signed"
	ActionSignaturePolicyChanged trail.Action = "signature_policy_changed"
)

// Reasons to refuse a change because of signatures.
var (
	Unsigned         = refusal.NewReason(refusal.Forbidden, "signature_needed", "This needs your signature")
	Uncosigned       = refusal.NewReason(refusal.Forbidden, "second_signature_needed", "This needs the signature of a second person")
	TicketNotValid   = refusal.NewReason(refusal.Forbidden, "signature_ticket_not_valid", "The signature ticket is not valid for this request")
	SignedFilter     = refusal.NewReason(refusal.Invalid, "filter_not_signed", "where cannot be signed: list the serials in serialIds or ranges")
	FewAdmins        = refusal.NewReason(refusal.Invalid, "too_few_administrators", "{field} needs two administrators who can sign")
	SignaturesAreOff = refusal.NewReason(refusal.Invalid, "signatures_need_authentication", "Signatures need authentication")
)

var signatureNoun = noun{
	records: []Record{
		{Kind: RecordSignaturePolicy, Names: named(NameSignaturePolicy), Table: "signature_policy", Compared: true},
		{Kind: RecordSignature, Compared: true},
	},
	operations: []operationRow{
		{operation: OpSign, permission: SignedIn, subject: AboutPerson},
		{operation: OpSetPolicy, permission: Admin, subject: AboutSettings, signed: SignAccounts},
	},
	actions: []actionRow{
		{action: ActionRecordSigned, of: only(RecordSignature)},
		{action: ActionSignaturePolicyChanged, of: only(RecordSignaturePolicy), access: true, signed: SignAccounts},
	},
}
