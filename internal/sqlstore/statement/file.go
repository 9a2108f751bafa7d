package statement

import (
	"iter"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

type files struct{ *db.Core }

const selectFiles = `SELECT sha256, size, type, pixels, uploaded_at, state, attached FROM file`

func scanFile(r db.Rows) (f shop.File, err error) {
	var attached int64
	err = r.Scan(&f.SHA256, &f.Size, &f.Type, &f.Pixels, &f.UploadedAt, &f.State, &attached)
	f.Attached = attached != 0
	return f, err
}

func (t files) File(digest string) (shop.File, error) {
	return db.One(t, scanFile, selectFiles+` WHERE sha256 = $1`+t.Lock, digest)
}

func (t files) FileUploadedBy(digest, login string) (bool, error) {
	return db.One(t, db.Scalar[bool], `SELECT EXISTS (SELECT 1 FROM file_upload WHERE sha256 = $1 AND uploaded_by = $2)`, digest, login)
}

const (
	fileLinkColumns = `l.id, l.on_kind, l.on_id, l.sha256, f.size, f.type, f.pixels, l.name, l.kind, l.note, l.attached_by,
	l.attached_at, l.voided_at, l.voided_by, l.void_reason`
	fileLinkTables  = `file_link l JOIN file f ON f.sha256 = l.sha256`
	selectFileLinks = `SELECT ` + fileLinkColumns + ` FROM ` + fileLinkTables
)

func scanFileLink(r db.Rows) (l shop.FileLink, err error) {
	err = r.Scan(&l.ID, &l.On.Kind, &l.On.ID, &l.SHA256, &l.Size, &l.Type, &l.Pixels, &l.Name, &l.Kind, &l.Note, &l.AttachedBy,
		&l.AttachedAt, &l.VoidedAt, &l.VoidedBy, &l.VoidReason)
	return l, err
}

func (t files) AttachFile(links []shop.FileLink) error {
	if len(links) == 0 {
		return nil
	}
	if links[0].On.Kind == shop.RecordStep {
		if err := lockStep(t.Core, links[0].On.ID); err != nil {
			return err
		}
	}
	if err := db.Run(t, `UPDATE file SET attached = 1 WHERE sha256 = $1 AND attached = 0`, links[0].SHA256); err != nil {
		return err
	}
	const width = 9
	args := make([]any, 0, width*len(links))
	for i := range links {
		l := &links[i]
		args = append(args, l.ID, string(l.On.Kind), l.On.ID, l.SHA256, l.Name, string(l.Kind), l.Note, l.AttachedBy, int64(l.AttachedAt))
	}
	return db.InsertAll(t, `INSERT INTO file_link (id, on_kind, on_id, sha256, name, kind, note, attached_by, attached_at) VALUES`,
		width, args, "")
}

func (t files) FileLink(id string) (shop.FileLink, error) {
	lock := t.Lock
	if lock != "" {
		lock += ` OF l`
	}
	return db.One(t, scanFileLink, selectFileLinks+` WHERE l.id = $1`+lock, id)
}

func (t files) FileLinks(on shop.FileSubject) ([]shop.FileLink, error) {
	return db.All(t, scanFileLink, selectFileLinks+` WHERE l.on_kind = $1 AND l.on_id = $2 ORDER BY l.id`, string(on.Kind), on.ID)
}

func (t files) VoidFileLink(id string, v card.Voiding) error {
	return db.ExpectOne(t, `UPDATE file_link SET voided_at = $2, voided_by = $3, void_reason = $4 WHERE id = $1 AND voided_at = 0`,
		id, int64(v.VoidedAt), v.VoidedBy, v.VoidReason)
}

func (t files) AllFileLinks() iter.Seq2[shop.FileLink, error] {
	return db.Pages(func(last shop.FileLink, _ bool, limit int) ([]shop.FileLink, bool, error) {
		return db.Page(t, scanFileLink, selectFileLinks+` WHERE l.id > $1 ORDER BY l.id LIMIT $2`, last.ID, limit)
	})
}

func (t files) PutFile(f shop.File) error {
	return db.Run(t, `INSERT INTO file (sha256, size, type, pixels, uploaded_at, state, attached) VALUES ($1, $2, $3, $4, $5, $6, 0)
		ON CONFLICT (sha256) DO UPDATE SET size = excluded.size, type = excluded.type, pixels = excluded.pixels,
		uploaded_at = excluded.uploaded_at, state = excluded.state`,
		f.SHA256, f.Size, f.Type, f.Pixels, int64(f.UploadedAt), string(f.State))
}

func (t files) PutFileUpload(digest, login string, at ident.Timestamp) error {
	return db.Run(t, `INSERT INTO file_upload (sha256, uploaded_by, uploaded_at) VALUES ($1, $2, $3)
		ON CONFLICT (sha256, uploaded_by) DO UPDATE SET uploaded_at = excluded.uploaded_at`, digest, login, int64(at))
}

func (t files) DismissFiles(before ident.Timestamp, limit int) ([]string, error) {
	if err := db.Run(t, `UPDATE file SET state = 'leaving' WHERE attached = 0 AND uploaded_at < $1 AND state <> 'leaving'`,
		int64(before)); err != nil {
		return nil, err
	}
	return db.All(t, db.Scalar[string], `SELECT sha256 FROM file WHERE attached = 0 AND uploaded_at < $1 AND state = 'leaving'
		ORDER BY uploaded_at, sha256 LIMIT $2`, int64(before), limit)
}

func (t files) ForgetFile(digest string) error {
	if err := db.Run(t, `DELETE FROM file_upload WHERE sha256 IN (SELECT sha256 FROM file WHERE sha256 = $1 AND state = 'leaving')`,
		digest); err != nil {
		return err
	}
	return db.Run(t, `DELETE FROM file WHERE sha256 = $1 AND state = 'leaving'`, digest)
}

func (t files) KeptFiles() iter.Seq2[shop.File, error] {
	return db.Pages(func(last shop.File, _ bool, limit int) ([]shop.File, bool, error) {
		return db.Page(t, scanFile, selectFiles+` WHERE sha256 > $1 AND state = 'kept' ORDER BY sha256 LIMIT $2`, last.SHA256, limit)
	})
}
