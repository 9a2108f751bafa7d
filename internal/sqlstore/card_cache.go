package sqlstore

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/routecard/routecard/internal/sqlite"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// cardCache keeps cards, with the certificates attached to their serials, for as long as they are what is committed. It is
// for SQLite alone, where everything is written over one connection.
//
// SQLite tells of every row that this connection is about to change, whatever statement does it, and the card that the row
// belongs to is forgotten before it changes. Until the transaction has committed or failed the cache stores no card of that
// serial, and afterwards none from a reader that began earlier: what it read may have been replaced. So a card that is here
// is true, for readers and for the transaction under way. A reader stores its card only if the slot's version is even, and
// is what it was before the read.
type cardCache struct {
	limit     int
	pathCache *db.PathCache
	slots     [cardSlots]atomic.Uint64 // one for many serials: even, or odd while a transaction changes one of them
	shards    [cardShards]cardShard

	columns map[string]int // of each table: the column with the serial's number, noColumn, or none when all cards depend on it
	changed []int          // slots that the transaction under way made odd; the writer's own
}

const (
	cardSlots  = 4096
	cardShards = 16
	// cardCacheLimit is how many bytes the cards may have together.
	cardCacheLimit = 16 << 20
	// cardLimit is how many one of them may have.
	cardLimit = 16 << 10
)

type cardShard struct {
	mu    sync.Mutex
	cards map[int64]*keptCard
	bytes int
}

// keptCard is a card without its path, which is found under its revision.
type keptCard struct {
	card         card.Card
	revision     string
	certificates []shop.Certificate
	whole        bool // whether the certificates are there
	size         int
}

func newCardCache(routes *db.PathCache, limit int) *cardCache {
	c := &cardCache{limit: limit, pathCache: routes}
	for i := range c.shards {
		c.shards[i].cards = map[int64]*keptCard{}
	}
	return c
}

// noColumn stands for the column of a table that no card depends on.
const noColumn = -1

// find finds the columns by which a row tells whose card it belongs to.
func (c *cardCache) find(conn *sqliteConnection) error {
	c.columns = map[string]int{}
	for _, table := range migrations.Tables {
		switch table.Cards {
		case migrations.NoCard:
			c.columns[table.Name] = noColumn
		case migrations.OneCard:
			place, err := db.One(conn, db.Scalar[int], `SELECT cid FROM pragma_table_info($1) WHERE name = $2`, table.Name, table.Serial)
			if err != nil {
				return fmt.Errorf("find %s.%s: %w", table.Name, table.Serial, err)
			}
			c.columns[table.Name] = place
		case migrations.EveryCard: // as what is not in the list
		}
	}
	return nil
}

// change forgets what a row belongs to that is about to change. It has to be told of every row that anybody changes.
func (c *cardCache) change(change *sqlite.Change) {
	column, known := c.columns[change.Table()]
	switch {
	case !known:
		c.forgetAll()
	case column == noColumn:
	case change.IsInsert() && change.Table() == "serial": // nobody can have read of it
	default:
		numbers, count := change.Numbers(column)
		for _, number := range numbers[:count] {
			c.forget(number)
		}
	}
}

func slotOf(number int64) int { return int(uint64(number) % cardSlots) } //nolint:gosec // any number has a slot

func (c *cardCache) shardOf(number int64) *cardShard { return &c.shards[slotOf(number)%cardShards] }

func (c *cardCache) forget(number int64) {
	c.begin(slotOf(number))
	shard := c.shardOf(number)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	shard.remove(number)
}

// begin says that the transaction under way changes a serial of a slot.
func (c *cardCache) begin(slot int) {
	if c.slots[slot].Load()%2 == 0 {
		c.slots[slot].Add(1)
		c.changed = append(c.changed, slot)
	}
}

func (c *cardCache) forgetAll() {
	for slot := range c.slots {
		c.begin(slot)
	}
	for i := range c.shards {
		shard := &c.shards[i]
		shard.mu.Lock()
		clear(shard.cards)
		shard.bytes = 0
		shard.mu.Unlock()
	}
}

// end says that the transaction has ended, whatever became of it.
func (c *cardCache) end() {
	for _, slot := range c.changed {
		c.slots[slot].Add(1)
	}
	c.changed = c.changed[:0]
}

// get returns the card of a serial.
func (c *cardCache) get(number int64) (kept keptCard, ok bool) {
	shard := c.shardOf(number)
	shard.mu.Lock()
	found := shard.cards[number]
	shard.mu.Unlock()
	if found == nil {
		return keptCard{}, false
	}
	kept = *found // which is never changed
	if kept.revision != "" {
		if kept.card.Path, ok = c.pathCache.Get(kept.revision); !ok {
			return keptCard{}, false
		}
	}
	return kept, true
}

// version is asked for before a card is read that is to be kept.
func (c *cardCache) version(number int64) uint64 { return c.slots[slotOf(number)].Load() }

// keep keeps a card that was read after its version was asked for, unless it may have changed since.
func (c *cardCache) keep(number int64, version uint64, kept keptCard) {
	if version%2 == 0 {
		c.put(number, version, kept)
	}
}

// committed keeps a card as the transaction that is about to end has left it, and committed.
func (c *cardCache) committed(number int64, kept keptCard) {
	c.put(number, c.slots[slotOf(number)].Load(), kept)
}

func (c *cardCache) put(number int64, version uint64, kept keptCard) {
	kept.size = kept.bytes()
	if kept.size > cardLimit || waitsForFirstPiece(&kept.card.Path) {
		return
	}
	kept.card.Path = card.Path{}
	shard := c.shardOf(number)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if c.slots[slotOf(number)].Load() != version {
		return
	}
	shard.remove(number)
	for other := range shard.cards { // any: what a shop has in hand is far less than there is room for
		if shard.bytes+kept.size <= c.limit/cardShards {
			break
		}
		shard.remove(other)
	}
	shard.cards[number] = &kept
	shard.bytes += kept.size
}

// waitsForFirstPiece reports whether a card of a path says of others where they stand: such a card is not kept.
func waitsForFirstPiece(path *card.Path) bool {
	for stepID := range path.Characteristics {
		if path.WaitsForFirstPiece(stepID) {
			return true
		}
	}
	return false
}

func (s *cardShard) remove(number int64) {
	if kept := s.cards[number]; kept != nil {
		s.bytes -= kept.size
		delete(s.cards, number)
	}
}

// What things take up in memory, and their places in maps, about.
const (
	cardBytes        = 512
	exceptionBytes   = 160
	overrideBytes    = 256
	holdBytes        = 192
	readingBytes     = 640
	arrivalBytes     = 96
	certificateBytes = 96
)

// bytes is about how much memory the card takes.
func (k *keptCard) bytes() int {
	s := &k.card.Serial
	size := cardBytes + len(s.ID) + len(s.PathID)
	if s.Scrap != nil {
		size += cardBytes/4 + len(s.Scrap.Explanation) + len(s.Scrap.By)
	}
	if s.Completion != nil {
		size += cardBytes/4 + len(s.Completion.Reason) + len(s.Completion.By)
	}
	size += len(k.card.Exceptions) * exceptionBytes
	for _, o := range k.card.Overrides {
		size += overrideBytes + len(o.Reason) + len(o.CreatedBy)
	}
	for i := range k.card.Holds {
		h := &k.card.Holds[i]
		size += holdBytes + len(h.Reason) + len(h.PlacedBy) + len(h.NonconformanceID)
	}
	for i := range k.card.Readings {
		size += readingBytes + len(k.card.Readings[i].Value) + len(k.card.Readings[i].Note)
	}
	size += arrivalBytes * (len(k.card.Arrivals) + len(k.card.Concessions))
	for i := range k.certificates {
		certificate := &k.certificates[i]
		size += certificateBytes + len(certificate.ID) + len(certificate.Name) + len(certificate.Metadata)
	}
	return size
}
