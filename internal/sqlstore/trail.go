package sqlstore

import (
	"fmt"

	"github.com/routecard/routecard"
)

func (t *transaction) SearchAudit(query routecard.AuditQuery, after, before, limit int64) ([]routecard.AuditEntry, error) {
	var c conditions
	c.add(`sequence > ? AND sequence < ?`, after, before)
	if query.SerialID != "" {
		number, ok := routecard.ParseSerialID(query.SerialID)
		if !ok {
			return []routecard.AuditEntry{}, nil
		}
		c.add(`serial_number <> 0 AND serial_number = ?`, number)
	}
	if query.JobID != "" {
		c.add(`job_id <> '' AND job_id = ?`, query.JobID)
	}
	if query.Action != "" {
		c.add(`action = ?`, string(query.Action))
	}
	if query.UserID != "" {
		c.add(`user_id = ?`, query.UserID)
	}
	if query.From != 0 {
		c.add(`at >= ?`, int64(query.From))
	}
	if query.Until != 0 {
		c.add(`at < ?`, int64(query.Until))
	}
	return entriesOf(all(t, scanAudit, `SELECT sequence, `+auditColumns+` FROM audit`+c.where()+
		fmt.Sprintf(` ORDER BY sequence DESC LIMIT $%d`, len(c.args)+1), append(c.args, limit)...))
}
