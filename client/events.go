package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"
)

// silence is the time without data after which a stream counts as broken. The service sends data every ten seconds.
const silence = 30 * time.Second

// longestEvent is the maximum length of the line of one entry.
const longestEvent = 32 << 20

// Events yields the entries of the audit trail as they are stored, from the moment of the call on or after the entry that After names. When
// the connection breaks, or the service is restarted, it reconnects and continues after the last entry that it yielded, so that none is
// missing and none comes twice. A program that stores the id of the last processed entry continues there after its own restart.
//
// It continues until the context ends or the service refuses the request. If the context ends, its error is yielded last.
func (c *Client) Events(ctx context.Context, params StreamEventsParams) iter.Seq2[AuditEntry, error] {
	return func(yield func(AuditEntry, error) bool) {
		last := params.After
		if last == "" {
			var err error
			if last, err = c.newest(ctx); err != nil {
				yield(AuditEntry{}, err)
				return
			}
		}
		params.After = ""
		wait := firstWait
		for {
			heard, err := c.follow(ctx, params, &last, yield)
			if heard {
				wait = firstWait
			}
			switch {
			case errors.Is(err, errStopped):
				return
			case ctx.Err() != nil:
				yield(AuditEntry{}, ctx.Err())
				return
			case err != nil && !worthRepeating(err):
				yield(AuditEntry{}, err)
				return
			}
			if !sleep(ctx, wait) {
				yield(AuditEntry{}, ctx.Err())
				return
			}
			wait = min(2*wait, longestWait)
		}
	}
}

// errStopped means that the caller's loop over the events has ended.
var errStopped = errors.New("stopped")

// newest returns the id of the newest entry of the trail.
func (c *Client) newest(ctx context.Context) (string, error) {
	entries, err := c.ListAuditEntries(ctx, ListAuditEntriesParams{Limit: 1})
	if err != nil || len(entries) == 0 {
		return "aud_0000000000000000", err
	}
	return entries[0].ID, nil
}

// follow yields what one connection brings and moves last on. It reports whether it brought anything.
func (c *Client) follow(
	ctx context.Context, params StreamEventsParams, last *string, yield func(AuditEntry, error) bool,
) (heard bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	prepared, err := c.prepare(request{method: http.MethodGet, path: "/api/events", query: params.values()},
		[]Option{Header("Last-Event-ID", *last)})
	if err != nil {
		return false, &unreadableError{err}
	}
	alarm := time.AfterFunc(silence, cancel)
	defer alarm.Stop()
	response, err := c.send(ctx, prepared)
	if err != nil {
		return false, err
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(make([]byte, 0, 64<<10), longestEvent)
	var id, data string
	for lines.Scan() {
		alarm.Reset(silence)
		heard = true
		field, value, _ := strings.Cut(lines.Text(), ":")
		switch value = strings.TrimPrefix(value, " "); field {
		case "id":
			id = value
		case "data":
			data = value // the service writes an entry in one line
		case "":
			if lines.Text() != "" { // a comment
				continue
			}
			if err := deliver(id, data, last, yield); err != nil {
				return heard, err
			}
			id, data = "", ""
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return heard, &unreadableError{err}
	} else if err != nil {
		return heard, err
	}
	return heard, io.ErrUnexpectedEOF
}

// deliver yields one event, if it is an entry. An id alone means that entries up to it were left out.
func deliver(id, data string, last *string, yield func(AuditEntry, error) bool) error {
	if id == "" {
		return nil // a heartbeat
	}
	if data != "" {
		var entry AuditEntry
		if err := json.Unmarshal([]byte(data), &entry); err != nil {
			return &unreadableError{err}
		}
		*last = id
		if !yield(entry, nil) {
			return errStopped
		}
		return nil
	}
	*last = id
	return nil
}
