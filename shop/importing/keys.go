package importing

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// A key identifies one record: its identifier, its external identifier, or the own number of a unit on a path. If two different rows of a
// file have the same key, the second is refused, because the file does not say which one counts. Two equal rows count as one row.

// importKeys has the keys in a file, each with the first row that has it.
type importKeys map[importDigest]keyedRow

type importDigest [16]byte

type keyedRow struct {
	row     int
	content importDigest // the digest of the row
}

// keyedRowSize is the approximate memory of a key in bytes.
const keyedRowSize = 150

func importDigestOf(parts ...any) (digest importDigest) {
	whole := sha256.Sum256(fmt.Appendf(nil, "%#v", parts))
	copy(digest[:], whole[:])
	return digest
}

// claim records that the current row has a key. It returns the earlier row that has it, or 0, and whether that row differs.
func (im *run) claim(key ...any) (earlier int, differs bool, err error) {
	digest := importDigestOf(key...)
	switch first, known := im.keys[digest]; {
	case !known:
		if err := shop.MemoryBudgetOf(im.ctx).Take(keyedRowSize); err != nil {
			return 0, false, err
		}
		im.keys[digest] = keyedRow{im.row, im.content}
	case first.row < im.tried && first.content == im.content && !im.refused[first.row]: // the earlier row was rolled back
		return first.row, false, errRepeated
	case first.row < im.row: // not the current row, which may be imported again
		return first.row, first.content != im.content, nil
	}
	return 0, false, nil
}

// errRepeated ends a row of a trial that equals a row of an earlier part.
var errRepeated = errors.New("an earlier part of the trial had the row")

// OwnNumbersTaken implements OwnNumberStore. It includes the numbers that earlier parts of the trial gave.
func (tx *triedTx) OwnNumbersTaken(scope string, numbers []string) (map[string]string, error) {
	taken, err := tx.Tx.OwnNumbersTaken(scope, numbers)
	if err != nil || len(tx.before) == 0 {
		return taken, err
	}
	for _, number := range numbers {
		if owner, given := tx.before[[2]string{scope, number}]; given && taken[number] == "" {
			taken[number] = owner
		}
	}
	return taken, nil
}

// GiveOwnNumbers implements OwnNumberStore. It also records the numbers for later parts of the trial.
func (tx *triedTx) GiveOwnNumbers(numbers []shop.OwnNumber) error {
	for i := range numbers {
		tx.given[[2]string{numbers[i].Scope, numbers[i].Number}] = numbers[i].SerialID
	}
	return tx.Tx.GiveOwnNumbers(numbers)
}

// claimText claims a key in a column for the current row. It refuses the row if a different earlier row has the key. repeated reports
// whether an equal earlier row has it. It ignores an empty key.
func (im *run) claimText(column string, of ident.RecordKind, key string) (repeated bool, err error) {
	if key == "" {
		return false, nil
	}
	earlier, differs, err := im.claim(column, of, key)
	if err == nil && differs {
		err = refusal.RefuseField(KeyTwice, column, earlier)
	}
	return earlier > 0, err
}

// claimKeys claims the id and the external identifier of a row, and the record that they identify ("" if the row creates it).
func (im *run) claimKeys(of ident.RecordKind, id, externalID, record string) error {
	if outside, is := strings.CutPrefix(id, shop.ExternalMark); is {
		id, externalID = "", strings.TrimSpace(outside)
	}
	byID, err := im.claimText("id", of, id)
	if err != nil {
		return err
	}
	byExternalID, err := im.claimText("externalId", of, externalID)
	if err != nil || byID || byExternalID || record == id {
		return err
	}
	return im.claimRecord("externalId", of, record)
}

// claimRecord claims a record that a row identifies by a key other than its id. That key must be new in the file: then the record existed
// before this transaction, and its id is the same when the transaction runs again.
func (im *run) claimRecord(column string, of ident.RecordKind, record string) error {
	if record == "" {
		return nil
	}
	earlier, differs, err := im.claim("id", of, record)
	if err == nil && differs {
		err = refusal.RefuseField(KeyTwice, column, earlier)
	}
	return err
}

// KeyTwice refuses a row whose key a different earlier row has.
var KeyTwice = refusal.NewReason(refusal.Invalid, "key_twice", "{field} names the record of row {row}, and the two rows differ: remove one of them")
