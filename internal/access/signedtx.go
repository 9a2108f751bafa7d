package access

import (
	"context"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
)

// signatures are the signature requirements of changes.
var signatures = shop.Signing{Permissions: PermissionsOf, Canonical: ledger.Leaf} //nolint:gochecknoglobals // two functions

// Signatures makes a shop.Service demand signatures. The roles of a user decide what the user may sign.
func Signatures() shop.Option { return shop.WithSignatures(signatures) }

// Signatures is like the function Signatures. In addition it writes changes of users by shop.Service to the security log.
func (s *Service) Signatures() shop.Option {
	told := signatures
	told.Committed = s.committed
	return shop.WithSignatures(told)
}

// signedStore refuses changes of accounts without the signatures that the policy demands, and adds the signatures to the trail. Package
// shop does the same for changes of the shop's records.
type signedStore struct {
	Store

	clock ident.Clock
	ids   ident.Identifiers
}

func (s signedStore) UpdateAccess(ctx context.Context, change func(Tx) error, options ...shop.UpdateOption) error {
	return s.Store.UpdateAccess(ctx, func(tx Tx) error {
		var told []trail.Entry
		if err := change(tellingTx{tx, &told}); err != nil {
			return err
		}
		return signatures.Sign(ctx, tx, s.clock, s.ids, told)
	}, options...)
}

// These types are the signed contents of changes of accounts whose request bodies contain a secret or do not describe the change.
type (
	signedSecret struct {
		Sets input.TextInput `field:"sets"` // the kind of the secret
	}
	signedRemoval struct {
		Removes input.TextInput `field:"removes"`
	}
	signedConfirmation struct {
		Confirms input.TextInput `field:"confirms"`
	}
	signedSubject struct {
		Subject input.TextInput `field:"subject"` // at the provider
	}
)
