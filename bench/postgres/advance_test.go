package postgres

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/process"
)

const steps = 1000 // no serial comes to its end

func BenchmarkAdvance(b *testing.B) {
	cluster := pgtest.New(b, "shared_buffers = 256MB", "max_wal_size = 4GB")
	cluster.Run(b, "pgbench", "--initialize", "--quiet", "--scale", "10", "postgres")
	cluster.Run(b, "createdb", "shop")
	for _, instances := range []int{1, 3} {
		b.Run(fmt.Sprintf("instances=%d", instances), func(b *testing.B) {
			urls := start(b, cluster.Address("shop"), instances)
			for _, callers := range []int{1, 8, 64} {
				serials := makeSerials(b, urls[0], 1000)
				b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) { advance(b, urls, serials, callers) })
			}
		})
	}
	for _, clients := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("pgbench/clients=%d", clients), func(b *testing.B) { pgbench(b, cluster, clients) })
	}
}

// advance has callers advance serials, each caller its own, through all instances in turn.
func advance(b *testing.B, urls, serials []string, callers int) {
	lines := make([]*line, callers)
	for i := range lines {
		lines[i] = dial(b, urls[i%len(urls)])
	}
	var taken atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	for i, l := range lines {
		wg.Go(func() {
			for n := i; taken.Add(1) <= int64(b.N); n += callers {
				if err := l.post("/api/serials/"+serials[n%len(serials)]+"/advance", `{"userId":"bench"}`); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "advances/s")
	for _, l := range lines {
		_ = l.conn.Close()
	}
}

// line is one caller's connection: it costs less than a whole HTTP client, as pgbench's do.
type line struct {
	host   string
	conn   net.Conn
	reader *bufio.Reader
	buffer []byte
}

func dial(b *testing.B, url string) *line {
	b.Helper()
	host := strings.TrimPrefix(url, "http://")
	conn, err := (&net.Dialer{}).DialContext(b.Context(), "tcp", host)
	if err != nil {
		b.Fatal(err)
	}
	return &line{host: host, conn: conn, reader: bufio.NewReader(conn)}
}

func (l *line) post(path, body string) error {
	l.buffer = fmt.Appendf(l.buffer[:0], "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		path, l.host, len(body), body)
	if _, err := l.conn.Write(l.buffer); err != nil {
		return err
	}
	status, err := l.reader.ReadSlice('\n')
	if err != nil {
		return err
	}
	succeeded := bytes.HasPrefix(status, []byte("HTTP/1.1 200"))
	length := 0
	for {
		header, err := l.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(header) == 2 {
			break
		}
		if value, ok := bytes.CutPrefix(header, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
	if !succeeded {
		answer := make([]byte, length)
		_, err := io.ReadFull(l.reader, answer)
		return fmt.Errorf("%s: %s (%w)", path, answer, err)
	}
	_, err = l.reader.Discard(length)
	return err
}

func start(b *testing.B, database string, instances int) []string {
	b.Helper()
	urls := make([]string, instances)
	for i := range urls {
		urls[i] = process.Serve(b, "--database", database, "--log-level", "warn").URL
	}
	return urls
}

func makeSerials(b *testing.B, url string, quantity int) []string {
	b.Helper()
	var job, path struct{ ID string }
	call(b, url+"/api/jobs", `{"name":"Bench","goalQuantity":1}`, &job)
	list := strings.TrimSuffix(strings.Repeat(`{"name":"Step"},`, steps), ",")
	call(b, url+"/api/paths", `{"jobId":"`+job.ID+`","name":"P","goalQuantity":1,"steps":[`+list+`]}`, &path)
	var made []struct{ ID string }
	call(b, url+"/api/serials", fmt.Sprintf(`{"jobId":%q,"pathId":%q,"quantity":%d}`, job.ID, path.ID, quantity), &made)
	ids := make([]string, len(made))
	for i := range made {
		ids[i] = made[i].ID
	}
	return ids
}

func call(b *testing.B, url, body string, into any) {
	b.Helper()
	answer, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil || answer.StatusCode >= http.StatusBadRequest {
		b.Fatalf("%s: %d %s %v", url, answer.StatusCode, text, err)
	}
}

var tps = regexp.MustCompile(`tps = ([0-9.]+)`)

// pgbench runs for a fixed time, whatever the number of rounds.
func pgbench(b *testing.B, cluster *pgtest.Cluster, clients int) {
	const lasting = 5 * time.Second
	output := cluster.Run(b, "pgbench", "--skip-some-updates", "--client", strconv.Itoa(clients), "--jobs", "2",
		"--time", strconv.Itoa(int(lasting.Seconds())), "--protocol", "prepared", "postgres")
	found := tps.FindStringSubmatch(output)
	if found == nil {
		b.Fatal(output)
	}
	rate, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(rate, "transactions/s")
	b.ReportMetric(0, "ns/op")
}
