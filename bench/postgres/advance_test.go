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

const steps = 1000 // no serial reaches its last step before a million advances

// BenchmarkAdvance measures in turns: advances through one instance, pgbench, advances through three instances. The ratio is the median of
// the ratios of an instance's turn to the next turn of pgbench.
func BenchmarkAdvance(b *testing.B) {
	for _, standby := range []string{"none", "synchronous"} {
		b.Run("standby="+standby, func(b *testing.B) {
			for _, serials := range []int{1000, 100_000, 1_000_000} {
				b.Run(fmt.Sprintf("serials=%d", serials), func(b *testing.B) {
					cluster := newCluster(b)
					if standby == "synchronous" {
						cluster.Standby(b) // on the same disk
						cluster.Configure(b, "synchronous_standby_names = '*'")
						cluster.Reload(b)
					}
					benchmarkAdvance(b, cluster, serials)
				})
			}
		})
	}
}

func benchmarkAdvance(b *testing.B, cluster *pgtest.Cluster, serials int) {
	b.Helper()
	one, three := start(b, cluster, 1), start(b, cluster, 3)
	// Each side has serials of its own, because an instance takes longer for a serial that another has changed.
	moving := &advancing{serials: makeSerials(b, one.urls[0], serials/2)}
	others := &advancing{serials: makeSerials(b, one.urls[0], serials/2)}
	cluster.Run(b, "vacuumdb", "--analyze", "shop")
	for _, callers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			var single, several, yard []turnOf
			var ratios []float64
			for range b.N {
				ours := one.rate(b, callers, moving.next)
				theirs := pgbench(b, cluster, callers, "--skip-some-updates")
				single, yard, ratios = append(single, ours), append(yard, theirs), append(ratios, ours.perSecond()/theirs.perSecond())
				several = append(several, three.rate(b, callers, others.next))
			}
			report(b, "advances/s", single)
			b.ReportMetric(median(single, turnOf.groupSize), "per-commit")
			b.ReportMetric(median(several, turnOf.perSecond), "by-three/s")
			b.ReportMetric(median(yard, turnOf.perSecond), "pgbench/s")
			b.ReportMetric(median(yard, turnOf.serverEach), "pgbench-server-µs")
			b.ReportMetric(middle(ratios), "ratio")
		})
	}
}

// BenchmarkGetSerial measures in turns with pgbench, which reads a row by its key.
func BenchmarkGetSerial(b *testing.B) {
	cluster := newCluster(b)
	one := start(b, cluster, 1)
	serials := makeSerials(b, one.urls[0], 1000)
	for _, callers := range []int{1, 32} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			var reads, yard []turnOf
			for range b.N {
				reads = append(reads, one.rate(b, callers, func(l *line, n int64) error {
					return l.send("GET", "/api/serials/"+serials[n*7919%int64(len(serials))], "")
				}))
				yard = append(yard, pgbench(b, cluster, callers, "--select-only"))
			}
			report(b, "reads/s", reads)
			b.ReportMetric(median(yard, turnOf.perSecond), "pgbench/s")
		})
	}
}

// BenchmarkTrail measures in turns with pgbench: eight callers request a page of fifty entries of the trail. They do not request the first
// page, which has a path of a thousand steps.
func BenchmarkTrail(b *testing.B) {
	const callers = 8
	cluster := newCluster(b)
	one := start(b, cluster, 1)
	makeSerials(b, one.urls[0], 1000)
	var pages, yard []turnOf
	for range b.N {
		pages = append(pages, one.rate(b, callers, func(l *line, _ int64) error { return l.send("GET", "/api/audit?limit=50&offset=100", "") }))
		yard = append(yard, pgbench(b, cluster, callers, "--select-only"))
	}
	report(b, "pages/s", pages)
	b.ReportMetric(median(yard, turnOf.perSecond), "pgbench/s")
}

// BenchmarkBatch moves ten thousand serials with one call, either neighbours or serials scattered among a hundred thousand, in turns with
// 64 callers who move one serial each.
func BenchmarkBatch(b *testing.B) {
	const many = 10_000
	cluster := newCluster(b)
	one := start(b, cluster, 1)
	all := makeSerials(b, one.urls[0], 10*many)
	moving := &advancing{serials: all}
	var neighbours, scattered, single []turnOf
	batch := func(body string) turnOf {
		return one.rate(b, 1, func(l *line, _ int64) error { return l.send("POST", "/api/serials/batch-advance", body) })
	}
	for n := range b.N {
		neighbours = append(neighbours, batch(fmt.Sprintf(`{"ranges":[{"first":%q,"last":%q}],"expectedCount":%d,"userId":"bench"}`,
			all[0], all[many-1], many)).times(many))
		ids := make([]string, many)
		for i := range ids {
			ids[i] = all[(n+i*9_973)%len(all)]
		}
		scattered = append(scattered, batch(`{"serialIds":["`+strings.Join(ids, `","`)+`"],"userId":"bench"}`).times(many))
		single = append(single, one.rate(b, 64, moving.next))
	}
	report(b, "neighbours/s", neighbours)
	b.ReportMetric(median(scattered, turnOf.perSecond), "scattered/s")
	b.ReportMetric(median(scattered, turnOf.serviceEach), "scattered-instance-µs")
	b.ReportMetric(median(scattered, turnOf.serverEach), "scattered-server-µs")
	b.ReportMetric(median(single, turnOf.perSecond), "advances/s")
	b.ReportMetric(median(single, turnOf.serviceEach), "advance-instance-µs")
	b.ReportMetric(median(single, turnOf.serverEach), "advance-server-µs")
}

// turnOf is the result of one side in its turn.
type turnOf struct {
	done    int64
	took    time.Duration
	service time.Duration // the processor time of the instances
	server  time.Duration // the processor time of PostgreSQL
	commits float64       // of the instances
}

func (t turnOf) times(serials int64) turnOf {
	t.done *= serials
	return t
}

func (t turnOf) perSecond() float64 { return float64(t.done) / t.took.Seconds() }

func (t turnOf) serviceEach() float64 { return float64(t.service.Microseconds()) / float64(t.done) }

func (t turnOf) serverEach() float64 { return float64(t.server.Microseconds()) / float64(t.done) }

func (t turnOf) groupSize() float64 { return float64(t.done) / t.commits }

func median(turns []turnOf, figure func(turnOf) float64) float64 {
	figures := make([]float64, len(turns))
	for i := range turns {
		figures[i] = figure(turns[i])
	}
	return middle(figures)
}

func middle(figures []float64) float64 {
	slices.Sort(figures)
	return figures[len(figures)/2]
}

func report(b *testing.B, unit string, turns []turnOf) {
	b.Helper()
	b.ReportMetric(median(turns, turnOf.perSecond), unit)
	b.ReportMetric(median(turns, turnOf.serviceEach), "instance-µs/op")
	b.ReportMetric(median(turns, turnOf.serverEach), "server-µs/op")
	b.ReportMetric(0, "ns/op")
}

func newCluster(b *testing.B) *pgtest.Cluster {
	b.Helper()
	cluster := pgtest.New(b, "shared_buffers = 256MB", "max_wal_size = 4GB")
	cluster.Run(b, "pgbench", "--initialize", "--quiet", "--scale", "10", "postgres")
	cluster.Run(b, "createdb", "shop")
	return cluster
}

// advancing advances serials evenly over all turns of a benchmark.
type advancing struct {
	serials []string
	sent    atomic.Int64
}

func (a *advancing) next(l *line, _ int64) error {
	serial := a.serials[a.sent.Add(1)*7919%int64(len(a.serials))] // callers at the same moment get different serials
	return l.send("POST", "/api/serials/"+serial+"/advance", `{"userId":"bench"}`)
}

// turn is the time for which one side is measured before the other.
const turn = time.Second

// instances are instances of the service on one database.
type instances struct {
	cluster *pgtest.Cluster
	servers []*process.Server
	urls    []string
}

func start(b *testing.B, cluster *pgtest.Cluster, number int) *instances {
	b.Helper()
	i := &instances{cluster: cluster}
	for range number {
		server := process.Serve(b, "--database", cluster.Address("shop"), "--log-level", "warn")
		i.servers, i.urls = append(i.servers, server), append(i.urls, server.URL)
	}
	return i
}

// rate measures one turn in which callers send requests through all instances.
func (i *instances) rate(b *testing.B, callers int, send func(l *line, n int64) error) turnOf {
	b.Helper()
	lines := make([]*line, callers)
	for n := range lines {
		lines[n] = dial(b, i.urls[n%len(i.urls)])
	}
	service, server, commits := i.spent(b), i.cluster.ProcessorTime(b), i.commits(b)
	var sent atomic.Int64
	var wg sync.WaitGroup
	began := time.Now()
	for _, l := range lines {
		wg.Go(func() {
			for time.Since(began) < turn {
				if err := send(l, sent.Add(1)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	done := turnOf{sent.Load(), time.Since(began), i.spent(b) - service, i.cluster.ProcessorTime(b) - server, i.commits(b) - commits}
	for _, l := range lines {
		_ = l.conn.Close()
	}
	return done
}

func (i *instances) spent(b *testing.B) (spent time.Duration) {
	b.Helper()
	for _, server := range i.servers {
		used, err := process.ProcessorTime(server.PID())
		if err != nil {
			b.Fatal(err)
		}
		spent += used
	}
	return spent
}

var commitCount = regexp.MustCompile(`(?m)^routecard_commit_group_size_count (\S+)$`)

func (i *instances) commits(b *testing.B) (commits float64) {
	b.Helper()
	for _, url := range i.urls {
		answer, err := http.Get(url + "/metrics")
		if err != nil {
			b.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil {
			b.Fatal(err)
		}
		found := commitCount.FindSubmatch(text)
		if found == nil {
			b.Fatalf("%s", text)
		}
		count, err := strconv.ParseFloat(string(found[1]), 64)
		if err != nil {
			b.Fatal(err)
		}
		commits += count
	}
	return commits
}

// line is one caller's connection. Like pgbench's connections, it costs less than a complete HTTP client.
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

func makeSerials(b *testing.B, url string, quantity int) []string {
	b.Helper()
	var job, path struct{ ID string }
	call(b, url+"/api/jobs", `{"name":"Bench","goalQuantity":1}`, &job)
	list := strings.TrimSuffix(strings.Repeat(`{"name":"Step"},`, steps), ",")
	call(b, url+"/api/paths", `{"jobId":"`+job.ID+`","name":"P","goalQuantity":1,"steps":[`+list+`]}`, &path)
	var ids []string
	for len(ids) < quantity {
		var made []struct{ ID string }
		quantity := min(quantity-len(ids), 100_000)
		call(b, url+"/api/serials", fmt.Sprintf(`{"jobId":%q,"pathId":%q,"quantity":%d}`, job.ID, path.ID, quantity), &made)
		for _, serial := range made {
			ids = append(ids, serial.ID)
		}
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

// pgbench runs pgbench for one turn.
func pgbench(b *testing.B, cluster *pgtest.Cluster, clients int, what string) turnOf {
	b.Helper()
	server := cluster.ProcessorTime(b)
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
	return turnOf{done: int64(rate * turn.Seconds()), took: turn, server: cluster.ProcessorTime(b) - server}
}
