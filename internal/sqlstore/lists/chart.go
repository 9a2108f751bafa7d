package lists

import (
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop/card"
)

type charts struct{ *db.Core }

func (t charts) CharacteristicsOfJob(jobID string) ([]card.CharacteristicSet, error) {
	return db.All(t, statement.ScanSet, `SELECT c.id, c.step_id, c.revision, c.characteristics, c.changed_by, c.changed_at FROM path p
		JOIN step s ON s.path_id = p.id
		JOIN step_characteristics c ON c.step_id = s.id
			AND c.revision = (SELECT MAX(n.revision) FROM step_characteristics n WHERE n.step_id = s.id)
		WHERE p.job_id = $1 ORDER BY s.id`, jobID)
}
