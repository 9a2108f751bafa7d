package statement

import (
	"iter"
	"slices"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

type ownNumbers struct{ *db.Core }

// GiveOwnNumbers writes numbers to the table own_number, which also has the former numbers, and to serial, where cards and lists read them.
func (t ownNumbers) GiveOwnNumbers(numbers []shop.OwnNumber) error {
	for chunk := range db.Chunks(numbers) {
		if err := t.giveOwnNumbers(chunk); err != nil {
			return err
		}
	}
	return nil
}

func (t ownNumbers) giveOwnNumbers(numbers []shop.OwnNumber) error {
	serials := make([]int64, len(numbers))
	for i := range numbers {
		serials[i], _ = t.Prefix.ParseSerialID(numbers[i].SerialID)
	}
	condition, args := among(1, serials)
	given := map[int64]int64{}
	if _, err := db.All(t, func(r db.Rows) (none struct{}, err error) {
		var serial, last int64
		err = r.Scan(&serial, &last)
		given[serial] = last
		return none, err
	}, `SELECT serial_number, MAX(given) FROM own_number WHERE serial_number `+condition+` GROUP BY serial_number`, args...); err != nil {
		return err
	}
	if len(given) > 0 {
		if err := db.Run(t, `UPDATE own_number SET earlier = 1 WHERE earlier = 0 AND serial_number `+condition, args...); err != nil {
			return err
		}
	}
	const width = 6
	rows := make([]any, 0, width*len(numbers))
	for i := range numbers {
		n := &numbers[i]
		rows = append(rows, serials[i], given[serials[i]]+1, n.Number, n.JobID, n.Scope, int64(n.GivenAt))
	}
	const insert = `INSERT INTO own_number (serial_number, given, number, job_id, scope, given_at) VALUES`
	if err := db.InsertAll(t, insert, width, rows, ""); err != nil {
		return err
	}
	return db.Run(t, `UPDATE serial SET own_number = (SELECT o.number FROM own_number o
		WHERE o.serial_number = serial.number AND o.earlier = 0) WHERE number `+condition, args...)
}

func (t ownNumbers) OwnNumbersTaken(scope string, numbers []string) (map[string]string, error) {
	if err := t.LockAbsent("own number of " + scope); err != nil {
		return nil, err
	}
	return t.SerialsInScope(scope, numbers)
}

func (t ownNumbers) SerialsInScope(scope string, numbers []string) (map[string]string, error) {
	taken := map[string]string{}
	for chunk := range db.Chunks(numbers) {
		placeholders, args := db.InList(2, chunk)
		found, err := db.All(t, db.Named(t.Prefix, scanOwnNumber),
			selectOwnNumbers+` WHERE earlier = 0 AND scope = $1 AND number IN (`+placeholders+`)`,
			append([]any{scope}, args...)...)
		if err != nil {
			return nil, err
		}
		for i := range found {
			taken[found[i].Number] = found[i].SerialID
		}
	}
	return taken, nil
}

func (t ownNumbers) OwnNumbersOfJob(jobID string, numbers []string) ([]shop.OwnNumber, error) {
	found := []shop.OwnNumber{}
	for chunk := range db.Chunks(numbers) {
		placeholders, args := db.InList(2, chunk)
		some, err := db.All(t, db.Named(t.Prefix, scanOwnNumber), selectOwnNumbers+` WHERE job_id = $1 AND number IN (`+placeholders+`)
			ORDER BY serial_number, given`, append([]any{jobID}, args...)...)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	return found, nil
}

const selectOwnNumbers = `SELECT serial_number, number, job_id, scope, given_at, earlier FROM own_number`

func scanOwnNumber(prefix ident.Prefix, r db.Rows) (n shop.OwnNumber, err error) {
	var serial, earlier int64
	err = r.Scan(&serial, &n.Number, &n.JobID, &n.Scope, &n.GivenAt, &earlier)
	n.SerialID, n.Earlier = prefix.SerialID(serial), earlier != 0
	return n, err
}

func (t ownNumbers) OwnNumberAmong(jobID, scope string) (number, serialID string, err error) {
	if err := t.LockAbsent("own number of " + scope); err != nil {
		return "", "", err
	}
	// CROSS JOIN makes SQLite read the numbers of the job first.
	found, err := db.One(t, func(r db.Rows) (found struct {
		number string
		serial int64
	}, err error,
	) {
		err = r.Scan(&found.number, &found.serial)
		return found, err
	}, `SELECT mine.number, other.serial_number FROM own_number mine CROSS JOIN own_number other
		WHERE mine.job_id = $1 AND mine.earlier = 0 AND other.earlier = 0 AND other.scope = $2 AND other.number = mine.number
		AND other.job_id <> $1 ORDER BY mine.serial_number LIMIT 1`, jobID, scope)
	return found.number, t.Prefix.SerialID(found.serial), err
}

func (t ownNumbers) RescopeOwnNumbers(jobID, scope string) error {
	const atOnce = 10_000 // limits the read, so that a job with too many numbers for one transaction is refused soon
	for {
		changed, err := db.Affecting(t, `UPDATE own_number SET scope = $1 WHERE (serial_number, given) IN (
			SELECT serial_number, given FROM own_number WHERE job_id = $2 AND scope <> $3 LIMIT $4)`, scope, jobID, scope, atOnce)
		if err != nil || changed < atOnce {
			return err
		}
	}
}

func (t ownNumbers) OwnNumbersOf(serialID string) ([]shop.OwnNumber, error) {
	number, _ := t.Prefix.ParseSerialID(serialID)
	return db.All(t, db.Named(t.Prefix, scanOwnNumber), selectOwnNumbers+` WHERE serial_number = $1 ORDER BY given`, number)
}

func (t ownNumbers) OwnNumbers() iter.Seq2[shop.OwnNumber, error] {
	type row struct {
		shop.OwnNumber
		serial, given int64
	}
	listed := db.Pages(func(last row, _ bool, limit int) ([]row, bool, error) {
		return db.Page(t, func(r db.Rows) (found row, err error) {
			found.OwnNumber, err = scanOwnNumber(t.Prefix, db.Widened{Rows: r, Behind: []any{&found.given}})
			found.serial, _ = t.Prefix.ParseSerialID(found.SerialID)
			return found, err
		}, `SELECT serial_number, number, job_id, scope, given_at, earlier, given FROM own_number
			WHERE (serial_number, given) > ($1, $2) ORDER BY serial_number, given LIMIT $3`, last.serial, last.given, limit)
	})
	return func(yield func(shop.OwnNumber, error) bool) {
		for found, err := range listed {
			if !yield(found.OwnNumber, err) {
				return
			}
		}
	}
}

func (t ownNumbers) SerialsNumbered(number string, limit int) ([]shop.OwnNumber, error) {
	return db.All(t, db.Named(t.Prefix, scanOwnNumber),
		selectOwnNumbers+` WHERE lower(number) = $1 ORDER BY earlier, serial_number DESC LIMIT $2`,
		db.Lowered(number), limit)
}

func (t ownNumbers) SerialsNumberedFrom(beginning string, limit int) ([]shop.OwnNumber, error) {
	beginning = db.Lowered(beginning)
	return db.All(t, db.Named(t.Prefix, scanOwnNumber), selectOwnNumbers+` WHERE lower(number) >= $1 AND lower(number) < $2
		ORDER BY lower(number), serial_number DESC LIMIT $3`, beginning, beginning+db.PastAll, limit)
}

func (t ownNumbers) OwnNumbersNow(numbers []int64) (map[int64]string, error) {
	own := map[int64]string{}
	for chunk := range db.Chunks(slices.Compact(slices.Sorted(slices.Values(numbers)))) {
		condition, args := among(1, chunk)
		if _, err := db.All(t, func(r db.Rows) (none struct{}, err error) {
			var number int64
			var engraved string
			if err = r.Scan(&number, &engraved); engraved != "" {
				own[number] = engraved
			}
			return none, err
		}, `SELECT number, own_number FROM serial WHERE number `+condition, args...); err != nil {
			return nil, err
		}
	}
	return own, nil
}
