package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	_ "modernc.org/sqlite" // the driver that the service uses

	"github.com/routecard/routecard/bench/internal/load"
)

// The floor for changes is a loop that makes the same changes of rows, on a copy of the same database, without HTTP, rules or waiting: a
// group of changes, a commit that is synced to disk, the next group. With groups of one change it makes one transaction per request.

// change makes the changes of rows of one request.
type change func(tx *floorTx, random *rand.Rand) error

// floorTx is the one connection of the loop, with its statements prepared.
type floorTx struct {
	conn       *sql.Conn
	statements map[string]*sql.Stmt
	serials    int64
	pathIDs    []string
	next       int64
}

func (t *floorTx) exec(text string, args ...any) error {
	statement := t.statements[text]
	if statement == nil {
		var err error
		if statement, err = t.conn.PrepareContext(context.Background(), text); err != nil {
			return err
		}
		t.statements[text] = statement
	}
	_, err := statement.ExecContext(context.Background(), args...)
	return err
}

const (
	insertAudit = `INSERT INTO audit (action, user_id, at, serial_number, certificate_id, job_id, path_id, step_id,
		from_step_id, to_step_id, batch_quantity, metadata) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`
	moveSerial   = `UPDATE serial SET position = $2, status = $3, updated_at = $4 WHERE number = $1`
	addException = `INSERT OR REPLACE INTO step_exception (serial_number, step_id, status, updated_at) VALUES ($1, $2, $3, $4)`
	insertJob    = `INSERT INTO job (id, name, goal_quantity, ticket_key, ticket_summary, part_number, priority, epic_link,
		labels, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
	insertSerials = `WITH RECURSIVE numbers (number) AS (
			SELECT CAST($1 AS bigint) UNION ALL SELECT number + 1 FROM numbers WHERE number < $2)
		INSERT INTO serial (number, path_id, position, status, created_at, updated_at)
		SELECT number, $3, 0, 'in_progress', $4, $4 FROM numbers`
)

// Identifiers with the length of real ones.
const (
	anyJob  = "job_01KC0000000000000000000000"
	anyPath = "path_01KC0000000000000000000000"
	anyStep = "step_01KC0000000000000000000000"
)

// audit adds one entry about a serial.
func (t *floorTx) audit(action string, number int64) error {
	return t.exec(insertAudit, action, "op-17", time.Now().UnixMilli(), number, "", anyJob, anyPath, anyStep, anyStep, anyStep, 0, "")
}

// move moves a random serial to another step.
func (t *floorTx) move(random *rand.Rand, newest int64) (number int64, err error) {
	number = 1 + random.Int64N(t.serials)
	if newest > 0 && newest < t.serials {
		number = t.serials - random.Int64N(newest)
	}
	t.next++
	return number, t.exec(moveSerial, number, 1+t.next%15, "in_progress", time.Now().UnixMilli())
}

// advanceFloor returns the change of an advance, of any serial or of one of the newest.
func advanceFloor(newest int) change {
	return func(t *floorTx, random *rand.Rand) error {
		number, err := t.move(random, int64(newest))
		if err != nil {
			return err
		}
		return t.audit("serial_advanced", number)
	}
}

// advanceToFloor makes the change of an advance over three steps.
func advanceToFloor(t *floorTx, random *rand.Rand) error {
	number, err := t.move(random, 0)
	if err != nil {
		return err
	}
	for i := range 3 {
		if err := t.exec(addException, number, fmt.Sprintf("%s%d", anyStep[:len(anyStep)-6], t.next*3+int64(i)),
			"deferred", time.Now().UnixMilli()); err != nil {
			return err
		}
		if err := t.audit("step_deferred", number); err != nil {
			return err
		}
	}
	return t.audit("serial_advanced", number)
}

func createJobFloor(t *floorTx, _ *rand.Rand) error {
	t.next++
	made := time.Now()
	return t.exec(insertJob, fmt.Sprintf("job_01KZ%022d", made.UnixNano()+t.next), "Bearing housing", 250,
		"SHOP-417", "", "", "High", "", "",
		made.UnixMilli(), made.UnixMilli())
}

// createSerialsFloor returns the change of one call that makes many serials.
func createSerialsFloor(quantity int64) change {
	return func(t *floorTx, _ *rand.Rand) error {
		first := t.serials + 1 + t.next
		t.next += quantity
		if err := t.exec(insertSerials, first, first+quantity-1, t.pathIDs[0], time.Now().UnixMilli()); err != nil {
			return err
		}
		return t.audit("serial_created", 0)
	}
}

// floorFoldPages is the length of the write-ahead log at which the loop checkpoints it, like SQLite's default. The service must checkpoint
// too, so a loop without checkpoints would omit necessary work.
const floorFoldPages = 1000

// runSQLFloor repeats a change in groups of a size, for the given time. Latencies are those of the groups.
func runSQLFloor(database string, pathIDs []string, during time.Duration, group int, do change) (result load.Result, err error) {
	ctx := context.Background()
	db, err := sql.Open("sqlite", fmt.Sprintf("file:%s?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)"+
		"&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_pragma=wal_autocheckpoint(%d)", database, floorFoldPages))
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return result, err
	}
	tx := &floorTx{conn: conn, statements: map[string]*sql.Stmt{}, pathIDs: pathIDs}
	defer func() {
		for _, statement := range tx.statements {
			err = errors.Join(err, statement.Close())
		}
		err = errors.Join(err, conn.Close())
	}()
	if err := conn.QueryRowContext(ctx, `SELECT MAX(number) FROM serial`).Scan(&tx.serials); err != nil {
		return result, err
	}
	random := rand.New(rand.NewPCG(3, 3))
	for started := time.Now(); result.Took < during; result.Took = time.Since(started) {
		begun := time.Now()
		if err := tx.exec("BEGIN IMMEDIATE"); err != nil {
			return result, err
		}
		for range group {
			if err := do(tx, random); err != nil {
				return result, err
			}
		}
		if err := tx.exec("COMMIT"); err != nil {
			return result, err
		}
		result.Latencies = append(result.Latencies, time.Since(begun))
		result.Requests += group
	}
	result.Sort()
	return result, nil
}
