package access

import (
	"context"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// means returns the way in which the identity was proved, in the form of audit entries.
func (i *Identity) means() string {
	switch {
	case i.TokenID != "":
		return "token:" + i.TokenID
	case i.AtStation():
		return "station:" + i.Session.StationID
	}
	return "session"
}

// meant is a store that adds the means of the caller to audit entries. Entries without a user, and those of a user who is just signing in,
// are made without an identity. Package shop adds the means to the entries of its own operations.
type meant struct{ Store }

func (m meant) UpdateAccess(ctx context.Context, change func(Tx) error, options ...shop.UpdateOption) error {
	caller := shop.CallerOf(ctx)
	if !caller.Known() {
		return m.Store.UpdateAccess(ctx, change, options...)
	}
	return m.Store.UpdateAccess(ctx, func(tx Tx) error { return change(meantTx{tx, caller}) }, options...)
}

type meantTx struct {
	Tx
	caller shop.Caller
}

func (tx meantTx) AppendAudit(entries ...trail.Entry) error {
	for i := range entries {
		if entries[i].UserID == tx.caller.Login {
			entries[i].Means = tx.caller.Means
		}
	}
	return tx.Tx.AppendAudit(entries...)
}
