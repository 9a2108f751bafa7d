package sqlstore

import (
	"strconv"
	"strings"

	"github.com/routecard/routecard"
)

// SQLite's driver asks the engine three times for each column of each row, under a lock each time, so that most of the
// time of reading a trail of fourteen columns went there. A page of it is therefore read as one value, which the engine
// makes: an array of arrays. A row that does not fit into that is read by its columns.

// sqliteAuditPage reads the entries between two sequence numbers. Long metadata is left out, as null.
const sqliteAuditPage = `SELECT json_group_array(json_array(sequence, action, user_id, at, serial_number, certificate_id, job_id,
	path_id, step_id, from_step_id, to_step_id, batch_quantity, CASE WHEN octet_length(metadata) <= 4000 THEN metadata END, actor))
	FROM audit WHERE sequence > $1 AND sequence <= $2`

// fewEntries are read by their columns as fast.
const fewEntries = 32

// auditPage reads the entries behind a sequence number, fewer than asked for when their texts weigh too much. It returns
// none where one is missing or is not what the program writes: then the columns tell what there is.
func (t *transaction) auditPage(sequence int64, limit int) ([]routecard.AuditEntry, error) {
	text, err := one(t, scalar[string], t.auditPageQuery, sequence, sequence+int64(limit))
	if err != nil {
		return nil, nil //nolint:nilerr // somebody has put in what is no JSON, such as a number where a text belongs
	}
	const usual = 128 // bytes of an entry
	p := pageParser{text: text, entries: make([]routecard.AuditEntry, 0, min(limit, len(text)/usual+1))}
	p.take('[')
	for next := sequence + 1; !p.wrong && p.weight <= pageWeight && p.at < len(text) && text[p.at] != ']'; next++ {
		if len(p.entries) > 0 {
			p.take(',')
		}
		long := p.entry(next)
		if p.wrong {
			break
		}
		if long {
			row, err := one(t, scanAudit, `SELECT sequence, `+auditColumns+` FROM audit WHERE sequence = $1`, next)
			if err != nil {
				return nil, err
			}
			p.entries[len(p.entries)-1] = row.entry
			p.weight += len(row.entry.Metadata)
		}
	}
	if p.wrong {
		return nil, nil
	}
	return p.entries, nil
}

// pageParser reads what sqliteAuditPage makes. Its entries share the memory of the text.
type pageParser struct {
	text    string
	at      int
	entries []routecard.AuditEntry
	weight  int  // of long texts
	wrong   bool // it is not what was expected
}

// entry reads one entry, and reports whether its metadata was left out.
func (p *pageParser) entry(sequence int64) (long bool) {
	p.entries = append(p.entries, routecard.AuditEntry{ID: routecard.AuditID(sequence)})
	e := &p.entries[len(p.entries)-1]
	p.take('[')
	p.wrong = p.number() != sequence || p.wrong
	e.Action = routecard.AuditAction(p.nextText())
	e.UserID = p.nextText()
	e.Timestamp = routecard.Timestamp(p.nextNumber())
	if number := p.nextNumber(); number != 0 {
		e.SerialID = routecard.SerialID(number)
	}
	for _, text := range []*string{&e.CertID, &e.JobID, &e.PathID, &e.StepID, &e.FromStepID, &e.ToStepID} {
		*text = p.nextText()
	}
	e.BatchQuantity = p.nextNumber()
	p.take(',')
	if long = strings.HasPrefix(p.text[p.at:], "null"); long {
		p.at += len("null")
	} else if metadata := p.string(); metadata != "" {
		e.Metadata = []byte(metadata)
		p.weight += len(metadata)
	}
	e.Actor = p.nextText()
	p.take(']')
	return long
}

// take passes over a byte that has to be there.
func (p *pageParser) take(b byte) {
	if p.wrong || p.at >= len(p.text) || p.text[p.at] != b {
		p.wrong = true
		return
	}
	p.at++
}

func (p *pageParser) nextNumber() int64 {
	p.take(',')
	return p.number()
}

func (p *pageParser) number() int64 {
	from := p.at
	for p.at < len(p.text) && p.text[p.at] != ',' && p.text[p.at] != ']' {
		p.at++
	}
	number, err := strconv.ParseInt(p.text[from:p.at], 10, 64)
	p.wrong = p.wrong || err != nil
	return number
}

func (p *pageParser) nextText() string {
	p.take(',')
	return p.string()
}

func (p *pageParser) string() string {
	p.take('"')
	if p.wrong {
		return ""
	}
	for i := p.at; i < len(p.text); i++ {
		switch p.text[i] {
		case '"':
			text := p.text[p.at:i]
			p.at = i + 1
			return text
		case '\\':
			return p.escaped(i)
		}
	}
	p.wrong = true
	return ""
}

// escaped goes on with a text from its first backslash. Bytes that are no UTF-8 stay as they are.
func (p *pageParser) escaped(at int) string {
	var text strings.Builder
	for {
		text.WriteString(p.text[p.at:at])
		if p.at = at + 1; p.text[at] == '"' {
			return text.String()
		}
		p.unescape(&text)
		if p.wrong {
			return ""
		}
		next := strings.IndexAny(p.text[p.at:], `"\`)
		if next < 0 {
			p.wrong = true
			return ""
		}
		at = p.at + next
	}
}

// unescape reads what is behind a backslash.
func (p *pageParser) unescape(text *strings.Builder) {
	const codeDigits = 4
	if p.at >= len(p.text) {
		p.wrong = true
		return
	}
	b := p.text[p.at]
	p.at++
	switch b {
	case '"', '\\', '/':
		text.WriteByte(b)
	case 'b':
		text.WriteByte('\b')
	case 'f':
		text.WriteByte('\f')
	case 'n':
		text.WriteByte('\n')
	case 'r':
		text.WriteByte('\r')
	case 't':
		text.WriteByte('\t')
	case 'u': // SQLite writes only control characters so
		end := min(p.at+codeDigits, len(p.text))
		code, err := strconv.ParseUint(p.text[p.at:end], 16, 16)
		p.wrong = err != nil || code >= ' ' || end-p.at < codeDigits
		text.WriteByte(byte(code)) //nolint:gosec // below 32
		p.at = end
	default:
		p.wrong = true
	}
}
