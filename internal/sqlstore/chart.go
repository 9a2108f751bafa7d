package sqlstore

import (
	"strconv"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

func scanCharted(r rows) (reading shop.ChartedReading, err error) {
	var number int64
	err = r.Scan(&reading.ID, &number, &reading.Value, &reading.Pass, &reading.MeasuredAt)
	reading.SerialID = ident.SerialID(number)
	return reading, err
}

func (t *transaction) ChartedReadings(query shop.ChartedQuery) ([]shop.ChartedReading, error) {
	var c conditions
	c.add(`characteristic_id = ?`, query.CharacteristicID)
	c.add(`voided_at = ?`, 0)
	if query.From != 0 {
		c.add(measuredTime+` >= ?`, int64(query.From))
	}
	if query.To != 0 {
		c.add(measuredTime+` <= ?`, int64(query.To))
	}
	c.args = append(c.args, query.Limit)
	return all(t, scanCharted, `SELECT id, serial_number, reading, pass, `+measuredTime+` FROM measurement`+c.where()+
		` ORDER BY `+measuredTime+` DESC, id DESC LIMIT $`+strconv.Itoa(len(c.args)), c.args...)
}

func (t *transaction) CharacteristicsOfJob(jobID string) ([]card.CharacteristicSet, error) {
	return all(t, scanSet, `SELECT c.id, c.step_id, c.revision, c.characteristics, c.changed_by, c.changed_at FROM path p
		JOIN step s ON s.path_id = p.id
		JOIN step_characteristics c ON c.step_id = s.id
			AND c.revision = (SELECT MAX(n.revision) FROM step_characteristics n WHERE n.step_id = s.id)
		WHERE p.job_id = $1 ORDER BY s.id`, jobID)
}
