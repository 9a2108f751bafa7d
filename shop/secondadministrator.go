package shop

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// One administrator alone can make an account, set its secret, and give it any role. Where the policy says so, a second one
// has to sign whatever would let somebody act under another name, or as more than they were. What only takes away is not
// signed, so that one administrator can shut somebody out at once: to make a user inactive, to revoke a token, to end a session.

// SignAccounts is every change of who may do what. Nobody signs it for themselves, since the operations ask for a secret that
// was given just now: the one signature that it needs is that of another administrator.
const SignAccounts SignedOperation = "accounts"

// SecondOnly reports whether nobody but a second person has to sign an operation.
func (o SignedOperation) SecondOnly() bool { return o == SignAccounts }

// Demands are what a policy can demand for an operation, the least first.
func (o SignedOperation) Demands() []SignatureDemand {
	if o.SecondOnly() {
		return []SignatureDemand{SignedByNobody, SignedBySecond}
	}
	return SignatureDemands()
}

// providerActor is the actor of an entry that a provider of OpenID Connect had made.
const providerActor = "oidc"

// accountMetadata is what entries about accounts tell of whose account it is, and those about users of what became of them.
type accountMetadata struct {
	AccountID string `json:"accountId"`
	UserID    string `json:"userId"`
	After     struct {
		Name   *string `json:"name"`
		Active *bool   `json:"active"`
	} `json:"after"`
}

// ConcernsAccounts reports whether an entry tells of a change that SignAccounts is about. loginOf returns the login of a user, ""
// for a user without one.
//
// What nobody has made who proved to be somebody is no such change: a first sign-in, and what a provider tells of its people.
// Neither is what people do about their own secrets and tokens, nor what becomes of users without a login.
func ConcernsAccounts(entry *trail.Entry, loginOf func(userID string) (string, error)) (bool, error) {
	if SigningOf(entry.Action) != SignAccounts || entry.Means == "" {
		return false, nil
	}
	var told accountMetadata
	if entry.Action != ActionSignaturePolicyChanged && entry.Action != ActionAccessPolicyChanged {
		if err := json.Unmarshal(entry.Metadata, &told); err != nil {
			return false, err
		}
	}
	switch entry.Action { //nolint:exhaustive // of the others every one
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

// mayHaveToBeSigned reports whether an entry tells of something that can be signed and, when that is about accounts, concerns them.
func mayHaveToBeSigned(entry *trail.Entry, loginOf func(userID string) (string, error)) (bool, error) {
	switch SigningOf(entry.Action) { //nolint:exhaustive // of the others every one
	case "":
		return false, nil
	case SignAccounts:
		return ConcernsAccounts(entry, loginOf)
	}
	return true, nil
}

// PolicyBefore is the policy that was in force before a change of it, of which an entry tells.
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

// judgeSecond refuses a change that one person alone has to sign: a second one.
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

// confirmedIn are the users whose accounts entries tell were confirmed. None of them is the second person of that.
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

// needsTwo refuses to demand a second administrator where there are not two who can sign: nobody could take it back.
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

// EndSecondAdministrator lets one administrator change accounts again, by somebody: after a first sign-in there is no second one.
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
