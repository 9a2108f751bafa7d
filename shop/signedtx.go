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

// Where signatures are demanded, it is here: in the transaction of a change, whatever operation made it. A change is
// known by the entries that it adds to the trail, so that no operation can go by.

// Signing is what signatures need to know of the world.
type Signing struct {
	// Permissions are what roles allow.
	Permissions func(roles []string) []Permission
	// Canonical is the form of an audit entry, in JSON, in which it is signed.
	Canonical func(entry []byte) ([]byte, error)
	// Committed is told of the entries about people and policies that a change by a Service wrote to the trail, once it is
	// committed. Nil for nobody.
	Committed func(ctx context.Context, entry trail.Entry)
}

// WithSignatures makes changes need the signatures that the policy demands. It is for services whose callers prove who
// they are.
func WithSignatures(signing Signing) Option {
	return func(s *Service) { s.signing = &signing }
}

// The tickets stay in the context: they come with the request, whichever operations it leads to, and several transactions
// of one request use them up together.
type signedRequestKey struct{}

// SignedRequest is a request with the tickets of those who have signed it.
type SignedRequest struct {
	Address string   // with identifiers in the place of external ones
	Tickets []string // hashes
	// BodySHA256 returns the SHA-256 of the canonical form of what was signed, in hexadecimal, with identifiers in the place of
	// external ones; "" when that has none, and no ticket is for it. It is called when there are tickets, as often as there are
	// transactions.
	BodySHA256 func() string
	// Contents is what the signers were shown, where that is not the body of the request: the tickets are for operations that
	// are asked for this. Nil for a request of the interface.
	Contents []SignedContent
}

// signedRequest is a request that may be signed.
type signedRequest struct {
	SignedRequest

	show     bool   // what is to be signed, whatever tickets there are
	name     string // "" until the tickets are used
	redeemed bool
}

// WithSignatureTickets returns a context whose operations are signed with the tickets of a request.
func WithSignatureTickets(ctx context.Context, request SignedRequest) context.Context {
	return context.WithValue(ctx, signedRequestKey{}, &signedRequest{SignedRequest: request})
}

// ToSign returns a context in which every operation that can be signed, and would change something, is refused with a
// *SignatureError, also when nobody demands a signature: so a face learns what the signers have to be shown.
func ToSign(ctx context.Context) context.Context {
	return context.WithValue(ctx, signedRequestKey{}, &signedRequest{show: true})
}

// body is the hash that tickets for an operation of the request have to be for, "" when none can be.
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

// asksFor reports whether an operation does what its request asks for. An operation of the interface changes the records that the
// address names: an external identifier may have moved to another record since it was looked up there.
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

// signing is a store that takes no change without the signatures that it needs, and adds them to the trail.
type signing struct {
	Store
	Signing
	clock ident.Clock
	ids   ident.Identifiers
}

// errToSign ends a group's attempt at a change that may have to be signed: it needs a transaction of its own.
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

// ErrTried ends a transaction of which nothing is to remain, though all could. It is checked whether the change would have to be signed.
var ErrTried = errors.New("the change was only tried")

// WithoutSignatures returns a context for a change of many records of which none can be signed: its entries are not kept until it is
// committed.
func WithoutSignatures(ctx context.Context) context.Context {
	return context.WithValue(ctx, unsignedKey{}, true)
}

type unsignedKey struct{}

// tellingTx remembers what a change tells.
type tellingTx struct {
	Tx
	told  [][]trail.Entry
	brief bool // whether it remembers nothing but what may be signed
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

// sign judges the signatures of a change that is about to be committed, uses their tickets up, and tells of them.
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
	if operations[0].SecondOnly() && CallerOf(ctx).Known() { // also when they act for another person
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
	if len(signers) == 2 && signers[1].ticket.Login == change.by { // whoever does it signs first
		slices.Reverse(signers)
	}
	entries, err := s.entries(told, signers)
	if err != nil {
		return err
	}
	return tx.AppendAudit(entries...)
}

// SigningTx is what the signatures of a change need of its transaction.
type SigningTx interface {
	SignatureStore
	PathHasSerials(pathID string) (bool, error)
	Path(id string) (card.Path, error)
	Hold(id string) (card.Hold, error)
	User(id string) (User, error)
	AppendAudit(entries ...trail.Entry) error
}

// Sign judges the signatures of a change that is about to be committed and that wrote entries to the trail, uses their tickets
// up, and tells of them. It is for changes that are not made by a Service.
func (s Signing) Sign(ctx context.Context, tx SigningTx, clock ident.Clock, ids ident.Identifiers, told []trail.Entry) error {
	return signing{Signing: s, clock: clock, ids: ids}.sign(ctx, tx, [][]trail.Entry{told})
}

// refuseChangedMeanwhile refuses signatures that would cover a later change of the record. A rework names its target by the index of the
// step, which may be that of another step by then. A force-completion leaves out all open steps of the route, and a release of all holds
// releases those that were placed after the signature, too.
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
			switch entry := &entries[i]; entry.Action { //nolint:exhaustive // other changes name all that they change
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

// holdPlaced returns when the hold was placed of whose release an entry tells.
func holdPlaced(tx SigningTx, entry *trail.Entry) (ident.Timestamp, error) {
	var told card.HeldMetadata
	if err := json.Unmarshal(entry.Metadata, &told); err != nil {
		return 0, err
	}
	hold, err := tx.Hold(told.HoldID)
	return hold.PlacedAt, err
}

// policyFor is the policy that a change has to keep to: one that changes the policy, the policy before it.
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

// signers look up who has signed a request. One that is repeated under its key, because it was interrupted between two
// of its transactions, goes on with the tickets that it used.
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
	for _, hash := range slices.Sorted(slices.Values(hashes)) { // one order for everybody, so that nobody waits in a circle
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

// signedPart are the entries of a change about one serial, or about none.
type signedPart struct {
	first  trail.Entry
	count  int
	digest hash.Hash
}

// entries tell of signatures: for each serial that a change is about, and for what is about none, one of each person.
func (s signing) entries(told [][]trail.Entry, signers []signer) ([]trail.Entry, error) {
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
				Metadata: trail.Metadata(signedMetadata{
					Operation: ticket.Operation, Meaning: ticket.Meaning, Login: ticket.Login, PrintedName: ticket.PrintedName,
					Method: ticket.Method, SignedAt: ticket.SignedAt, Entries: part.count, SHA256: sum,
				}),
			})
		}
	}
	return signed, nil
}

// digest adds an entry to what is signed: its canonical form without its identifier, which is made when it is committed,
// and a line feed.
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

// Check reports which signature in the trail of one serial is not that of the entries before it; "" for none.
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

// ErrNotSigned is a signature in the trail that is not one of the entries before it.
var ErrNotSigned = errors.New("it is not the signature of the entries before it")

// SignedContent is what is signed of an operation: what it is asked for, in the words of the interface. Whoever signs on a
// page is shown it.
type SignedContent struct {
	Of   []string        `json:"of"`   // the identifiers that the interface has in the address, in its order
	Body json.RawMessage `json:"body"` // as BodyOf writes it
}

// same reports whether two operations are asked for the same.
func (c SignedContent) same(other SignedContent) bool {
	return slices.Equal(c.Of, other.Of) && bytes.Equal(c.Body, other.Body)
}

type signableKey struct{}

// signable is an operation that may have to be signed.
type signable struct {
	in      any
	content func() (SignedContent, error)
}

// signable returns a context that knows what an operation is asked for. Every operation that can be signed begins with it: the
// signatures on a page are for that, and for nothing else.
func (s *Service) signable(ctx context.Context, in any, of ...string) context.Context {
	if s.signing == nil {
		return ctx
	}
	return Signable(ctx, in, of...)
}

// Signable is for operations of other packages that can be signed: it returns a context that knows what they are asked for, in
// the words of the interface. Secrets are to be left out of it.
func Signable(ctx context.Context, in any, of ...string) context.Context {
	return context.WithValue(ctx, signableKey{}, &signable{in, sync.OnceValues(func() (SignedContent, error) {
		body, err := BodyOf(in)
		return SignedContent{Of: append([]string{}, of...), Body: body}, err
	})})
}

// signableOf is the operation of a context, nil when it has not said what it is asked for.
func signableOf(ctx context.Context) *signable {
	operation, _ := ctx.Value(signableKey{}).(*signable)
	return operation
}

// filtered reports whether an operation is about whatever serials fit a filter.
func (s *signable) filtered() bool {
	selecting, ok := s.in.(interface{ selection() SelectionInput })
	return ok && !selecting.selection().Where.Missing()
}

// BodyOf writes the body that an input was read from, or that a face would have to read to get the same input: an object
// with the fields that the tags of the struct name, those that are absent left out. Equal inputs have equal bodies. It fails
// for an input with a field of another type than the struct says, which no operation accepts.
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
	err = encoder.Encode(object) // which has the members in the order of their names
	return bytes.TrimSuffix(text.Bytes(), []byte{'\n'}), err
}

//nolint:gochecknoglobals // a value that is compared, and never changes
