package statement

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

type firstArticles struct{ *db.Core }

const (
	firstArticleStored = `id, number, status, job_id, path_id, serial_ids, kind, reason, baseline, characteristics, identifier, part_number,
		part_revision, typed, created_by, created_at, updated_at, verified_by, verified_at, sha256, approved_by, approved_at, customer,
		content, voided_at, voided_by, void_reason`
	firstArticleColumns = `first_article.id, status, job_id, path_id, serial_ids, first_article.kind, reason, baseline, characteristics,
		identifier, part_number, part_revision, typed, created_by, created_at, updated_at, verified_by, verified_at, sha256, approved_by,
		approved_at, customer, voided_at, voided_by, void_reason`
	externalOfFirstArticle = db.ExternalOf + string(shop.RecordFirstArticle) + `' AND x.record_id = first_article.id` + db.ExternalEnd
	listedFirstArticles    = firstArticleColumns + externalOfFirstArticle + `, ''`
	selectListed           = `SELECT ` + listedFirstArticles + ` FROM first_article`
	selectFirstArticles    = `SELECT ` + firstArticleColumns + externalOfFirstArticle + `, content FROM first_article`
)

func scanFirstArticle(r db.Rows) (f shop.FirstArticle, err error) {
	var serials, characteristics, typed, customer string
	if err := r.Scan(&f.ID, &f.Status, &f.JobID, &f.PathID, &serials, &f.Kind, &f.Reason, &f.Baseline, &characteristics, &f.Identifier,
		&f.PartNumber, &f.PartRevision, &typed, &f.CreatedBy, &f.CreatedAt, &f.UpdatedAt, &f.VerifiedBy, &f.VerifiedAt, &f.SHA256,
		&f.ApprovedBy, &f.ApprovedAt, &customer, &f.VoidedAt, &f.VoidedBy, &f.VoidReason, &f.ExternalID, &f.Content); err != nil {
		return f, err
	}
	f.SerialIDs = strings.Fields(serials)
	for _, column := range []struct {
		text string
		to   any
	}{{characteristics, &f.Characteristics}, {typed, &f.Typed}, {customer, &f.Customer}} {
		if column.text == "" {
			continue
		}
		if wrong := json.Unmarshal([]byte(column.text), column.to); wrong != nil {
			return f, &shop.UnreadableError{Table: "first_article", ID: f.ID, Err: wrong}
		}
	}
	return f, nil
}

// jsonOr returns a value as JSON, and "" if it has nothing.
func jsonOr(value any, nothing bool) (string, error) {
	if nothing {
		return "", nil
	}
	text, err := json.Marshal(value)
	return string(text), err
}

func (t firstArticles) TakeFirstArticleNumber() (int64, error) {
	return db.One(t, db.Scalar[int64], `UPDATE counter SET value = value + 1 WHERE name = 'first_article' RETURNING value`)
}

func (t firstArticles) InsertFirstArticle(f shop.FirstArticle) error {
	number, _ := shop.ParseFirstArticleID(f.ID)
	characteristics, err := jsonOr(f.Characteristics, len(f.Characteristics) == 0)
	if err != nil {
		return err
	}
	if err := db.Run(t, `INSERT INTO first_article (`+firstArticleStored+`) VALUES (`+db.PlaceholderList(1, 13)+`, '', $14, $15, $16, '', 0,
		'', '', 0, '', '', 0, '', '')`, f.ID, number, string(f.Status), f.JobID, f.PathID, strings.Join(f.SerialIDs, " "), string(f.Kind),
		f.Reason, f.Baseline, characteristics, f.Identifier, f.PartNumber, f.PartRevision, f.CreatedBy, int64(f.CreatedAt),
		int64(f.UpdatedAt)); err != nil {
		return err
	}
	args := make([]any, 0, 2*len(f.SerialIDs))
	for _, id := range f.SerialIDs {
		serial, _ := t.Prefix.ParseSerialID(id)
		args = append(args, f.ID, serial)
	}
	for _, statement := range db.Inserts(`INSERT INTO first_article_unit (first_article_id, serial_number) VALUES`, 2, args, ``) {
		if err := db.Run(t, statement.SQL, statement.Args...); err != nil {
			return err
		}
	}
	return nil
}

func (t firstArticles) UpdateFirstArticle(f shop.FirstArticle) error {
	typed, err := jsonOr(f.Typed, len(f.Typed) == 0)
	if err != nil {
		return err
	}
	customer, err := jsonOr(f.Customer, f.Customer == nil)
	if err != nil {
		return err
	}
	files := []string{f.SHA256}
	if f.Customer != nil {
		files = append(files, f.Customer.SHA256)
	}
	for _, digest := range files {
		if digest == "" {
			continue
		}
		if err := db.Run(t, `UPDATE file SET attached = 1 WHERE sha256 = $1 AND attached = 0`, digest); err != nil {
			return err
		}
	}
	return db.ExpectOne(t, `UPDATE first_article SET status = $2, part_number = $3, part_revision = $4, typed = $5, updated_at = $6,
		verified_by = $7, verified_at = $8, sha256 = $9, approved_by = $10, approved_at = $11, customer = $12, content = $13,
		voided_at = $14, voided_by = $15, void_reason = $16 WHERE id = $1`, f.ID, string(f.Status), f.PartNumber, f.PartRevision, typed,
		int64(f.UpdatedAt), f.VerifiedBy, int64(f.VerifiedAt), f.SHA256, f.ApprovedBy, int64(f.ApprovedAt), customer, f.Content,
		int64(f.VoidedAt), f.VoidedBy, f.VoidReason)
}

func (t firstArticles) FirstArticle(id string) (shop.FirstArticle, error) {
	return db.One(t, scanFirstArticle, selectFirstArticles+` WHERE first_article.id = $1`+t.Lock, id)
}

func (t firstArticles) FirstArticles(query shop.FirstArticleQuery) ([]shop.FirstArticle, error) {
	var c db.Conditions
	c.AddBefore(query.Before, shop.ParseFirstArticleID)
	NarrowFirstArticles(t.Prefix, &c, query)
	return db.All(t, scanFirstArticle, selectListed+c.Where()+fmt.Sprintf(` ORDER BY number DESC LIMIT $%d`, len(c.Args)+1),
		append(c.Args, query.Limit)...)
}

// NarrowFirstArticles adds the conditions of a query, except for the cursor.
func NarrowFirstArticles(prefix ident.Prefix, c *db.Conditions, query shop.FirstArticleQuery) {
	c.AddContaining(query.Text, "first_article.id", "identifier", "part_number")
	for _, same := range []struct{ column, value string }{
		{"part_number", query.PartNumber}, {"job_id", query.JobID}, {"path_id", query.PathID}, {"status", string(query.Status)},
	} {
		if same.value != "" {
			c.Add(same.column+` = ?`, same.value)
		}
	}
	if query.SerialID != "" {
		serial, _ := prefix.ParseSerialID(query.SerialID)
		c.Add(`first_article.id IN (SELECT u.first_article_id FROM first_article_unit u WHERE u.serial_number = ?)`, serial)
	}
}

func (t firstArticles) FirstArticlesOfUnit(serialID string) ([]shop.FirstArticle, error) {
	serial, _ := t.Prefix.ParseSerialID(serialID)
	return db.All(t, scanFirstArticle, selectFirstArticles+` WHERE first_article.id IN
		(SELECT u.first_article_id FROM first_article_unit u WHERE u.serial_number = $1) ORDER BY number`, serial)
}

// AllFirstArticles also reads the rows of the units. If they differ from the units that the first article itself names, the database was
// edited: then the first article has both, with "" between them, which no entry records.
func (t firstArticles) AllFirstArticles() iter.Seq2[shop.FirstArticle, error] {
	type listed = db.Listed[shop.FirstArticle]
	return db.Readable(t.Core, db.Pages(func(last listed, _ bool, limit int) ([]listed, bool, error) {
		number, _ := shop.ParseFirstArticleID(last.Record.ID)
		found, cut, err := db.Page(t, db.Lenient(scanFirstArticle), selectFirstArticles+` WHERE number > $1 ORDER BY number LIMIT $2`,
			number, limit)
		for i := range found {
			if f := &found[i].Record; err == nil && found[i].Wrong == nil {
				f.SerialIDs, err = t.unitsOf(f)
			}
		}
		return found, cut, err
	}))
}

func (t firstArticles) unitsOf(f *shop.FirstArticle) ([]string, error) {
	numbers, err := db.All(t, db.Scalar[int64],
		`SELECT serial_number FROM first_article_unit WHERE first_article_id = $1 ORDER BY serial_number`, f.ID)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(numbers))
	for i, number := range numbers {
		ids[i] = t.Prefix.SerialID(number)
	}
	named := slices.Sorted(slices.Values(f.SerialIDs))
	if slices.Equal(slices.Sorted(slices.Values(ids)), named) {
		return f.SerialIDs, nil
	}
	return slices.Concat(f.SerialIDs, []string{""}, ids), nil
}

func (t firstArticles) ApprovedFirstArticle(partNumber, partRevision string) (shop.FirstArticle, error) {
	return db.One(t, scanFirstArticle, selectListed+` WHERE part_number = $1 AND part_revision = $2 AND status = 'approved'
		AND voided_at = 0 ORDER BY number DESC LIMIT 1`, partNumber, partRevision)
}

// ProductionOf reads the first and the last unit of each path by the index of paths and numbers.
func (t firstArticles) ProductionOf(partNumber, partRevision string) ([]shop.Production, error) {
	return db.All(t, func(r db.Rows) (p shop.Production, err error) {
		err = r.Scan(&p.From, &p.To)
		return p, err
	}, productionOf(`lower(j.own_part_number) = $3 AND j.own_part_number <> '' AND j.own_part_number = $1`)+` UNION ALL `+
		productionOf(`lower(j.part_number) = $3 AND j.part_number <> '' AND j.part_number = $1 AND j.own_part_number = ''`)+
		` ORDER BY 1, 2`, partNumber, partRevision, db.Lowered(partNumber))
}

func productionOf(condition string) string {
	return `SELECT a.created_at, z.created_at FROM job j JOIN path p ON p.job_id = j.id
		JOIN serial a ON a.number = (SELECT MIN(s.number) FROM serial s WHERE s.path_id = p.id)
		JOIN serial z ON z.number = (SELECT MAX(s.number) FROM serial s WHERE s.path_id = p.id)
		WHERE ` + condition + ` AND j.part_revision = $2`
}
