package httpapi

import (
	"bufio"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/routecard/routecard/internal/tail"
	"github.com/routecard/routecard/shop/ident"
)

// openLiveShop returns a shop with a tail of its trail. If told is true, the tail is notified of commits; otherwise it polls, as for
// commits of other instances. stop stops the tail.
func openLiveShop(t *testing.T, told bool) (s *servedShop, stop func()) {
	t.Helper()
	follower := tail.New(slog.New(slog.DiscardHandler))
	store, database := openStore(t)
	ctx, cancel := context.WithCancel(context.Background())
	var following sync.WaitGroup
	following.Go(func() { follower.Run(ctx, store) })
	face := newFace(store, func(c *Config) { c.Tail = follower })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		face.ServeHTTP(w, r)
		if told {
			follower.Committed()
		}
	}))
	t.Cleanup(func() {
		cancel()
		following.Wait()
		server.Close()
	})
	return &servedShop{Server: server, store: store, database: database}, cancel
}

// listener reads one stream of events.
type listener struct {
	t        *testing.T
	response *http.Response
	lines    *bufio.Scanner
}

func (s *servedShop) listen(t *testing.T, target, lastEventID string) *listener {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+target, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if lastEventID != "" {
		request.Header.Set("Last-Event-ID", lastEventID)
	}
	response, err := s.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || kind != "text/event-stream" {
		t.Fatalf("status %d, type %q", response.StatusCode, kind)
	}
	return &listener{t, response, bufio.NewScanner(response.Body)}
}

// next returns the ids of the next events.
func (l *listener) next(count int) []string {
	l.t.Helper()
	var ids []string
	for len(ids) < count && l.lines.Scan() {
		if id, ok := strings.CutPrefix(l.lines.Text(), "id: "); ok {
			ids = append(ids, id)
			if !l.lines.Scan() || l.lines.Text() != "event: audit" || !l.lines.Scan() ||
				!strings.HasPrefix(l.lines.Text(), `data: {"id":"`+id+`"`) {
				l.t.Fatalf("event %s goes on with %q", id, l.lines.Text())
			}
		}
	}
	if len(ids) < count {
		l.t.Fatalf("the stream ended after %v: %v", ids, l.lines.Err())
	}
	return ids
}

// makeUnits creates a job with serials.
func (s *servedShop) makeUnits(t *testing.T) {
	t.Helper()
	job := field(t, s.must(t, 201, "POST", "/api/jobs", `{"name": "Shaft", "goalQuantity": 9}`).body, "id")
	path := field(t, s.must(t, 201, "POST", "/api/paths", `{"jobId": "`+job+`", "name": "Turned", "goalQuantity": 9, "steps": [{"name": "Saw"},
		{"name": "Turn"}, {"name": "Wash"}]}`).body, "id")
	s.must(t, 201, "POST", "/api/serials", `{"jobId": "`+job+`", "pathId": "`+path+`", "quantity": 9, "userId": "ann"}`)
}

func field(t *testing.T, object, name string) string {
	t.Helper()
	_, rest, ok := strings.Cut(object, `"`+name+`":"`)
	value, _, closed := strings.Cut(rest, `"`)
	if !ok || !closed {
		t.Fatalf("no %s in %s", name, object)
	}
	return value
}

func ids(from, to int64) []string {
	var made []string
	for sequence := from; sequence <= to; sequence++ {
		made = append(made, ident.AuditID(sequence))
	}
	return made
}

func TestEventsAreTold(t *testing.T) {
	t.Parallel()
	for name, told := range map[string]bool{"told of commits": true, "looking for itself": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, stop := openLiveShop(t, told)
			s.makeUnits(t)
			fresh := s.listen(t, "/api/events", "")
			all := s.listen(t, "/api/events?after="+ident.AuditID(0), "")
			if got := all.next(3); !slices.Equal(got, ids(1, 3)) { // the job, its path and their units
				t.Fatalf("from the beginning: %v", got)
			}
			s.must(t, 200, "POST", "/api/serials/SN-00001/advance", `{"userId": "ann"}`)
			s.must(t, 200, "POST", "/api/serials/SN-00002/advance", `{"userId": "ann"}`)
			if got := all.next(2); !slices.Equal(got, ids(4, 5)) {
				t.Errorf("got %v", got)
			}
			if got := fresh.next(2); !slices.Equal(got, ids(4, 5)) {
				t.Errorf("what came after the call: %v", got)
			}
			// When the service stops, streams end and do not delay the stop.
			stop()
			for fresh.lines.Scan() {
			}
			if err := fresh.lines.Err(); err != nil {
				t.Errorf("the stream did not end properly: %v", err)
			}
		})
	}
}

// A client that reconnects while many entries are written receives every entry once, in order.
func TestEventsResumeWithoutGap(t *testing.T) {
	t.Parallel()
	s, _ := openLiveShop(t, true)
	s.makeUnits(t)
	const rounds = 3
	var rush sync.WaitGroup
	for serial := range int64(9) {
		rush.Go(func() {
			for range rounds {
				if got, err := s.send(t.Context(), "POST", "/api/serials/"+s.store.SerialPrefix().SerialID(serial+1)+"/advance", `{"userId": "ann"}`); err != nil ||
					got.status != http.StatusOK {
					t.Errorf("advance: %v %s", err, got.body)
				}
			}
		})
	}
	last, heard := ident.AuditID(0), []string{}
	const all = 1 + 9*rounds
	for len(heard) < all {
		stream := s.listen(t, "/api/events", last)
		heard = append(heard, stream.next(min(5, all-len(heard)))...)
		last = heard[len(heard)-1]
		if err := stream.response.Body.Close(); err != nil {
			t.Error(err)
		}
	}
	rush.Wait()
	if !slices.Equal(heard, ids(1, all)) {
		t.Errorf("heard %v", heard)
	}
}

// A filtered stream sends the selected entries. The ids of the other entries come without an event, so that a client that reconnects need
// not have them searched again.
func TestEventsNarrowed(t *testing.T) {
	t.Parallel()
	s, stop := openLiveShop(t, true)
	s.makeUnits(t)
	s.must(t, 200, "POST", "/api/serials/SN-00001/hold", `{"reason": "dent", "userId": "ann"}`) // 4
	s.must(t, 200, "POST", "/api/serials/SN-00002/advance", `{"userId": "ann"}`)                // 5
	s.must(t, 200, "POST", "/api/serials/SN-00002/hold", `{"reason": "dent", "userId": "ann"}`) // 6
	s.must(t, 200, "POST", "/api/serials/SN-00003/hold", `{"reason": "dent", "userId": "ann"}`) // 7
	for target, want := range map[string][]string{
		"types=serial_held,serial_advanced&serialId=SN-00002": ids(5, 6),
		"types=serial_held": {ident.AuditID(4), ident.AuditID(6), ident.AuditID(7)},
		"serialId=SN-00002": ids(5, 6),
		"jobId=none":        nil,
	} {
		stream := s.listen(t, "/api/events?after="+ident.AuditID(0)+"&"+target, "")
		var told []string
		for last := ""; last != ident.AuditID(7); {
			if !stream.lines.Scan() {
				t.Fatalf("%s: the stream ended", target)
			}
			if id, ok := strings.CutPrefix(stream.lines.Text(), "id: "); ok {
				last = id
				if stream.lines.Scan(); stream.lines.Text() == "event: audit" {
					told = append(told, id)
				} else if stream.lines.Text() != "" {
					t.Errorf("%s: an id without an event is followed by %q", target, stream.lines.Text())
				}
			}
		}
		if !slices.Equal(told, want) {
			t.Errorf("%s: told of %v, want %v", target, told, want)
		}
	}
	stop()
	for target, message := range map[string]string{
		"types=serial_held,lost": "types must be an action of the audit trail: lost", "type=serial_held": "Unknown parameter: type",
	} {
		if got := s.must(t, http.StatusBadRequest, "GET", "/api/events?"+target, ""); !strings.Contains(got.body, message) {
			t.Errorf("%s: %s", target, got.body)
		}
	}
}

func TestEventsRefuse(t *testing.T) {
	t.Parallel()
	s, _ := openLiveShop(t, true)
	for _, id := range []string{"1", "aud_1", "aud_x", "aud_-000000000000001"} {
		for field, got := range map[string]answered{
			"after":     s.must(t, http.StatusBadRequest, "GET", "/api/events?after="+id, ""),
			lastEventID: s.must(t, http.StatusBadRequest, "GET", "/api/events", "", [2]string{lastEventID, id}),
		} {
			want := `{"statusCode":400,"message":"` + field + ` must be the id of an audit entry","code":"last_event_id_form","field":"` + field + `"}`
			if got.body != want {
				t.Errorf("%s: %s", id, got.body)
			}
		}
	}
}

// A stream has no end, but a response to HEAD has one.
func TestEventsEndForHEAD(t *testing.T) {
	t.Parallel()
	s, _ := openLiveShop(t, true)
	for _, id := range []string{"", "aud_0000000000000000"} {
		got := s.must(t, http.StatusOK, http.MethodHead, "/api/events?after="+id, "")
		if got.body != "" || got.header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("HEAD answers %v %q", got.header, got.body)
		}
	}
}
