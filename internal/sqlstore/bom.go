package sqlstore

import (
	"encoding/json"
	"iter"
	"math"

	"github.com/routecard/routecard/shop"
)

const (
	bomStored  = `id, name, entries, created_at, updated_at`
	bomColumns = bomStored + externalOf + string(shop.RecordBOM) + `' AND x.record_id = bom.id` + externalEnd
)

func scanBOM(r rows) (b shop.BOM, err error) {
	var entries string
	if err := r.Scan(&b.ID, &b.Name, &entries, &b.CreatedAt, &b.UpdatedAt, &b.ExternalID); err != nil {
		return b, err
	}
	if wrong := json.Unmarshal([]byte(entries), &b.Entries); wrong != nil {
		err = &shop.UnreadableError{Table: "bom", ID: b.ID, Err: wrong}
	}
	return b, err
}

func (t *transaction) InsertBOM(b shop.BOM) error {
	entries, err := json.Marshal(b.Entries)
	if err != nil {
		return err
	}
	return run(t, `INSERT INTO bom (`+bomStored+`) VALUES ($1, $2, $3, $4, $5)`,
		b.ID, b.Name, string(entries), int64(b.CreatedAt), int64(b.UpdatedAt))
}

func (t *transaction) UpdateBOM(b shop.BOM) error {
	entries, err := json.Marshal(b.Entries)
	if err != nil {
		return err
	}
	return expectOne(t, `UPDATE bom SET name = $2, entries = $3, updated_at = $4 WHERE id = $1`,
		b.ID, b.Name, string(entries), int64(b.UpdatedAt))
}

func (t *transaction) BOM(id string) (shop.BOM, error) {
	return one(t, scanBOM, `SELECT `+bomColumns+` FROM bom WHERE id = $1`+t.lock, id)
}

func (t *transaction) BOMs() iter.Seq2[shop.BOM, error] {
	return readable(t, pages(func(last listed[shop.BOM], first bool, limit int) ([]listed[shop.BOM], bool, error) {
		if first {
			last.record.ID = beforeAll
		}
		return page(t, lenient(scanBOM), `SELECT `+bomColumns+` FROM bom
			WHERE id < $1 ORDER BY id DESC LIMIT $2`, last.record.ID, limit)
	}))
}

func (t *transaction) InsertBOMVersion(v shop.BOMVersion) error {
	return run(t, `INSERT INTO bom_version (bom_id, version_number, id, entries_snapshot, change_description, changed_by,
		created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`, v.BOMID, v.VersionNumber, v.ID, string(v.EntriesSnapshot),
		v.ChangeDescription, v.ChangedBy, int64(v.CreatedAt))
}

const bomVersionColumns = `bom_id, version_number, id, entries_snapshot, change_description, changed_by, created_at`

func scanBOMVersion(r rows) (v shop.BOMVersion, err error) {
	var snapshot string
	err = r.Scan(&v.BOMID, &v.VersionNumber, &v.ID, &snapshot, &v.ChangeDescription, &v.ChangedBy, &v.CreatedAt)
	v.EntriesSnapshot = []byte(snapshot)
	return v, err
}

func (t *transaction) BOMVersions(bomID string) iter.Seq2[shop.BOMVersion, error] {
	return pages(func(last shop.BOMVersion, first bool, limit int) ([]shop.BOMVersion, bool, error) {
		if first {
			last.VersionNumber = math.MaxInt64
		}
		return page(t, scanBOMVersion, `SELECT bom_id, version_number, id, entries_snapshot, change_description, changed_by,
			created_at FROM bom_version WHERE bom_id = $1 AND version_number < $2 ORDER BY version_number DESC LIMIT $3`,
			bomID, last.VersionNumber, limit)
	})
}

func (t *transaction) LatestBOMVersion(bomID string) (int64, error) {
	return one(t, scalar[int64], `SELECT COALESCE(MAX(version_number), 0) FROM bom_version WHERE bom_id = $1`, bomID)
}
