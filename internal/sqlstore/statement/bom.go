package statement

import (
	"encoding/json"
	"iter"
	"math"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
)

type boms struct{ *db.Core }

const (
	bomStored  = `id, name, entries, created_at, updated_at, used`
	bomColumns = bomStored + db.ExternalOf + string(shop.RecordBOM) + `' AND x.record_id = bom.id` + db.ExternalEnd
)

func scanBOM(r db.Rows) (b shop.BOM, err error) {
	var entries string
	var used int64
	if err := r.Scan(&b.ID, &b.Name, &entries, &b.CreatedAt, &b.UpdatedAt, &used, &b.ExternalID); err != nil {
		return b, err
	}
	b.Used = used != 0
	if wrong := json.Unmarshal([]byte(entries), &b.Entries); wrong != nil {
		err = &shop.UnreadableError{Table: "bom", ID: b.ID, Err: wrong}
	}
	return b, err
}

func (t boms) InsertBOM(b shop.BOM) error {
	entries, err := json.Marshal(b.Entries)
	if err != nil {
		return err
	}
	return db.Run(t, `INSERT INTO bom (`+bomStored+`) VALUES ($1, $2, $3, $4, $5, $6)`,
		b.ID, b.Name, string(entries), int64(b.CreatedAt), int64(b.UpdatedAt), numberOf(b.Used))
}

func (t boms) UpdateBOM(b shop.BOM) error {
	entries, err := json.Marshal(b.Entries)
	if err != nil {
		return err
	}
	return db.ExpectOne(t, `UPDATE bom SET name = $2, entries = $3, updated_at = $4, used = $5 WHERE id = $1`,
		b.ID, b.Name, string(entries), int64(b.UpdatedAt), numberOf(b.Used))
}

func (t boms) BOM(id string) (shop.BOM, error) {
	return db.One(t, scanBOM, `SELECT `+bomColumns+` FROM bom WHERE id = $1`+t.Lock, id)
}

func (t boms) BOMs() iter.Seq2[shop.BOM, error] {
	return db.Readable(t.Core, db.Pages(func(last db.Listed[shop.BOM], first bool, limit int) ([]db.Listed[shop.BOM], bool, error) {
		if first {
			last.Record.ID = db.BeforeAll
		}
		return db.Page(t, db.Lenient(scanBOM), `SELECT `+bomColumns+` FROM bom
			WHERE id < $1 ORDER BY id DESC LIMIT $2`, last.Record.ID, limit)
	}))
}

func (t boms) InsertBOMVersion(v shop.BOMVersion) error {
	return db.Run(t, `INSERT INTO bom_version (bom_id, version_number, id, entries_snapshot, change_description, changed_by,
		created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`, v.BOMID, v.VersionNumber, v.ID, string(v.EntriesSnapshot),
		v.ChangeDescription, v.ChangedBy, int64(v.CreatedAt))
}

const bomVersionColumns = `bom_id, version_number, id, entries_snapshot, change_description, changed_by, created_at`

func scanBOMVersion(r db.Rows) (v shop.BOMVersion, err error) {
	var snapshot string
	err = r.Scan(&v.BOMID, &v.VersionNumber, &v.ID, &snapshot, &v.ChangeDescription, &v.ChangedBy, &v.CreatedAt)
	v.EntriesSnapshot = []byte(snapshot)
	return v, err
}

func (t boms) BOMVersions(bomID string) iter.Seq2[shop.BOMVersion, error] {
	return db.Pages(func(last shop.BOMVersion, first bool, limit int) ([]shop.BOMVersion, bool, error) {
		if first {
			last.VersionNumber = math.MaxInt64
		}
		return db.Page(t, scanBOMVersion, `SELECT bom_id, version_number, id, entries_snapshot, change_description, changed_by,
			created_at FROM bom_version WHERE bom_id = $1 AND version_number < $2 ORDER BY version_number DESC LIMIT $3`,
			bomID, last.VersionNumber, limit)
	})
}

func (t boms) LatestBOMVersion(bomID string) (int64, error) {
	return db.One(t, db.Scalar[int64], `SELECT COALESCE(MAX(version_number), 0) FROM bom_version WHERE bom_id = $1`, bomID)
}

// numberOf converts a flag to the integer that a column stores.
func numberOf(flag bool) int {
	if flag {
		return 1
	}
	return 0
}
