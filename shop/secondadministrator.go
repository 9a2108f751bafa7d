package shop

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

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

// accountMetadata has the account in the metadata of entries about accounts, and the changes in that of entries about users.
type accountMetadata struct {
	AccountID string `json:"accountId"`
	UserID    string `json:"userId"`
	After     struct {
		Name   *string `json:"name"`
		Active *bool   `json:"active"`
	} `json:"after"`
}

// ConcernsAccounts reports whether an entry records a change that SignAccounts covers. loginOf returns the login of a user, "" for a user
// without one.
//
// SignAccounts does not cover changes without a signed-in caller (a first sign-in, updates from an identity provider), changes of a
// user's own secrets and tokens, and changes of users without a login.
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
	switch SigningOf(entry.Action) { //nolint:exhaustive // all others can be signed
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

// EndSecondAdministrator stops demanding a second administrator, on behalf of by. After a first sign-in there is only one administrator.
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
