package shop

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
)

// Signatures are checked in the transaction of a change, for all operations. The audit entries of the change determine which signatures
// it needs, so that no operation can bypass the check.

// Signing lists what signatures need from other packages.
type Signing struct {
	// Permissions returns the permissions of roles.
	Permissions func(roles []string) []Permission
	// Canonical returns the canonical form of an audit entry in JSON, which is signed.
	Canonical func(entry []byte) ([]byte, error)
	// Committed is called after commit for each entry about accounts and policies that a change by a Service wrote. It may be nil.
	Committed func(ctx context.Context, entry trail.Entry)
}

// WithSignatures makes changes require the signatures that the policy demands. It is for services whose callers authenticate.
func WithSignatures(signing Signing) Option {
	return func(s *Service) { s.signing = &signing }
}

// The key of the tickets in the context. The tickets belong to the request: they apply to all its operations, and several of its
// transactions can share them.
type signedRequestKey struct{}

// SignedRequest is a request with the tickets of its signers.
type SignedRequest struct {
	Address string   // with identifiers in place of external identifiers
	Tickets []string // hashes
	// BodySHA256 returns the SHA-256 of the canonical form of the signed content, in hexadecimal, with identifiers in place of external
	// identifiers. It returns "" if the content has no canonical form; then no ticket matches. It is called once for each transaction if
	// there are tickets.
	BodySHA256 func() string
	// Contents is the content shown to the signers, unless it is the body of the request. The tickets are valid for operations with this
	// content. It is nil for requests of the interface.
	Contents []SignedContent
	// Shown has the meanings as the page showed them. It is zero for requests of the interface.
	Shown ShownMeanings
}

// ShownMeanings has the meanings of signatures as a page showed them to its signers.
type ShownMeanings struct {
	Language string                      // language tag of the page
	Words    map[SignatureMeaning]string // the words for each meaning in that language
}

// signedRequest is a request with the state of its tickets.
type signedRequest struct {
	SignedRequest

	show     bool   // refuse with the content to sign, regardless of tickets
	name     string // "" until tickets are used
	redeemed bool
}

// WithSignatureTickets returns a context whose operations are signed with the tickets of a request.
func WithSignatureTickets(ctx context.Context, request SignedRequest) context.Context {
	return context.WithValue(ctx, signedRequestKey{}, &signedRequest{SignedRequest: request})
}

// ToSign returns a context in which each operation that can be signed, and would change something, is refused with a *SignatureError, even
// if no signature is required. The pages use it to find out what to show to the signers.
func ToSign(ctx context.Context) context.Context {
	return context.WithValue(ctx, signedRequestKey{}, &signedRequest{show: true})
}

// body returns the hash that tickets for an operation of the request must have; "" if no ticket can match.
func (r *signedRequest) body(of *signable) string {
	if r.BodySHA256 == nil {
		return ""
	}
	if of != nil || r.Contents != nil {
		if of == nil {
			return ""
		}
		content, err := of.content()
		if err != nil || !r.asksFor(content) {
			return ""
		}
	}
	return r.BodySHA256()
}

// asksFor reports whether an operation has the content that was requested. An operation of the interface must change the records in the
// address: an external identifier may have moved to another record since it was looked up there.
func (r *signedRequest) asksFor(content SignedContent) bool {
	if r.Contents != nil {
		return slices.ContainsFunc(r.Contents, content.same)
	}
	named := strings.Split(r.Address, "/")
	return !slices.ContainsFunc(content.Of, func(id string) bool { return !slices.Contains(named, id) })
}

func signedRequestOf(ctx context.Context) *signedRequest {
	if request, ok := ctx.Value(signedRequestKey{}).(*signedRequest); ok {
		return request
	}
	return &signedRequest{}
}

// signing is a store that refuses changes without the required signatures, and adds the signatures to the trail.
type signing struct {
	Store
	Signing
	clock ident.Clock
	ids   ident.Identifiers
}

// errToSign ends the attempt to commit a change together with other changes: a change that may need signatures requires its own
// transaction.
var errToSign = errors.New("this may have to be signed")

func (s signing) ChangeCard(ctx context.Context, serialID string, change func(card.Card) (card.Change, error)) error {
	err := s.Store.ChangeCard(ctx, serialID, func(unit card.Card) (card.Change, error) {
		changed, err := change(unit)
		if err == nil && mayBeSigned(changed.Audit) {
			return card.Change{}, errToSign
		}
		return changed, err
	})
	if !errors.Is(err, errToSign) {
		return err
	}
	return s.Update(ctx, func(tx Tx) error { return changeCardIn(tx, serialID, change) })
}

func (s signing) Update(ctx context.Context, change func(Tx) error, options ...UpdateOption) error {
	var telling *tellingTx
	err := s.Store.Update(ctx, func(tx Tx) error {
		telling = &tellingTx{Tx: tx, brief: ctx.Value(unsignedKey{}) != nil}
		changed := change(telling)
		if changed != nil && !errors.Is(changed, ErrTried) {
			return changed
		}
		if telling.brief && len(telling.told) > 0 {
			return errors.New("a change that nobody signs may have to be signed")
		}
		if err := s.sign(ctx, tx, telling.told); err != nil {
			return err
		}
		return changed
	}, options...)
	if err == nil && s.Committed != nil {
		for _, entries := range telling.told {
			for i := range entries {
				if AboutAccounts(entries[i].Action) {
					s.Committed(ctx, entries[i])
				}
			}
		}
	}
	return err
}

// ErrTried rolls back a transaction that could have been committed, as in a dry run. Signatures are checked nevertheless.
var ErrTried = errors.New("the change was only tried")

// WithoutSignatures returns a context for a change of many records that never needs signatures: its entries are not held in memory until
// the change is committed.
func WithoutSignatures(ctx context.Context) context.Context {
	return context.WithValue(ctx, unsignedKey{}, true)
}

type unsignedKey struct{}

// tellingTx collects the audit entries of a change.
type tellingTx struct {
	Tx
	told  [][]trail.Entry
	brief bool // collects only entries that may be signed
}

func (tx *tellingTx) tell(entries []trail.Entry) {
	if !tx.brief || mayBeSigned(entries) {
		tx.told = append(tx.told, entries)
	}
}

func (tx *tellingTx) AppendAudit(entries ...trail.Entry) error {
	tx.tell(entries)
	return tx.Tx.AppendAudit(entries...)
}

func (tx *tellingTx) ChangeCards(changes []card.Change) error {
	for i := range changes {
		tx.tell(changes[i].Audit)
	}
	return tx.Tx.ChangeCards(changes)
}

// sign checks the signatures of a change before it is committed, marks their tickets as used, and adds the signatures to the trail.
func (s signing) sign(ctx context.Context, tx SigningTx, told [][]trail.Entry) error {
	operations, err := signedAs(told, tx.PathHasSerials, func(userID string) (string, error) {
		user, err := tx.User(userID)
		return user.Login, err
	})
	if err != nil || len(operations) == 0 {
		return err
	}
	policy, err := policyFor(tx, told)
	if err != nil {
		return err
	}
	confirmed, err := confirmedIn(told)
	if err != nil {
		return err
	}
	request, of := signedRequestOf(ctx), signableOf(ctx)
	by := firstOf(told).UserID
	if operations[0].SecondOnly() && CallerOf(ctx).Known() { // even when acting on behalf of another person
		by = CallerOf(ctx).Login
	}
	change := signedChange{
		operation: operations[0], demand: policy.most(operations), address: request.Address, by: by,
		at: ident.TimestampOf(s.clock()), of: of, confirmed: confirmed,
	}
	if request.show {
		return change.wanting(errUnsigned)
	}
	signers, err := s.signers(ctx, tx, request)
	if len(signers) > 0 {
		change.body = request.body(of)
	}
	if err == nil {
		err = change.judge(signers)
	}
	if err == nil {
		err = refuseChangedMeanwhile(tx, told, signers)
	}
	if err != nil || len(signers) == 0 {
		return change.wanting(err)
	}
	if request.name == "" {
		request.name = "req_" + s.ids.Next()
	}
	for _, signer := range signers {
		if signer.again {
			continue
		}
		if err := tx.UseSignatureTicket(signer.ticket.Hash, request.name, change.at); err != nil {
			return change.wanting(orTicket(err))
		}
	}
	request.redeemed = true
	if len(signers) == 2 && signers[1].ticket.Login == change.by { // the user who makes the change signs first
		slices.Reverse(signers)
	}
	entries, err := s.entries(told, signers, request.Shown)
	if err != nil {
		return err
	}
	return tx.AppendAudit(entries...)
}

// SigningTx lists the database operations for the signatures of a change.
type SigningTx interface {
	SignatureStore
	PathHasSerials(pathID string) (bool, error)
	Path(id string) (card.Path, error)
	Hold(id string) (card.Hold, error)
	User(id string) (User, error)
	AppendAudit(entries ...trail.Entry) error
}

// Sign checks the signatures of a change before its commit, marks their tickets as used, and adds the signatures to the trail. The last
// parameter has the change's audit entries. It is for changes that are not made by a Service.
func (s Signing) Sign(ctx context.Context, tx SigningTx, clock ident.Clock, ids ident.Identifiers, told []trail.Entry) error {
	return signing{Signing: s, clock: clock, ids: ids}.sign(ctx, tx, [][]trail.Entry{told})
}

// refuseChangedMeanwhile refuses signatures if the path or hold has changed after the signer saw it. A rework refers to its target by the
// index of a step, which may now be a different step. A force-completion skips all open steps of the path. A release of all holds includes
// holds that were placed after the signature.
func refuseChangedMeanwhile(tx SigningTx, told [][]trail.Entry, signers []signer) error {
	if len(signers) == 0 {
		return nil
	}
	since := signers[0].ticket.SignedAt
	for _, signer := range signers {
		since = min(since, signer.ticket.SignedAt)
	}
	paths := make(map[string]bool)
	for _, entries := range told {
		for i := range entries {
			var changed ident.Timestamp
			var err error
			switch entry := &entries[i]; entry.Action { //nolint:exhaustive // other changes identify all that they change
			case card.ActionSerialReworked, card.ActionSerialForceCompleted:
				if !paths[entry.PathID] {
					paths[entry.PathID] = true
					changed, err = routeChanged(tx, entry.PathID)
				}
			case card.ActionSerialReleased:
				changed, err = holdPlaced(tx, entry)
			}
			if err != nil {
				return err
			}
			if changed > since {
				return errTicket
			}
		}
	}
	return nil
}

func routeChanged(tx SigningTx, pathID string) (ident.Timestamp, error) {
	path, err := tx.Path(pathID)
	return path.UpdatedAt, err
}

// holdPlaced returns when the hold was placed that an entry releases.
func holdPlaced(tx SigningTx, entry *trail.Entry) (ident.Timestamp, error) {
	var told card.HeldMetadata
	if err := json.Unmarshal(entry.Metadata, &told); err != nil {
		return 0, err
	}
	hold, err := tx.Hold(told.HoldID)
	return hold.PlacedAt, err
}

// policyFor returns the policy that applies to a change. A change of the policy itself needs the signatures of the policy before the
// change.
func policyFor(tx SigningTx, told [][]trail.Entry) (SignaturePolicy, error) {
	policy, err := tx.SignaturePolicy()
	for _, entries := range told {
		for i := range entries {
			if err == nil && entries[i].Action == ActionSignaturePolicyChanged {
				policy, err = PolicyBefore(policy, &entries[i])
			}
		}
	}
	return policy, err
}

func firstOf(told [][]trail.Entry) trail.Entry {
	for _, entries := range told {
		if len(entries) > 0 {
			return entries[0]
		}
	}
	return trail.Entry{}
}

func orTicket(err error) error {
	if errors.Is(err, ErrNoRecord) {
		return errTicket
	}
	return err
}

// signers looks up the signers of a request. If a request was interrupted between two of its transactions and is repeated under its key,
// the repeat continues with the tickets that the request used before.
func (s signing) signers(ctx context.Context, tx SigningTx, request *signedRequest) ([]signer, error) {
	hashes, goesOn := request.Tickets, request.redeemed
	if run := onceRunOf(ctx); run != nil {
		request.name = run.once.Name()
		if run.replayed > 0 {
			used, err := tx.SignatureTicketsFor(request.name)
			if err != nil {
				return nil, err
			}
			if len(used) > 0 {
				goesOn, hashes = true, nil
				for _, ticket := range used {
					hashes = append(hashes, ticket.Hash)
				}
			}
		}
	}
	if len(hashes) > 2 {
		return nil, errTicket
	}
	var signers []signer
	for _, hash := range slices.Sorted(slices.Values(hashes)) { // one lock order, to avoid deadlocks
		ticket, err := tx.SignatureTicket(hash)
		if err != nil {
			return nil, orTicket(err)
		}
		signers = append(signers, signer{
			ticket: ticket, again: goesOn && ticket.UsedAt != 0 && ticket.UsedFor == request.name,
		})
	}
	slices.SortFunc(signers, func(a, b signer) int { return cmp.Compare(a.ticket.UserID, b.ticket.UserID) })
	for i := range signers {
		user, err := tx.User(signers[i].ticket.UserID)
		if err != nil {
			return nil, orTicket(err)
		}
		signers[i].active, signers[i].permissions = user.Active, s.Permissions(user.Roles)
	}
	return signers, nil
}

// signedPart collects the entries of a change that concern one serial, or no serial.
type signedPart struct {
	first  trail.Entry
	count  int
	digest hash.Hash
}

// entries returns the audit entries of the signatures. Each signer signs once for each serial of the change, and once for the entries
// without a serial.
func (s signing) entries(told [][]trail.Entry, signers []signer, shown ShownMeanings) ([]trail.Entry, error) {
	parts, order := map[string]*signedPart{}, []*signedPart(nil)
	for _, entries := range told {
		for _, entry := range entries {
			part, ok := parts[entry.SerialID]
			if !ok {
				part = &signedPart{first: entry, digest: sha256.New()}
				parts[entry.SerialID] = part
				order = append(order, part)
			}
			part.count++
			if err := s.digest(part.digest, entry); err != nil {
				return nil, err
			}
		}
	}
	signed := make([]trail.Entry, 0, len(order)*len(signers))
	for _, part := range order {
		sum := hex.EncodeToString(part.digest.Sum(nil))
		for _, signer := range signers {
			ticket := &signer.ticket
			signed = append(signed, trail.Entry{
				Action: ActionRecordSigned, UserID: ticket.Login, Timestamp: part.first.Timestamp, Means: ticket.Means,
				SerialID: part.first.SerialID, JobID: part.first.JobID, PathID: part.first.PathID,
				Metadata: trail.Metadata(signedAsShown{signedMetadata{
					Operation: ticket.Operation, Meaning: ticket.Meaning, Login: ticket.Login, PrintedName: ticket.PrintedName,
					Method: ticket.Method, SignedAt: ticket.SignedAt, Entries: part.count, SHA256: sum,
				}, shown.Language, shown.Words[ticket.Meaning]}),
			})
		}
	}
	return signed, nil
}

// digest adds an entry to the signed hash: its canonical form without its identifier, which is only assigned at commit, and a line feed.
func (s Signing) digest(to hash.Hash, entry trail.Entry) error {
	text, err := json.Marshal(struct {
		trail.Entry
		ID string `json:"id,omitempty"`
	}{Entry: entry})
	if err != nil {
		return err
	}
	canonical, err := s.Canonical(text)
	if err != nil {
		return err
	}
	_, _ = to.Write(canonical) // never fails
	_, _ = to.Write([]byte{'\n'})
	return nil
}

// Check returns the first signature in the trail of one serial that does not match the entries before it; "" if all match.
func (s Signing) Check(trail []trail.Entry) (id string, err error) {
	for i := range trail {
		if trail[i].Action != ActionRecordSigned {
			continue
		}
		var told signedMetadata
		if err := json.Unmarshal(trail[i].Metadata, &told); err != nil {
			return trail[i].ID, err
		}
		signed, digest := signedEntries(trail[:i], trail[i].SerialID, told.Entries), sha256.New()
		for _, entry := range signed {
			if err := s.digest(digest, entry); err != nil {
				return trail[i].ID, err
			}
		}
		if len(signed) != told.Entries || hex.EncodeToString(digest.Sum(nil)) != told.SHA256 {
			return trail[i].ID, ErrNotSigned
		}
	}
	return "", nil
}

// ErrNotSigned reports a signature in the trail that does not match the entries before it.
var ErrNotSigned = errors.New("it is not the signature of the entries before it")

// SignedContent is the content of an operation that is signed: its input in terms of the interface. Pages show it to the signer.
type SignedContent struct {
	Of   []string        `json:"of"`   // identifiers in the address of the HTTP request, in their order there
	Body json.RawMessage `json:"body"` // as BodyOf writes it
}

// same reports whether two operations have the same content.
func (c SignedContent) same(other SignedContent) bool {
	return slices.Equal(c.Of, other.Of) && bytes.Equal(c.Body, other.Body)
}

type signableKey struct{}

// signable is an operation that may require signatures.
type signable struct {
	in      any
	content func() (SignedContent, error)
}

// signable returns a context with the input of an operation. Each operation that can be signed calls it first: signatures from a page are
// valid only for that input.
func (s *Service) signable(ctx context.Context, in any, of ...string) context.Context {
	if s.signing == nil {
		return ctx
	}
	return Signable(ctx, in, of...)
}

// Signable is for operations of other packages that can be signed. It returns a context with the operation's input in terms of the
// interface. The input must not contain secrets.
func Signable(ctx context.Context, in any, of ...string) context.Context {
	return context.WithValue(ctx, signableKey{}, &signable{in, sync.OnceValues(func() (SignedContent, error) {
		body, err := BodyOf(in)
		return SignedContent{Of: append([]string{}, of...), Body: body}, err
	})})
}

// signableOf returns the operation of a context; nil if the operation has not declared its input.
func signableOf(ctx context.Context) *signable {
	operation, _ := ctx.Value(signableKey{}).(*signable)
	return operation
}

// filtered reports whether an operation selects its serials by a filter.
func (s *signable) filtered() bool {
	selecting, ok := s.in.(interface{ selection() SelectionInput })
	return ok && !selecting.selection().Where.Missing()
}

// BodyOf returns the request body for an input: an object with the fields in the tags of the struct, without absent fields. Equal inputs
// have equal bodies. It returns an error if a field has a type other than declared; every operation refuses such an input.
func BodyOf(in any) (json.RawMessage, error) {
	var object map[string]any
	var err error
	if policy, ok := in.(policyInput); ok {
		object, err = policy.body()
	} else {
		object, err = input.BodyOf(reflect.ValueOf(in))
	}
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(object) // sorts the members by name
	return bytes.TrimSuffix(text.Bytes(), []byte{'\n'}), err
}

//nolint:gochecknoglobals // a value that is compared, and never changes
