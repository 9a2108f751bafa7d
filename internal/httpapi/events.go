package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/patience"
	"github.com/routecard/routecard/internal/tail"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// eventsPattern is the route of the stream. It is never compressed: that would delay events.
const eventsPattern = "GET /api/events"

const (
	// eventChunk is the number of entries that one client's stream reads from the store at a time, which limits its memory.
	eventChunk = 200
	// heartbeat is the interval at which an idle stream sends heartbeatEvent.
	heartbeat = 10 * time.Second
	// eventRetry sets the delay, in milliseconds, after which clients reconnect when they have lost the connection.
	eventRetry = "retry: 1000\n\n"
	// heartbeatEvent shows the client that the connection is alive.
	heartbeatEvent = "event: heartbeat\ndata: {}\n\n"
)

// eventQuery selects the entries that a stream sends. Empty fields do not filter.
type eventQuery struct {
	After    string `query:"after"`    // the identifier of the last entry that the client knows
	Types    string `query:"types"`    // actions, separated by commas
	JobID    string `query:"jobId"`    // entries that refer to this job
	SerialID string `query:"serialId"` // entries that refer to this serial
}

// eventFilter matches the entries that an eventQuery selects.
type eventFilter struct {
	actions         []trail.Action // nil for all
	jobID, serialID string
}

func (q eventQuery) filter() (eventFilter, error) {
	filter := eventFilter{jobID: q.JobID, serialID: q.SerialID}
	if q.Types == "" {
		return filter, nil
	}
	for name := range strings.SplitSeq(q.Types, ",") {
		action := trail.Action(name)
		if err := shop.CheckAction(action, "types"); err != nil {
			return filter, err
		}
		filter.actions = append(filter.actions, action)
	}
	return filter, nil
}

func (f eventFilter) passes(entry *trail.Entry) bool {
	return (f.actions == nil || slices.Contains(f.actions, entry.Action)) && (f.jobID == "" || entry.JobID == f.jobID) &&
		(f.serialID == "" || entry.SerialID == f.serialID)
}

// streamEvents streams committed audit entries as server-sent events, in the order of commit. The id of an event is the identifier of its
// entry: a client that reconnects with Last-Event-ID (or the parameter after) receives all later entries, without a gap. Without either,
// the stream begins with the next entry that is committed. For entries that a filter excludes, the client receives the id without an event,
// so that it resumes at the right place.
func streamEvents(s *Server, c *call, query eventQuery) error {
	ctx := c.r.Context()
	filter, err := query.filter()
	if err != nil {
		return err
	}
	last, err := s.lastHeard(c, query.After)
	if err != nil {
		return err
	}
	leave, err := s.openStream(c)
	if err != nil {
		return err
	}
	defer leave()
	header := c.w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no")
	if c.r.Method == http.MethodHead {
		return nil
	}
	stream := &eventStream{patience.Endless(c.w)}
	// The server's read deadline would end the stream.
	_ = http.NewResponseController(c.w).SetReadDeadline(time.Time{})
	if stream.send([]byte(eventRetry)) != nil || s.config.Tail == nil {
		return nil
	}
	ctx, end := s.untilStop(ctx)
	defer end()
	memory := shareOf(c.r)
	for asked := time.Now(); ; {
		memory.giveBack() // a waiting stream holds no memory
		waiting, cancel := context.WithTimeout(ctx, heartbeat)
		err := s.config.Tail.Wait(waiting, last)
		cancel()
		switch {
		case errors.Is(err, tail.ErrEnded), ctx.Err() != nil:
			stream.end(c)
			return nil
		case time.Since(asked) >= heartbeat:
			if asked = time.Now(); !s.stillReads(c) {
				return nil // the caller lost the permission to read
			}
		}
		var entries []trail.Entry
		quiet := err != nil // the stream was idle until the heartbeat
		if !quiet {
			entries, err = s.views.AuditAfter(ctx, last, eventChunk)
		}
		if quiet || errors.Is(err, refusal.ErrBusy) { // a stream of events can wait for a busy database
			if stream.send([]byte(heartbeatEvent)) != nil {
				return nil
			}
			continue
		}
		if err != nil {
			if ctx.Err() != nil {
				stream.end(c)
				return nil
			}
			return &cutOffError{err: err}
		}
		if slices.ContainsFunc(entries, func(e trail.Entry) bool { return access.Affects(e.Action) }) && !s.stillReads(c) {
			return nil // an entry withdrew the caller's permission
		}
		switch err := stream.sendEntries(entries, filter, memory); {
		case errors.Is(err, errGone):
			return nil
		case err != nil:
			return &cutOffError{err: err}
		case len(entries) > 0:
			last, _ = ident.AuditSequence(entries[len(entries)-1].ID)
		}
	}
}

// stillReads reports whether the caller may still read. The permission may have ended since the call began.
func (s *Server) stillReads(c *call) bool {
	return s.config.Access == nil || s.config.Access.Still(c.r, shop.Read)
}

// untilStop returns a context that ends when the service begins to stop.
func (s *Server) untilStop(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(ctx)
	go func() {
		select {
		case <-s.config.Stopping:
			end()
		case <-ctx.Done():
		}
	}()
	return ctx, end
}

type eventStream struct{ patient *patience.Writer }

// end sends eventRetry if the service, not the client, ends the stream.
func (s *eventStream) end(c *call) {
	if c.r.Context().Err() == nil {
		_ = s.send([]byte(eventRetry))
	}
}

// lastEventID is the header with which a client resumes a stream.
const lastEventID = "Last-Event-ID"

// lastHeard returns the sequence number of the entry after which a stream begins: the one that the client gave, but at most the latest.
func (s *Server) lastHeard(c *call, after string) (int64, error) {
	last, err := s.views.LastAuditSequence(c.r.Context())
	if err != nil {
		return 0, err
	}
	given, name := c.r.Header.Get(lastEventID), lastEventID
	if given == "" {
		given, name = after, afterName
	}
	if given == "" {
		return last, nil
	}
	sequence, ok := ident.AuditSequence(given)
	if !ok {
		return 0, refusal.RefuseField(eventIDForm, name)
	}
	return min(last, sequence), nil
}

// writeEvent writes one entry. JSON has no line feeds, so the data is one line.
func writeEvent(buffer *bytes.Buffer, entry *trail.Entry) error {
	text, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	buffer.WriteString("id: " + entry.ID + "\nevent: audit\ndata: ")
	buffer.Write(text)
	buffer.WriteString("\n\n")
	return nil
}

// send writes and flushes. It cuts off a client that does not read for patience.Piece.
func (s *eventStream) send(text []byte) error {
	if _, err := s.patient.Write(text); err != nil {
		return err
	}
	return s.patient.Flush()
}

// errGone says that the client no longer reads.
var errGone = errors.New("the client is gone")

// sendEntries sends the events of the entries that pass the filter, one buffer at a time.
func (s *eventStream) sendEntries(entries []trail.Entry, filter eventFilter, memory *share) error {
	var buffer bytes.Buffer
	for i := range entries {
		if filter.passes(&entries[i]) {
			if err := writeEvent(&buffer, &entries[i]); err != nil {
				return err
			}
		} else if i == len(entries)-1 {
			buffer.WriteString("id: " + entries[i].ID + "\n\n") // sets the client's Last-Event-ID without an event
		}
		if buffer.Len() < streamBuffer && i < len(entries)-1 {
			continue
		}
		memory.TakeNow(buffer.Cap())
		err := s.send(buffer.Bytes())
		memory.Release(buffer.Cap())
		if err != nil {
			return errGone
		}
		buffer.Reset()
	}
	return nil
}
