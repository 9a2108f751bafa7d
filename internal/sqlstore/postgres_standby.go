package sqlstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/lists"
	"github.com/routecard/routecard/internal/sqlstore/standby"
	"github.com/routecard/routecard/shop"
)

// CheckStandbys validates the addresses of servers to read from, without connecting.
func CheckStandbys(addresses []string) error {
	_, _, err := standbyConfigs(addresses, Pool{Connections: 1})
	return err
}

// standbyConfigs returns the names of standbys, and the settings of their pools. Each address is of one server, because each may lag.
func standbyConfigs(addresses []string, pool Pool) (names []string, configs []*pgxpool.Config, err error) {
	pool.fill()
	pool.Connections++ // for the checks
	for _, address := range addresses {
		if !IsPostgres(address) {
			return nil, nil, fmt.Errorf("each standby needs an address of its own that begins with postgres://, not %q", Redacted(address))
		}
		config, err := poolConfig(address, pool)
		if err != nil {
			return nil, nil, fmt.Errorf("the address of a standby is not valid: %w", err)
		}
		asked, err := pgconn.ParseConfig(address)
		if err != nil {
			return nil, nil, fmt.Errorf("the address of a standby is not valid: %w", err)
		}
		config.ConnConfig.ValidateConnect = asked.ValidateConnect // whether it is a standby is checked in each transaction
		name := serverName(asked.Host, asked.Port)
		for _, other := range asked.Fallbacks {
			if serverName(other.Host, other.Port) != name {
				return nil, nil, fmt.Errorf("%s has several hosts: each standby needs an address of its own", Redacted(address))
			}
		}
		if slices.Contains(names, name) {
			return nil, nil, fmt.Errorf("%s is there twice", name)
		}
		names, configs = append(names, name), append(configs, config)
	}
	return names, configs, nil
}

func serverName(host string, port uint16) string {
	if strings.HasPrefix(host, "/") { // the folder of a socket
		return host
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}

// openStandbys begins to use the standbys at the addresses of the pool's settings.
func (s *Postgres) openStandbys(ctx context.Context, pool Pool) error {
	if len(pool.Standbys) == 0 {
		return nil
	}
	names, configs, err := standbyConfigs(pool.Standbys, pool)
	if err != nil {
		return err
	}
	var pools []*pgxpool.Pool
	for _, config := range configs {
		opened, err := pgxpool.NewWithConfig(ctx, config)
		if err != nil {
			for _, one := range pools {
				one.Close()
			}
			return err
		}
		pools = append(pools, opened)
	}
	s.positions = newPositionGroup(s)
	s.standbys = standby.Open(names, pools, s.positions, pool.StandbyWait, s.options.Logger)
	return nil
}

// Standbys returns the state of the standbys, and the number of reads that the primary served in their place.
func (s *Postgres) Standbys() (all []standby.Status, onPrimary int64) {
	if s.standbys == nil {
		return nil, 0
	}
	return s.standbys.Status()
}

// PositionAt reads the position of the server at an address, and whether it is a standby. It changes nothing on the server.
func PositionAt(ctx context.Context, address string) (at standby.Position, recovering bool, err error) {
	err = onReadingConnection(ctx, address, func(conn *pgxpool.Conn) (err error) {
		at, recovering, err = standby.PositionOf(ctx, conn)
		return err
	})
	return at, recovering, err
}

// readStandby runs a View on a standby. It returns false if the primary must run it, again if the standby failed.
func (s *Postgres) readStandby(ctx context.Context, reads *shop.StandbyReads, read func(*lists.Reader) error) (ran bool, err error) {
	reading, err := s.standbys.Begin(ctx, reads)
	if reading == nil {
		return err != nil, s.refusal(ctx, err)
	}
	part, release := shop.Passing(ctx)
	view := begunOn(reading)
	defer reading.End()
	defer view.rollback()
	err = read(s.reader(part, view, false))
	if view.err == nil && reading.Context.Err() == nil || ctx.Err() != nil {
		return true, s.refusal(ctx, err)
	}
	release()
	s.standbyFailed(reading, reads, view.err)
	return false, nil
}

// standbyFailed makes the primary serve a read that a standby did not finish.
func (s *Postgres) standbyFailed(reading *standby.Reading, reads *shop.StandbyReads, err error) {
	reading.Failed(err)
	s.options.Logger.Debug("a read is repeated on the primary", "error", err)
	s.standbys.OnPrimary(reads)
}

// begunOn returns the transaction that a Reading has begun.
func begunOn(reading *standby.Reading) *postgresTransaction {
	return &postgresTransaction{ctx: reading.Context, conn: reading.Conn, begun: true, heard: true}
}

// errStandby is the failure of a standby while it read a page.
var errStandby = errors.New("the standby failed")

// standbyPages reads the statements of a View that browses, each in a transaction of its own. It passes on a result when all of it has
// arrived, so that another server can run the statement again.
type standbyPages struct {
	store   *Postgres
	ctx     context.Context
	reads   *shop.StandbyReads
	reading *standby.Reading
	types   *pgtype.Map
}

// pageOnStandby begins to read a page on a standby. It returns nil if the primary must serve it.
func (s *Postgres) pageOnStandby(ctx context.Context, reads *shop.StandbyReads) (page *standbyPages, done func(), err error) {
	reading, err := s.standbys.Begin(ctx, reads)
	if reading == nil {
		return nil, nil, err
	}
	return &standbyPages{store: s, ctx: ctx, reads: reads, reading: reading, types: pgtype.NewMap()}, reading.End, nil
}

// Query runs a statement, and ends the transaction.
func (p *standbyPages) Query(text string, args ...any) (db.Rows, error) {
	view := begunOn(p.reading)
	defer view.rollback()
	result, err := p.reading.Conn.Query(view.ctx, text, unprepared(text, args)...)
	rows := &arrivedRows{types: p.types}
	if err == nil {
		for result.Next() {
			var row [][]byte
			for _, value := range result.RawValues() {
				row = append(row, slices.Clone(value))
			}
			rows.rows = append(rows.rows, row)
		}
		rows.fields = slices.Clone(result.FieldDescriptions())
		result.Close()
		err = result.Err()
	}
	if err == nil {
		return rows, nil
	}
	if p.ctx.Err() != nil {
		return nil, p.ctx.Err()
	}
	p.store.standbyFailed(p.reading, p.reads, err)
	return nil, fmt.Errorf("%w: %w", errStandby, err)
}

// Exec refuses to write.
func (p *standbyPages) Exec(string, ...any) (int64, error) {
	return 0, errors.New("a standby takes no writes")
}

// arrivedRows are the rows of a result in memory.
type arrivedRows struct {
	types  *pgtype.Map
	fields []pgconn.FieldDescription
	rows   [][][]byte
	next   int
}

func (r *arrivedRows) Next() bool {
	r.next++
	return r.next <= len(r.rows)
}

func (r *arrivedRows) Scan(destinations ...any) error {
	return pgx.ScanRow(r.types, r.fields, r.rows[r.next-1], destinations...)
}

func (r *arrivedRows) Err() error   { return nil }
func (r *arrivedRows) Close() error { return nil }

// positionGroup asks the primary for its position. Requests that arrive while a statement runs share the next statement, which begins after
// they have arrived. It implements standby.Primary.
type positionGroup struct {
	*requests
	store *Postgres
}

func newPositionGroup(store *Postgres) *positionGroup {
	g := &positionGroup{requests: newRequests(detailGroupLimit), store: store}
	go g.run(g.read)
	return g
}

// Position returns the position of the primary.
func (g *positionGroup) Position(ctx context.Context) (standby.Position, error) {
	r := &request{ctx: ctx}
	if err := g.hand(r); err != nil {
		return standby.Position{}, err
	}
	select {
	case <-r.done:
		return r.position, r.err
	case <-ctx.Done():
		return standby.Position{}, ctx.Err()
	}
}

// read serves a group with one statement.
func (g *positionGroup) read(group []*request) {
	ctx, cancel := context.WithTimeout(context.Background(), groupTimeout)
	defer cancel()
	at, err := g.ask(ctx)
	if errors.Is(err, errStale) {
		g.store.pool.Reset()
		at, err = g.ask(ctx)
	}
	for _, r := range group {
		r.position, r.err = at, err
	}
}

func (g *positionGroup) ask(ctx context.Context) (at standby.Position, err error) {
	conn, err := g.store.acquire(ctx)
	if err != nil {
		return at, err
	}
	defer conn.Release()
	at, _, err = standby.PositionOf(ctx, conn)
	if err != nil && conn.Conn().IsClosed() {
		return at, fmt.Errorf("%w: %w", errStale, err)
	}
	if timeline, known := conn.Conn().PgConn().CustomData()[timelineOf].(int64); err == nil && (!known || timeline != at.Timeline) {
		err = standby.ErrUnmarked
	}
	return at, err
}

// Mark writes a new mark of the timeline. Every process does it when it starts, because a copied database has the mark of another one.
func (g *positionGroup) Mark(ctx context.Context) error {
	conn, err := g.store.acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	timeline, known := conn.Conn().PgConn().CustomData()[timelineOf].(int64)
	if !known {
		return standby.ErrUnmarked
	}
	_, err = conn.Exec(ctx, standby.WriteMark, timeline, rand.Text())
	return err
}
