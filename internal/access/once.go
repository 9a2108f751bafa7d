package access

import (
	"context"

	"github.com/routecard/routecard/shop"
)

// once runs change in one transaction. Under the key of a form it happens once: only the first response has the result, and a repeat fails
// with shop.ErrRemembered.
func (s *Service) once(ctx context.Context, change func(Tx) error) error {
	return shop.CommitOnce(ctx, s.now(), func(ctx context.Context, first func(shop.Memory) error) error {
		return s.store.UpdateAccess(ctx, func(tx Tx) error {
			if err := first(tx); err != nil {
				return err
			}
			return change(tx)
		})
	})
}
