package routecard

import "context"

// Forget appends an audit entry in somebody's name without asking who acts, as no operation may.
func (s *Service) Forget(ctx context.Context, user string) error {
	return s.store.Update(ctx, func(tx Tx) error {
		return tx.AppendAudit(AuditEntry{Action: "forgotten", UserID: user, Timestamp: s.now()})
	})
}
