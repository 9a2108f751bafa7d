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
	// eventChunk is how many entries one client's stream reads from the store at a time, and so what it takes of memory.
	eventChunk = 200
	// heartbeat is how often a stream that has nothing to tell says that it is alive.
	heartbeat = 10 * time.Second
	// eventRetry tells clients how soon to come back after a lost connection, in milliseconds.
	eventRetry = "retry: 1000\n\n"
	// heartbeatEvent is what it says then.
	heartbeatEvent = "event: heartbeat\ndata: {}\n\n"
)

// eventQuery says of which entries a stream tells. Empty fields do not narrow.
type eventQuery struct {
	After    string `query:"after"`    // the identifier of the last entry that the client knows
	Types    string `query:"types"`    // actions, separated by commas
	JobID    string `query:"jobId"`    // entries that name this job
	SerialID string `query:"serialId"` // entries that name this serial
}

// eventFilter keeps the entries that an eventQuery asks for.
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

// streamEvents streams committed audit entries as server-sent events, in the order of commit. The event's id is the
// entry's: a client that comes back with Last-Event-ID (or the parameter after) gets everything behind that entry,
// without a gap. Without either the stream begins with what is committed next. A client that asks for some of the entries
// gets the ids of others without an event, so that it comes back to where the stream was.
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
	// The server's limit on reading a request would end the stream with it.
	_ = http.NewResponseController(c.w).SetReadDeadline(time.Time{})
	if stream.send([]byte(eventRetry)) != nil || s.config.Tail == nil {
		return nil
	}
	ctx, end := s.untilStop(ctx)
	defer end()
	memory := shareOf(c.r)
	for asked := time.Now(); ; {
		memory.giveBack() // a stream that waits holds nothing
		waiting, cancel := context.WithTimeout(ctx, heartbeat)
		err := s.config.Tail.Wait(waiting, last)
		cancel()
		switch {
		case errors.Is(err, tail.ErrEnded), ctx.Err() != nil:
			stream.end(c)
			return nil
		case time.Since(asked) >= heartbeat:
			if asked = time.Now(); !s.stillReads(c) {
				return nil // whoever it was may not read any more
			}
		}
		var entries []trail.Entry
		quiet := err != nil // nothing was written for a while
		if !quiet {
			entries, err = s.views.AuditAfter(ctx, last, eventChunk)
		}
		if quiet || errors.Is(err, refusal.ErrBusy) { // whoever waits for events can wait
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
			return nil // it is they whom an entry tells of
		}
		switch err := stream.tell(entries, filter, memory); {
		case errors.Is(err, errGone):
			return nil
		case err != nil:
			return &cutOffError{err: err}
		case len(entries) > 0:
			last, _ = ident.AuditSequence(entries[len(entries)-1].ID)
		}
	}
}

// stillReads says whether whoever made a call may read now, which may have ended since the call began.
func (s *Server) stillReads(c *call) bool {
	return s.config.Access == nil || s.config.Access.Still(c.r, shop.Read)
}

// untilStop is a context that ends when the service begins to stop.
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

// end says when to come back, when it is the service that ends and not the client.
func (s *eventStream) end(c *call) {
	if c.r.Context().Err() == nil {
		_ = s.send([]byte(eventRetry))
	}
}

// lastEventID is the header with which a client resumes a stream.
const lastEventID = "Last-Event-ID"

// lastHeard is the sequence of the entry behind which a stream begins: the one that the client names, never a later one
// than there is.
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

// writeEvent writes one entry. JSON has no line feeds, so its data is one line.
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

// send writes and flushes. A client that does not read for patience.Piece is cut off.
func (s *eventStream) send(text []byte) error {
	if _, err := s.patient.Write(text); err != nil {
		return err
	}
	return s.patient.Flush()
}

// errGone is a client that does not read any more.
var errGone = errors.New("the client is gone")

// tell sends the events of the entries that pass, a buffer at a time.
func (s *eventStream) tell(entries []trail.Entry, filter eventFilter, memory *share) error {
	var buffer bytes.Buffer
	for i := range entries {
		if filter.passes(&entries[i]) {
			if err := writeEvent(&buffer, &entries[i]); err != nil {
				return err
			}
		} else if i == len(entries)-1 {
			buffer.WriteString("id: " + entries[i].ID + "\n\n") // sets the client's Last-Event-ID, and is no event
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
