package sqlstore

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/routecard/routecard/internal/sqlite"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Sealing or verifying a trail consists mostly of reading all of its entries. On SQLite, entries are copied from SQLite's memory column by
// column into shared pieces of memory: a separate text for each of the eleven columns takes twice as long.

// EntriesAfter reads entries for AuditAfter.
func (c *cancellable) EntriesAfter(counted db.Querier, prefix ident.Prefix, sequence int64, limit int) ([]trail.Entry, error) {
	const usual = 1000 // entries that one call usually reads
	if err := c.check(); err != nil {
		return nil, err
	}
	result, err := c.conn.result(statement.SelectAuditAfter, sequence, limit)
	if err != nil {
		return nil, fmt.Errorf("read the trail: %w", err)
	}
	defer result.Close()
	weighing := db.Weigh[trail.Entry](counted, result)
	page := entryPage{prefix: prefix, row: result.statement, entries: make([]trail.Entry, 0, min(limit, usual))}
	for page.weight <= db.PageWeight && result.Next() {
		if err := page.read(); err != nil {
			return nil, fmt.Errorf("read the trail: %w", err)
		}
		weighing.Texts, weighing.Records = page.weight, weighing.Records+weighing.Size
		if err := weighing.Take(false); err != nil {
			return nil, err
		}
	}
	if err := c.told(result.Err()); err != nil {
		return nil, fmt.Errorf("read the trail: %w", err)
	}
	if err := weighing.Take(true); err != nil {
		return nil, err
	}
	return page.entries, result.Close()
}

// entryPage is a page of entries being read.
type entryPage struct {
	prefix  ident.Prefix
	row     *sqlite.Statement
	entries []trail.Entry
	texts   texts
	weight  int // the size of the texts
	column  int
	wrong   bool
	before  [1 + statement.AuditWidth]string // for each column, the text of the previous row, which is often the same
}

// read reads the current row of the result.
func (p *entryPage) read() error {
	p.column, p.wrong = 0, false
	p.entries = append(p.entries, trail.Entry{})
	e := &p.entries[len(p.entries)-1]
	e.ID = ident.AuditID(p.value())
	statement.AuditColumns(e, p)
	if p.wrong {
		return fmt.Errorf("%s has a value of another type than the program writes", e.ID)
	}
	return nil
}

// value reads the next column as a number.
func (p *entryPage) value() int64 {
	number, ok := p.row.Number(p.column)
	p.wrong = p.wrong || !ok
	p.column++
	return number
}

// bytes reads the next column as a text in the memory of SQLite.
func (p *entryPage) bytes() (text []byte, column int) {
	text, ok := p.row.Text(p.column)
	p.wrong = p.wrong || !ok
	p.column++
	p.weight += len(text)
	return text, p.column - 1
}

func (p *entryPage) Number(_ string, value *int64) { *value = p.value() }

func (p *entryPage) Text(_ string, value *string) {
	text, column := p.bytes()
	if before := &p.before[column]; string(text) != *before {
		*before = p.texts.keep(text)
	}
	*value = p.before[column]
}

func (p *entryPage) Serial(_ string, id *string) {
	if number := p.value(); number != 0 {
		*id = p.prefix.SerialID(number)
	}
}

func (p *entryPage) JSON(_ string, value *json.RawMessage) {
	if text, _ := p.bytes(); len(text) > 0 {
		*value = append([]byte(nil), text...)
	}
}

// texts stores many short texts in few pieces of memory.
type texts struct{ piece strings.Builder }

// pieceSize is the size of a piece; a longer text gets its own.
const pieceSize = 16 << 10

func (t *texts) keep(text []byte) string {
	if t.piece.Cap()-t.piece.Len() < len(text) {
		t.piece = strings.Builder{}
		t.piece.Grow(max(len(text), pieceSize))
	}
	from := t.piece.Len()
	t.piece.Write(text)
	return t.piece.String()[from:]
}
