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
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/process"
)

const steps = 1000 // no serial comes to its end before a million of them are advanced

// BenchmarkAdvance takes turns: a second of advances through one instance, a second of them through three, a second of pgbench.
func BenchmarkAdvance(b *testing.B) {
	cluster := newCluster(b)
	one := start(b, cluster.Address("shop"), 1)
	three := start(b, cluster.Address("shop"), 3)
	for _, callers := range []int{1, 8, 64} {
		serials := makeSerials(b, one[0], 1000)
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			var single, several, yard, ratios []float64
			moving := &advancing{serials: serials}
			for range b.N {
				alone := moving.rate(b, one, callers)
				single = append(single, alone)
				several = append(several, moving.rate(b, three, callers))
				transactions := pgbench(b, cluster, callers, "--skip-some-updates")
				yard = append(yard, transactions)
				ratios = append(ratios, alone/transactions)
			}
			b.ReportMetric(median(single), "advances/s")
			b.ReportMetric(median(several), "advances/s-of-three")
			b.ReportMetric(median(yard), "pgbench/s")
			b.ReportMetric(median(ratios), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkGetSerial takes turns with pgbench too, which then reads a row by its key.
func BenchmarkGetSerial(b *testing.B) {
	cluster := newCluster(b)
	urls := start(b, cluster.Address("shop"), 1)
	serials := makeSerials(b, urls[0], 1000)
	for _, callers := range []int{1, 32} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			var reads, yard []float64
			for range b.N {
				reads = append(reads, rate(b, urls, callers, func(l *line, n int64) error {
					return l.send("GET", "/api/serials/"+serials[n*7919%int64(len(serials))], "")
				}))
				yard = append(yard, pgbench(b, cluster, callers, "--select-only"))
			}
			b.ReportMetric(median(reads), "reads/s")
			b.ReportMetric(median(yard), "pgbench/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func newCluster(b *testing.B) *pgtest.Cluster {
	b.Helper()
	cluster := pgtest.New(b, "shared_buffers = 256MB", "max_wal_size = 4GB")
	cluster.Run(b, "pgbench", "--initialize", "--quiet", "--scale", "10", "postgres")
	cluster.Run(b, "createdb", "shop")
	return cluster
}

// advancing moves serials on, evenly, over all the turns of a benchmark.
type advancing struct {
	serials []string
	sent    atomic.Int64
}

func (a *advancing) rate(b *testing.B, urls []string, callers int) float64 {
	return rate(b, urls, callers, func(l *line, _ int64) error {
		serial := a.serials[a.sent.Add(1)%int64(len(a.serials))] // callers of one moment have different ones
		return l.send("POST", "/api/serials/"+serial+"/advance", `{"userId":"bench"}`)
	})
}

// turn is how long one side is measured before it is the other's turn.
const turn = time.Second

// rate has callers send for a turn, through all instances, and returns how many were answered in a second.
func rate(b *testing.B, urls []string, callers int, send func(l *line, n int64) error) float64 {
	b.Helper()
	lines := make([]*line, callers)
	for i := range lines {
		lines[i] = dial(b, urls[i%len(urls)])
	}
	var taken atomic.Int64
	var wg sync.WaitGroup
	began := time.Now()
	for _, l := range lines {
		wg.Go(func() {
			for time.Since(began) < turn {
				if err := send(l, taken.Add(1)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	took := time.Since(began)
	for _, l := range lines {
		_ = l.conn.Close()
	}
	return float64(taken.Load()) / took.Seconds()
}

func median(figures []float64) float64 {
	slices.Sort(figures)
	return figures[len(figures)/2]
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

func (l *line) send(method, path, body string) error {
	l.buffer = fmt.Appendf(l.buffer[:0], "%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		method, path, l.host, len(body), body)
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

// pgbench returns how many transactions it made in a second, while it ran for a turn.
func pgbench(b *testing.B, cluster *pgtest.Cluster, clients int, what string) float64 {
	b.Helper()
	output := cluster.Run(b, "pgbench", what, "--client", strconv.Itoa(clients), "--jobs", strconv.Itoa(min(clients, 2)),
		"--time", strconv.Itoa(int(turn.Seconds())), "--protocol", "prepared", "--no-vacuum", "postgres")
	found := tps.FindStringSubmatch(output)
	if found == nil {
		b.Fatal(output)
	}
	rate, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		b.Fatal(err)
	}
	return rate
}
