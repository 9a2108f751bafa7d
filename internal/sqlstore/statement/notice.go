package statement

import (
	"encoding/json"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/notice"
)

type notices struct{ *db.Core }

// NoticeSettings locks the name of the settings, because there may be no row to lock.
func (t notices) NoticeSettings() ([]notice.Settings, error) {
	if err := t.LockAbsent("notice settings"); err != nil {
		return nil, err
	}
	return db.All(t, func(r db.Rows) (s notice.Settings, err error) {
		var rows string
		if err := r.Scan(&s.ID, &rows, &s.QuietFrom, &s.QuietTo, &s.HeldDays, &s.DueDays); err != nil {
			return s, err
		}
		if wrong := json.Unmarshal([]byte(rows), &s.Rows); wrong != nil {
			return s, &shop.UnreadableError{Table: "notice_settings", ID: s.ID, Err: wrong}
		}
		return s, nil
	}, `SELECT id, recipients, quiet_from, quiet_to, held_days, due_days FROM notice_settings ORDER BY id`)
}

func (t notices) PutNoticeSettings(s notice.Settings) error {
	rows, err := json.Marshal(s.Rows)
	if err != nil {
		return err
	}
	return db.Run(t, `INSERT INTO notice_settings (id, recipients, quiet_from, quiet_to, held_days, due_days)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (id) DO UPDATE SET recipients = excluded.recipients, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
		held_days = excluded.held_days, due_days = excluded.due_days`,
		s.ID, string(rows), s.QuietFrom, s.QuietTo, s.HeldDays, s.DueDays)
}

func (t notices) LockNotices() error { return t.LockAbsent("notices") }

func (t notices) InsertNoticeCause(kind notice.Kind, key, day string) (bool, error) {
	n, err := db.Affecting(t, `INSERT INTO notice_cause (day, kind, key) VALUES ($1, $2, $3) ON CONFLICT (day, kind, key) DO NOTHING`,
		day, string(kind), key)
	return n > 0, err
}

const noticeColumns = `id, kind, channel, target, causes, created_at, due_at, attempts, leased_to, state, done_at, answer`

func scanNotice(r db.Rows) (m notice.Message, err error) {
	var causes string
	if err := r.Scan(&m.ID, &m.Kind, &m.Channel, &m.Target, &causes, &m.CreatedAt, &m.DueAt, &m.Attempts, &m.LeasedTo, &m.State,
		&m.DoneAt, &m.Answer); err != nil {
		return m, err
	}
	if wrong := json.Unmarshal([]byte(causes), &m.Causes); wrong != nil {
		return m, &shop.UnreadableError{Table: "notice", ID: m.ID, Err: wrong}
	}
	return m, nil
}

func (t notices) WaitingNotices(limit int) ([]notice.Message, error) {
	return db.All(t, scanNotice, `SELECT `+noticeColumns+` FROM notice WHERE done_at = 0 ORDER BY id LIMIT $1`, limit)
}

func (t notices) LatestNotices(limit int) ([]notice.Message, error) {
	return db.All(t, scanNotice, `SELECT `+noticeColumns+` FROM notice WHERE id > '' ORDER BY id DESC LIMIT $1`, limit)
}

func (t notices) PutNotice(m notice.Message) error {
	causes, err := json.Marshal(m.Causes)
	if err != nil {
		return err
	}
	return db.Run(t, `INSERT INTO notice (`+noticeColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
		ON CONFLICT (id) DO UPDATE SET causes = excluded.causes, due_at = excluded.due_at, attempts = excluded.attempts,
		leased_to = excluded.leased_to, state = excluded.state, done_at = excluded.done_at, answer = excluded.answer`,
		m.ID, string(m.Kind), string(m.Channel), m.Target, string(causes), int64(m.CreatedAt), int64(m.DueAt), m.Attempts,
		int64(m.LeasedTo), string(m.State), int64(m.DoneAt), m.Answer)
}

func (t notices) ForgetNotices(before ident.Timestamp, day string) error {
	if err := db.Run(t, `DELETE FROM notice WHERE done_at > 0 AND done_at < $1`, int64(before)); err != nil {
		return err
	}
	return db.Run(t, `DELETE FROM notice_cause WHERE day < $1`, day)
}
