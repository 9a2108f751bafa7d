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

// cardCache caches committed cards, with the certificates attached to their serials. Only SQLite uses it, because there one connection
// writes everything.
//
// SQLite reports every row that this connection will change, whatever the statement. The cache then drops the row's card before the row
// changes, and stores no card of that serial until the transaction has committed or failed. A reader that began before the end of the
// transaction may have read the former rows, so the cache also rejects its card: a reader stores a card only if the slot's version is even
// and the same as before the read. So a cached card is correct for readers and for the current transaction.
type cardCache struct {
	limit     int
	pathCache *db.PathCache
	slots     [cardSlots]atomic.Uint64 // a version per slot, which many serials share: odd while a transaction changes one of them
	shards    [cardShards]cardShard

	// columns are the columns with the numbers of serials, by table: none for a table that no card depends on. A table that is not listed
	// changes all cards.
	columns map[string][]int
	changed []int // slots whose version the current transaction has made odd; only the writer uses this
}

const (
	cardSlots  = 4096
	cardShards = 16
	// cardCacheLimit is the maximum size of all cards together, in bytes.
	cardCacheLimit = 16 << 20
	// cardLimit is the maximum size of one card, in bytes.
	cardLimit = 16 << 10
)

type cardShard struct {
	mu    sync.Mutex
	cards map[int64]*keptCard
	bytes int
}

// keptCard is a card without its path. The path is cached separately, by revision.
type keptCard struct {
	card         card.Card
	revision     string
	certificates []shop.Certificate
	whole        bool // whether it includes the certificates
	size         int
}

func newCardCache(routes *db.PathCache, limit int) *cardCache {
	c := &cardCache{limit: limit, pathCache: routes}
	for i := range c.shards {
		c.shards[i].cards = map[int64]*keptCard{}
	}
	return c
}

// find sets, for each table, the columns that identify the cards of a row.
func (c *cardCache) find(conn *sqliteConnection) error {
	c.columns = map[string][]int{}
	for _, table := range migrations.Tables {
		switch table.Cards {
		case migrations.NoCard:
			c.columns[table.Name] = nil
		case migrations.OneCard:
			for _, column := range []string{table.Serial, table.Other} {
				if column == "" {
					continue
				}
				place, err := db.One(conn, db.Scalar[int], `SELECT cid FROM pragma_table_info($1) WHERE name = $2`, table.Name, column)
				if err != nil {
					return fmt.Errorf("find %s.%s: %w", table.Name, column, err)
				}
				c.columns[table.Name] = append(c.columns[table.Name], place)
			}
		case migrations.EveryCard: // like a table that is not listed
		}
	}
	return nil
}

// change drops the card of a row before the row changes. It must be called for every row that any statement changes.
func (c *cardCache) change(change *sqlite.Change) {
	columns, known := c.columns[change.Table()]
	switch {
	case !known:
		c.forgetAll()
	case change.IsInsert() && change.Table() == "serial": // no reader can have read the new serial
	default:
		for _, column := range columns {
			numbers, count := change.Numbers(column)
			for _, number := range numbers[:count] {
				c.forget(number)
			}
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

// begin records that the current transaction changes a serial of a slot.
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

// end records that the current transaction has ended, committed or not.
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
	kept = *found // cached cards never change, so a shallow copy is safe
	if kept.revision != "" {
		if kept.card.Path, ok = c.pathCache.Get(kept.revision); !ok {
			return keptCard{}, false
		}
	}
	return kept, true
}

// version returns the version of a serial's slot. A reader must call it before it reads a card that it wants to cache.
func (c *cardCache) version(number int64) uint64 { return c.slots[slotOf(number)].Load() }

// keep caches a card that was read after the call of version, unless the card may have changed since.
func (c *cardCache) keep(number int64, version uint64, kept keptCard) {
	if version%2 == 0 {
		c.put(number, version, kept)
	}
}

// committed caches a card as a transaction left it. The transaction has committed but not yet called end.
func (c *cardCache) committed(number int64, kept keptCard) {
	c.put(number, c.slots[slotOf(number)].Load(), kept)
}

func (c *cardCache) put(number int64, version uint64, kept keptCard) {
	kept.size = kept.bytes()
	if kept.size > cardLimit || waitsForFirstPiece(&kept.card.Path) || kept.card.DependsOnParts() {
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
	for other := range shard.cards { // any card: a shop's cards in progress take far less memory than the limit
		if shard.bytes+kept.size <= c.limit/cardShards {
			break
		}
		shard.remove(other)
	}
	shard.cards[number] = &kept
	shard.bytes += kept.size
}

// waitsForFirstPiece reports whether cards of a path depend on the positions of other units. Such cards are not cached.
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

// Approximate sizes in memory of cards, their parts, and map entries.
const (
	cardBytes        = 512
	exceptionBytes   = 160
	overrideBytes    = 256
	holdBytes        = 192
	readingBytes     = 640
	arrivalBytes     = 96
	certificateBytes = 96
)

// bytes returns the approximate memory of the card.
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
