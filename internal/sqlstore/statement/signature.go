package statement

import (
	"maps"
	"slices"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

type signatures struct{ *db.Core }

// SignaturePolicy locks the name of the policy, because the policy may have no rows to lock.
func (t signatures) SignaturePolicy() (shop.SignaturePolicy, error) {
	if err := t.LockAbsent("signature policy"); err != nil {
		return nil, err
	}
	type demanded struct {
		operation shop.SignedOperation
		demand    shop.SignatureDemand
	}
	rows, err := db.All(t, func(r db.Rows) (d demanded, err error) {
		err = r.Scan(&d.operation, &d.demand)
		return d, err
	}, `SELECT operation, demand FROM signature_policy`)
	policy := make(shop.SignaturePolicy, len(rows))
	for _, row := range rows {
		policy[row.operation] = row.demand
	}
	return policy, err
}

func (t signatures) UserSigns(id string) (bool, error) {
	return db.One(t, db.Scalar[bool], `SELECT NOT EXISTS (SELECT 1 FROM user_secret WHERE user_id = $1 AND (must_change OR set_by <> ''))
		AND NOT EXISTS (SELECT 1 FROM user_identity WHERE user_id = $1 AND set_by <> '')
		AND (EXISTS (SELECT 1 FROM user_secret WHERE user_id = $1 AND kind IN ('password', 'pin'))
			OR EXISTS (SELECT 1 FROM passkey WHERE user_id = $1))`, id)
}

func (t signatures) PutSignaturePolicy(changed shop.SignaturePolicy) error {
	for _, operation := range slices.Sorted(maps.Keys(changed)) {
		if err := db.Run(t, `INSERT INTO signature_policy (operation, demand) VALUES ($1, $2)
			ON CONFLICT (operation) DO UPDATE SET demand = excluded.demand`, string(operation), string(changed[operation])); err != nil {
			return err
		}
	}
	return nil
}

const signatureColumns = `hash, user_id, login, printed_name, meaning, method, means, operation, target, body_sha256, signed_at,
	expires_at, used_at, used_for`

func scanSignatureTicket(r db.Rows) (t shop.SignatureTicket, err error) {
	err = r.Scan(&t.Hash, &t.UserID, &t.Login, &t.PrintedName, &t.Meaning, &t.Method, &t.Means, &t.Operation, &t.Target,
		&t.BodySHA256, &t.SignedAt, &t.ExpiresAt, &t.UsedAt, &t.UsedFor)
	return t, err
}

func (t signatures) SignatureTicket(hash string) (shop.SignatureTicket, error) {
	return db.One(t, scanSignatureTicket, `SELECT `+signatureColumns+` FROM signature_ticket WHERE hash = $1`+t.Lock, hash)
}

func (t signatures) SignatureTicketsFor(request string) ([]shop.SignatureTicket, error) {
	return db.All(t, scanSignatureTicket, `SELECT `+signatureColumns+` FROM signature_ticket WHERE used_for = $1 AND used_for <> ''
		ORDER BY hash`, request)
}

func (t signatures) UseSignatureTicket(hash, usedFor string, at ident.Timestamp) error {
	return db.ExpectOne(t, `UPDATE signature_ticket SET used_at = $2, used_for = $3 WHERE hash = $1 AND used_at = 0`,
		hash, int64(at), usedFor)
}

func (t signatures) InsertSignatureTicket(k shop.SignatureTicket) error {
	return db.Run(t, `INSERT INTO signature_ticket (`+signatureColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		k.Hash, k.UserID, k.Login, k.PrintedName, string(k.Meaning), k.Method, k.Means, string(k.Operation), k.Target, k.BodySHA256,
		int64(k.SignedAt), int64(k.ExpiresAt), int64(k.UsedAt), k.UsedFor)
}

func (t signatures) DeleteSignatureTicketsBefore(signed ident.Timestamp) error {
	return db.Run(t, `DELETE FROM signature_ticket WHERE signed_at < $1`, int64(signed))
}
