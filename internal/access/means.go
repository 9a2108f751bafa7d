package access

import (
	"context"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// means is what somebody proved to be themselves with, as entries of the audit trail have it.
func (i *Identity) means() string {
	switch {
	case i.TokenID != "":
		return "token:" + i.TokenID
	case i.AtStation():
		return "station:" + i.Session.StationID
	}
	return "session"
}

// meant is a store that writes into the audit entries of a caller what the caller came in with. Entries in nobody's name, or
// in that of somebody who is only about to come in, are made without an identity. Those of the shop's own operations have it
// from package shop.
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
