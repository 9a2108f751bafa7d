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

// SignedOperation is an operation that a shop can have signed.
type SignedOperation string

// The operations that can be signed.
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
	SignPathUpdate    SignedOperation = "pathUpdate" // of a path that has serials
)

// SignedOperations returns every operation that can be signed.
func SignedOperations() []SignedOperation {
	var signed []SignedOperation
	for _, row := range operations {
		if row.signed != "" && !slices.Contains(signed, row.signed) {
			signed = append(signed, row.signed)
		}
	}
	return signed
}

// row is the first row of the table of operations that is signed under this name.
func (o SignedOperation) row() operationRow {
	for _, row := range operations {
		if row.signed == o {
			return row
		}
	}
	return operationRow{}
}

// Permission is what somebody needs who signs an operation.
func (o SignedOperation) Permission() Permission { return o.row().permission }

// secondPermission is what the second person needs.
func (o SignedOperation) secondPermission() Permission {
	row := o.row()
	return cmp.Or(row.second, row.permission)
}

// SignatureDemand says whose signatures an operation needs.
type SignatureDemand string

// The demands, the least first.
const (
	SignedByNobody SignatureDemand = "none"
	SignedBySelf   SignatureDemand = "self"
	SignedBySecond SignatureDemand = "second" // and by whoever does it
)

// SignatureDemands returns every demand, the least first.
func SignatureDemands() []SignatureDemand {
	return []SignatureDemand{SignedByNobody, SignedBySelf, SignedBySecond}
}

// SignaturePolicy says which operations need signatures.
type SignaturePolicy map[SignedOperation]SignatureDemand

// Demand is what an operation needs; what the policy does not name needs nothing.
func (p SignaturePolicy) Demand(operation SignedOperation) SignatureDemand {
	if demand, ok := p[operation]; ok {
		return demand
	}
	return SignedByNobody
}

// most is the highest that a policy demands of operations.
func (p SignaturePolicy) most(operations []SignedOperation) SignatureDemand {
	demands, highest := SignatureDemands(), 0
	for _, operation := range operations {
		highest = max(highest, slices.Index(demands, p.Demand(operation)))
	}
	return demands[highest]
}

// full names every operation.
func (p SignaturePolicy) full() SignaturePolicy {
	full := make(SignaturePolicy)
	for _, operation := range SignedOperations() {
		full[operation] = p.Demand(operation)
	}
	return full
}

// SignatureMeaning is what somebody means by a signature.
type SignatureMeaning string

// The meanings.
const (
	Approval       SignatureMeaning = "approval"
	Review         SignatureMeaning = "review"
	Responsibility SignatureMeaning = "responsibility"
	Authorship     SignatureMeaning = "authorship"
)

// SignatureMeanings returns every meaning in the interface's order.
func SignatureMeanings() []SignatureMeaning {
	return []SignatureMeaning{Approval, Review, Responsibility, Authorship}
}

// TicketLife is how long a ticket can be used.
const TicketLife = 2 * time.Minute

// SignatureTicket is the proof that a person has signed: once, for one operation at one address with one body, a short
// while ago.
type SignatureTicket struct {
	Hash        string // of what its bearer shows
	UserID      string
	Login       string
	PrintedName string
	Meaning     SignatureMeaning
	Method      string // what the person proved to be themselves with: password or pin
	Operation   SignedOperation
	Target      string // the address of the request
	BodySHA256  string // in hexadecimal, of the canonical form of what is signed; access keeps it under its pepper
	Means       string // of whoever asked for the ticket; see Caller
	SignedAt    ident.Timestamp
	ExpiresAt   ident.Timestamp
	UsedAt      ident.Timestamp // 0 when it is not used
	UsedFor     string          // the name of the request that used it
}

// SignInput is what somebody says of what they sign.
type SignInput struct {
	Meaning   input.TextInput `field:"meaning"`
	Operation input.TextInput `field:"operation"`
	Target    input.TextInput `field:"target"`
	// BodySHA256 is the SHA-256 of the body that will be sent, in the form of RFC 8785.
	BodySHA256 input.TextInput `field:"bodySha256"`
}

// Ticket judges what somebody says of what they sign. Who that is and when is for the caller to add.
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

// requiredDigest judges a SHA-256 in hexadecimal.
func requiredDigest(field string, in input.TextInput) (string, error) {
	digest, err := input.RequiredName(field, in)
	if err == nil && (len(digest) != 2*sha256.Size || strings.Trim(digest, "0123456789abcdef") != "") {
		err = refusal.RefuseField(refusal.NotSHA256, field)
	}
	return digest, err
}

// What a caller hears who has not signed.
var (
	errUnsigned   = refusal.Refuse(Unsigned)
	errUncosigned = refusal.Refuse(Uncosigned)
	errTicket     = refusal.Refuse(TicketNotValid)
)

// ErrOpenSignatures refuses signatures where nobody has to prove who they are.
var ErrOpenSignatures error = refusal.Refuse(SignaturesAreOff)

// SignatureError refuses a change for want of signatures, and says which it needs.
type SignatureError struct {
	Refusal   *refusal.Error
	Operation SignedOperation
	Demand    SignatureDemand
	Contents  []SignedContent // what is to be signed
}

func (e *SignatureError) Error() string { return e.Refusal.Error() }

func (e *SignatureError) Unwrap() error { return e.Refusal }

// signer is a person who has signed a request, as they are now.
type signer struct {
	ticket      SignatureTicket
	active      bool
	permissions []Permission
	again       bool // the request has used the ticket for an earlier part of what it does
}

// signedChange is a change that may need signatures.
type signedChange struct {
	operation SignedOperation
	demand    SignatureDemand
	address   string
	body      string    // the hash that tickets have to be for, "" when none can be
	of        *signable // nil when the operation does not say what it is asked for
	by        string    // in whose name it is made
	at        ident.Timestamp
	confirmed []string // users whose account it confirms
}

// judge refuses a change whose signatures are not those that it needs. A signature that nobody demands is judged as
// well, for it will be shown.
func (c signedChange) judge(signers []signer) error {
	if len(signers) > 2 {
		return errTicket
	}
	// Which serials fit a filter when it is signed, and which when it is done, are two questions.
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

// wanting adds to a refusal for want of signatures which signatures the change needs.
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

// fits reports whether a person has signed this change and may do so.
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

// signedAs lists the operations that entries tell of and that can be signed; the first one is what the change is.
// inUse reports whether a path has serials, and loginOf returns a user's login. No change is of more than one path.
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

// mayBeSigned reports whether entries tell of an operation that can be signed.
func mayBeSigned(entries []trail.Entry) bool {
	return slices.ContainsFunc(entries, func(entry trail.Entry) bool { return rowOfAction(entry.Action).signed != "" })
}

// signedMetadata is what the trail tells of a signature.
type signedMetadata struct {
	Operation   SignedOperation  `json:"operation"`
	Meaning     SignatureMeaning `json:"meaning"`
	Login       string           `json:"login"`
	PrintedName string           `json:"printedName"`
	Method      string           `json:"method"`
	SignedAt    ident.Timestamp  `json:"signedAt"`
	Entries     int              `json:"entries"` // how many it signs
	SHA256      string           `json:"sha256"`  // of those entries
}

// Signature is who signed what, when, and what they meant by it.
type Signature struct {
	ID       string `json:"id"` // of its entry in the trail
	SerialID string `json:"serialId,omitempty"`
	signedMetadata
	EntryIDs []string `json:"entryIds"` // of the entries that it signs
}

// SignaturesIn lists the signatures that a trail tells of, oldest first. The trail is that of one serial.
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

// signedEntries finds what a signature signs: the last so many entries before it about the same serial, or about none,
// that are no signatures themselves.
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

// SignaturePolicy answers which operations need signatures.
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

// SetSignaturePolicy changes which operations need signatures. What is left out stays as it is.
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

// SignatureStore is what signatures need of a database.
type SignatureStore interface {
	// SignaturePolicy returns what is demanded; what is not may be left out. In an Update nobody changes it until the
	// transaction ends.
	SignaturePolicy() (SignaturePolicy, error)
	// UserSigns reports whether a user has a password or a PIN with which they can sign, or a passkey.
	UserSigns(id string) (bool, error)
	// SecondFactorRoles returns the roles that need a second factor to sign in, in the order of their names.
	SecondFactorRoles() ([]string, error)
	// PutSignaturePolicy changes what the policy names.
	PutSignaturePolicy(changed SignaturePolicy) error
	SignatureTicket(hash string) (SignatureTicket, error)
	// UseSignatureTicket marks a ticket as used for a request. It answers ErrNoRecord for one that is used.
	UseSignatureTicket(hash, usedFor string, at ident.Timestamp) error
	// SignatureTicketsFor returns the tickets that a request has used, by their hashes.
	SignatureTicketsFor(request string) ([]SignatureTicket, error)
}

// What the tables of the business call signatures and what demands them.
const (
	RecordSignaturePolicy ident.RecordKind = "signature policy"
	RecordSignature       ident.RecordKind = "signature" // an entry that signs others

	NameSignaturePolicy refusal.RecordName = "SignaturePolicy"

	OpSign      Operation = "sign"
	OpSetPolicy Operation = "set-signature-policy" // see it as well

	ActionRecordSigned           trail.Action = "record_signed"
	ActionSignaturePolicyChanged trail.Action = "signature_policy_changed"
)

// Why it is refused.
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
