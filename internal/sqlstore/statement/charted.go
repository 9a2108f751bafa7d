package statement

import (
	"strconv"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

type charted struct{ *db.Core }

func scanCharted(prefix ident.Prefix, r db.Rows) (reading shop.ChartedReading, err error) {
	var number int64
	err = r.Scan(&reading.ID, &number, &reading.Value, &reading.Pass, &reading.MeasuredAt)
	reading.SerialID = prefix.SerialID(number)
	return reading, err
}

func (t charted) ChartedReadings(query shop.ChartedQuery) ([]shop.ChartedReading, error) {
	var c db.Conditions
	c.Add(`characteristic_id = ?`, query.CharacteristicID)
	c.Add(`voided_at = ?`, 0)
	if query.From != 0 {
		c.Add(measuredTime+` >= ?`, int64(query.From))
	}
	if query.To != 0 {
		c.Add(measuredTime+` <= ?`, int64(query.To))
	}
	c.Args = append(c.Args, query.Limit)
	return db.All(t, db.Named(t.Prefix, scanCharted),
		`SELECT id, serial_number, reading, pass, `+measuredTime+` FROM measurement`+c.Where()+
			` ORDER BY `+measuredTime+` DESC, id DESC LIMIT $`+strconv.Itoa(len(c.Args)), c.Args...)
}
