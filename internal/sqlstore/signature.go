package sqlstore

import (
	"maps"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// SignaturePolicy locks the name of the policy, because the policy may have no rows to lock.
func (t *transaction) SignaturePolicy() (shop.SignaturePolicy, error) {
	if err := t.lockName("signature policy"); err != nil {
		return nil, err
	}
	type demanded struct {
		operation shop.SignedOperation
		demand    shop.SignatureDemand
	}
	rows, err := all(t, func(r rows) (d demanded, err error) {
		err = r.Scan(&d.operation, &d.demand)
		return d, err
	}, `SELECT operation, demand FROM signature_policy`)
	policy := make(shop.SignaturePolicy, len(rows))
	for _, row := range rows {
		policy[row.operation] = row.demand
	}
	return policy, err
}

func (t *transaction) UserSigns(id string) (bool, error) {
	return one(t, scalar[bool], `SELECT NOT EXISTS (SELECT 1 FROM user_secret WHERE user_id = $1 AND (must_change OR set_by <> ''))
		AND NOT EXISTS (SELECT 1 FROM user_identity WHERE user_id = $1 AND set_by <> '')
		AND (EXISTS (SELECT 1 FROM user_secret WHERE user_id = $1 AND kind IN ('password', 'pin'))
			OR EXISTS (SELECT 1 FROM passkey WHERE user_id = $1))`, id)
}

func (t *transaction) PutSignaturePolicy(changed shop.SignaturePolicy) error {
	for _, operation := range slices.Sorted(maps.Keys(changed)) {
		if err := run(t, `INSERT INTO signature_policy (operation, demand) VALUES ($1, $2)
			ON CONFLICT (operation) DO UPDATE SET demand = excluded.demand`, string(operation), string(changed[operation])); err != nil {
			return err
		}
	}
	return nil
}

const signatureColumns = `hash, user_id, login, printed_name, meaning, method, means, operation, target, body_sha256, signed_at,
	expires_at, used_at, used_for`

func scanSignatureTicket(r rows) (t shop.SignatureTicket, err error) {
	err = r.Scan(&t.Hash, &t.UserID, &t.Login, &t.PrintedName, &t.Meaning, &t.Method, &t.Means, &t.Operation, &t.Target,
		&t.BodySHA256, &t.SignedAt, &t.ExpiresAt, &t.UsedAt, &t.UsedFor)
	return t, err
}

func (t *transaction) SignatureTicket(hash string) (shop.SignatureTicket, error) {
	return one(t, scanSignatureTicket, `SELECT `+signatureColumns+` FROM signature_ticket WHERE hash = $1`+t.lock, hash)
}

func (t *transaction) SignatureTicketsFor(request string) ([]shop.SignatureTicket, error) {
	return all(t, scanSignatureTicket, `SELECT `+signatureColumns+` FROM signature_ticket WHERE used_for = $1 AND used_for <> ''
		ORDER BY hash`, request)
}

func (t *transaction) UseSignatureTicket(hash, usedFor string, at ident.Timestamp) error {
	return expectOne(t, `UPDATE signature_ticket SET used_at = $2, used_for = $3 WHERE hash = $1 AND used_at = 0`,
		hash, int64(at), usedFor)
}

func (t *transaction) InsertSignatureTicket(k shop.SignatureTicket) error {
	return run(t, `INSERT INTO signature_ticket (`+signatureColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		k.Hash, k.UserID, k.Login, k.PrintedName, string(k.Meaning), k.Method, k.Means, string(k.Operation), k.Target, k.BodySHA256,
		int64(k.SignedAt), int64(k.ExpiresAt), int64(k.UsedAt), k.UsedFor)
}

func (t *transaction) DeleteSignatureTicketsBefore(signed ident.Timestamp) error {
	return run(t, `DELETE FROM signature_ticket WHERE signed_at < $1`, int64(signed))
}
