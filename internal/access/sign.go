package access

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// SignatureHeader is the header with the tickets of a request, separated by commas.
const SignatureHeader = "Signature-Ticket"

// ticketsKept is the time for which used tickets are stored, so that the repeat of an interrupted request can continue with its tickets.
const ticketsKept = 7 * 24 * time.Hour

// Ticket is the response of Sign.
type Ticket struct {
	Ticket    string          `json:"ticket"` // shown once
	ExpiresAt ident.Timestamp `json:"expiresAt"`
}

// SignInput is the body of Sign: the operation and body to sign, and the password or the PIN of the signer.
type SignInput struct {
	shop.SignInput
	Password input.TextInput   `field:"password"`
	PIN      input.TextInput   `field:"pin"`
	Passkey  input.ObjectInput `field:"passkey"` // the assertion for SigningOptions
}

func (in SignInput) check() (ticket shop.SignatureTicket, secret string, kind SecretKind, err error) {
	if ticket, err = in.Ticket(); err != nil {
		return ticket, "", "", err
	}
	if in.Passkey.Supplied() {
		return ticket, "", PasskeyFactor, nil
	}
	if secret, err = input.OptionalText("pin", in.PIN); err != nil || secret != "" {
		return ticket, secret, PIN, err
	}
	secret, err = input.RequiredText("password", in.Password)
	return ticket, secret, Password, err
}

// Sign checks the caller's secret again, and returns a ticket for one request. A wrong secret counts as a wrong sign-in.
func (s *Service) Sign(ctx context.Context, from Visitor, in SignInput) (Ticket, error) {
	identity := IdentityOf(ctx)
	if identity == nil {
		return Ticket{}, authenticationRequired()
	}
	ticket, secret, kind, err := in.check()
	if err != nil {
		return Ticket{}, err
	}
	if needs := ticket.Operation.Permission(); !slices.Contains(identity.Permissions, needs) {
		return Ticket{}, s.lacks(needs, identity.Ended)
	}
	if kind == PasskeyFactor {
		passkey, err := requiredPasskey(in.Passkey)
		if err != nil {
			return Ticket{}, err
		}
		return s.signWithPasskey(ctx, from, identity.User.Login, passkey, ticket)
	}
	user, kept, err := s.person(ctx, identity.User.Login, func([]Secret) SecretKind { return kind })
	if err != nil {
		return Ticket{}, err
	}
	return s.sign(ctx, from, user, identity.User.Login, secret, kept, ticket)
}

// sign stores a ticket for a user whose secret is right.
func (s *Service) sign(ctx context.Context, from Visitor, user shop.User, typed, secret string, kept Secret,
	ticket shop.SignatureTicket,
) (Ticket, error) {
	shown := newSecret()
	var refused error // of a user whose secret was right
	var expiresAt ident.Timestamp
	err := s.prove(ctx, from, user, typed, secret, kept, func(tx Tx) error {
		refused = nil
		needs := ticket.Operation.Permission()
		allowed, ended, err := s.allowedIn(tx, user)
		if err != nil {
			return err
		}
		secrets, err := tx.SecretsOfUser(user.ID)
		if err != nil {
			return err
		}
		switch replace := toReplace(secrets); {
		case replace != "": // another user set it
			refused = mustReplace(replace)
			return nil
		case !slices.Contains(allowed, needs):
			refused = s.lacks(needs, ended)
			return nil
		}
		if setters, err := settersOf(tx, user.ID); err != nil {
			return err
		} else if len(setters) > 0 { // one of them may be the signer
			refused = refusal.Refuse(Unconfirmed)
			return nil
		}
		expiresAt, err = s.keepTicket(ctx, tx, ticket, shown, user, kept.Kind)
		return err
	})
	s.unproved(ctx, from, user, kept.Kind, err)
	if err := cmp.Or(err, refused); err != nil {
		return Ticket{}, err
	}
	return Ticket{shown, expiresAt}, nil
}

// keepTicket stores a ticket for a user who has just proved their identity, and returns the time until which the ticket is valid.
func (s *Service) keepTicket(ctx context.Context, tx Tx, ticket shop.SignatureTicket, shown string, user shop.User,
	method SecretKind,
) (expiresAt ident.Timestamp, err error) {
	if err := tx.DeleteSignatureTicketsBefore(s.since(ticketsKept)); err != nil {
		return 0, err
	}
	ticket.BodySHA256 = s.peppered(ticket.BodySHA256)
	ticket.Hash, ticket.UserID, ticket.Login, ticket.PrintedName = digest(shown), user.ID, user.Login, user.Name
	ticket.Method, ticket.SignedAt, ticket.Means = string(method), s.now(), shop.CallerOf(ctx).Means
	ticket.ExpiresAt = ident.TimestampOf(ticket.SignedAt.Time().Add(shop.TicketLife))
	return ticket.ExpiresAt, tx.InsertSignatureTicket(ticket)
}

// person finds the user with a login, and the secret of that user that the function which chooses. An unknown login gives zero values.
func (s *Service) person(ctx context.Context, login string, which func([]Secret) SecretKind,
) (user shop.User, kept Secret, err error) {
	err = s.store.ViewAccess(ctx, func(tx Reader) (err error) {
		user, kept = shop.User{}, Secret{}
		if user, err = tx.UserByLogin(login); err != nil {
			return err
		}
		secrets, err := tx.SecretsOfUser(user.ID)
		if err != nil {
			return err
		}
		kind := which(secrets)
		if i := slices.IndexFunc(secrets, func(secret Secret) bool { return secret.Kind == kind }); i >= 0 {
			kept = secrets[i]
		}
		return nil
	})
	if errors.Is(err, shop.ErrNoRecord) {
		err = nil
	}
	return user, kept, err
}

// PageSignature is the signature that was typed into a form. Login is "" if the visitor signs.
type PageSignature struct {
	Login   string
	Secret  string          // a password or a PIN
	Passkey json.RawMessage // the assertion for SigningOptions, nil for none
	Meaning input.TextInput
}

// SignForm signs a form for its visitor or for a second person at the same screen, and returns a ticket. contents are the contents that the
// form showed. The secret is taken as a PIN if it has only digits and the user has a PIN, or if the user has no password.
func (s *Service) SignForm(ctx context.Context, from Visitor, operation shop.SignedOperation, target string,
	contents []shop.SignedContent, in PageSignature,
) (Ticket, error) {
	identity := IdentityOf(ctx)
	if identity == nil {
		return Ticket{}, authenticationRequired()
	}
	login := strings.ToLower(strings.TrimSpace(in.Login))
	if login == "" {
		login = identity.User.Login
	}
	ticket, err := shop.SignInput{
		Meaning: in.Meaning, Operation: input.Given(string(operation)), Target: input.Given(target),
		BodySHA256: input.Given(ContentsSHA256(contents)),
	}.Ticket()
	if err != nil {
		return Ticket{}, err
	}
	if in.Passkey != nil {
		return s.signWithPasskey(ctx, from, login, in.Passkey, ticket)
	}
	if in.Secret == "" {
		return Ticket{}, refusal.Refuse(reasonUnproved)
	}
	user, kept, err := s.person(ctx, login, func(secrets []Secret) SecretKind { return signsWith(secrets, in.Secret) })
	if err != nil {
		return Ticket{}, err
	}
	return s.sign(ctx, from, user, login, in.Secret, kept, ticket)
}

// signsWith returns which kind of secret was typed.
func signsWith(secrets []Secret, typed string) SecretKind {
	has := func(kind SecretKind) bool {
		return slices.ContainsFunc(secrets, func(secret Secret) bool { return secret.Kind == kind })
	}
	if has(PIN) && (!has(Password) || strings.Trim(typed, "0123456789") == "") {
		return PIN
	}
	return Password
}

// Signed returns a request of the interface with the tickets of its header. The tickets must be for this address and this body. Both must
// contain internal identifiers, because external identifiers can move to other records after signing.
func (s *Service) Signed(r *http.Request, address string, body func() []byte) *http.Request {
	var hashes []string
	for _, line := range r.Header.Values(SignatureHeader) {
		for shown := range strings.SplitSeq(line, ",") {
			hashes = append(hashes, digest(strings.TrimSpace(shown)))
		}
	}
	return r.WithContext(shop.WithSignatureTickets(r.Context(), shop.SignedRequest{
		Address: address, Tickets: hashes, BodySHA256: sync.OnceValue(func() string { return s.peppered(BodySHA256(body())) }),
	}))
}

// BodySHA256 returns the SHA-256 of a body in the form of RFC 8785, in lower-case hexadecimal; "" for a body that has no such form, for
// example because two members have the same name. A missing body counts as an empty object.
func BodySHA256(body []byte) string {
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte("{}")
	}
	canonical, err := ledger.Canonical(body)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}

// peppered returns the stored form of the hash of a signed body: a body signed by a second administrator may have a new secret in it, which
// could be guessed from its hash alone. It is "" for "".
func (s *Service) peppered(hash string) string {
	if hash == "" {
		return ""
	}
	mac := hmac.New(sha256.New, s.options.Pepper)
	_, _ = mac.Write([]byte("signed body:" + hash)) // never fails
	return hex.EncodeToString(mac.Sum(nil))
}

// ContentsSHA256 is like BodySHA256 for the contents of a form.
func ContentsSHA256(contents []shop.SignedContent) string {
	text, err := json.Marshal(contents)
	if err != nil { // never: shop.BodyOf makes valid JSON
		return ""
	}
	return BodySHA256(text)
}

// SignedBy returns a context whose operations are signed with tickets that forms made for these contents. shown are the meanings that the
// form showed.
func (s *Service) SignedBy(
	ctx context.Context, target string, contents []shop.SignedContent, shown shop.ShownMeanings, tickets ...Ticket,
) context.Context {
	hashes := make([]string, len(tickets))
	for i, ticket := range tickets {
		hashes[i] = digest(ticket.Ticket)
	}
	return shop.WithSignatureTickets(ctx, shop.SignedRequest{
		Address: target, Tickets: hashes, Contents: contents, Shown: shown,
		BodySHA256: sync.OnceValue(func() string { return s.peppered(ContentsSHA256(contents)) }),
	})
}
