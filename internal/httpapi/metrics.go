package httpapi

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/notify"
	"github.com/routecard/routecard/internal/sealer"
)

// Metrics are the metrics of the service, in a registry of their own. They are safe for concurrent use.
type Metrics struct {
	registry    *prometheus.Registry
	requests    *prometheus.HistogramVec
	groups      prometheus.Histogram
	commits     prometheus.Histogram
	connections prometheus.Gauge
	locked      prometheus.Counter
	inFlight    prometheus.Gauge
}

// NewMetrics makes an empty set of metrics.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "routecard_http_request_duration_seconds", Help: "Time to answer a request, by route and status.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "status"}),
		groups: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "routecard_commit_group_size", Help: "Callers that shared one commit.",
			Buckets: []float64{1, 2, 4, 8, 16, 32, 64, 128, 256},
		}),
		commits: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "routecard_commit_duration_seconds", Help: "Time from the beginning of a transaction to its commit.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}),
		connections: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "routecard_http_connections", Help: "Open connections.",
		}),
	}
	m.locked = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "routecard_sign_in_locked_total", Help: "Accounts, addresses and stations that had too many wrong attempts to sign in.",
	})
	m.inFlight = prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "routecard_http_requests_in_flight", Help: "Requests that are not answered yet, streams of events included.",
	})
	m.registry.MustRegister(m.requests, m.groups, m.commits, m.connections, m.locked, m.inFlight,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Built records the build: the version of the program, the version of Go, and the version of the tables that the program uses.
func (m *Metrics) Built(version, goVersion string, tables int64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "routecard_build_info", Help: "1, with what the program was built from.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": goVersion, "tables": strconv.FormatInt(tables, 10)},
	}, func() float64 { return 1 }))
}

// WatchDatabase adds the size of the database, and of its write-ahead log if it has one.
func (m *Metrics) WatchDatabase(hasLog bool, sizes func(context.Context) (database, log int64, err error)) {
	watched := &readings{
		first: prometheus.NewDesc("routecard_database_size_bytes", "Bytes that the database has on disk.", nil, nil),
		figures: func(ctx context.Context) (first, second float64, err error) {
			database, log, err := sizes(ctx)
			return float64(database), float64(log), err
		},
	}
	if hasLog {
		watched.second = prometheus.NewDesc("routecard_database_log_size_bytes", "Bytes of the log beside the database file.", nil, nil)
	}
	m.registry.MustRegister(watched)
}

// scrapeTimeout is the time limit of a scrape for figures from the database.
const scrapeTimeout = 2 * time.Second

// readings are two gauges that one call reads at each scrape. If the call fails, the scrape omits them and reports the rest.
type readings struct {
	first, second *prometheus.Desc // second may be nil
	figures       func(context.Context) (first, second float64, err error)
}

// Describe implements prometheus.Collector.
func (r *readings) Describe(to chan<- *prometheus.Desc) {
	to <- r.first
	if r.second != nil {
		to <- r.second
	}
}

// Collect implements prometheus.Collector.
func (r *readings) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	first, second, err := r.figures(ctx)
	if err != nil {
		return
	}
	to <- prometheus.MustNewConstMetric(r.first, prometheus.GaugeValue, first)
	if r.second != nil {
		to <- prometheus.MustNewConstMetric(r.second, prometheus.GaugeValue, second)
	}
}

func (m *Metrics) observe(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Observe(took.Seconds())
}

// Committed counts one commit and the number of callers whose changes it contains.
func (m *Metrics) Committed(callers int, took time.Duration) {
	m.groups.Observe(float64(callers))
	m.commits.Observe(took.Seconds())
}

// Locked counts an account, address or station that is locked after too many wrong attempts to sign in.
func (m *Metrics) Locked() { m.locked.Inc() }

// ConnState counts connections. It is the ConnState hook of an http.Server.
func (m *Metrics) ConnState(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		m.connections.Inc()
	case http.StateClosed, http.StateHijacked:
		m.connections.Dec()
	case http.StateActive, http.StateIdle:
	}
}

// Standby is the state of a server of --read-database.
type Standby struct {
	Server string
	Used   bool          // reads use it
	Lag    time.Duration // the time since it was last up to date; 0 if reads use it
	Reads  int64         // the number of reads that it served
}

// WatchStandbys adds the states of the standbys, and the number of reads that the primary served in their place.
func (m *Metrics) WatchStandbys(states func() (all []Standby, onPrimary int64)) {
	server := []string{"server"}
	m.registry.MustRegister(&standbys{
		states: states,
		used:   prometheus.NewDesc("routecard_standby_used", "1 while reads use this server of --read-database.", server, nil),
		lag: prometheus.NewDesc("routecard_standby_lag_seconds", "Time since this server was last up to date; 0 while reads use it.",
			server, nil),
		reads: prometheus.NewDesc("routecard_standby_reads_total",
			"Reads that a standby may serve, by the server that served them; the primary is \"primary\".", server, nil),
	})
}

type standbys struct {
	states           func() (all []Standby, onPrimary int64)
	used, lag, reads *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (s *standbys) Describe(to chan<- *prometheus.Desc) {
	to <- s.used
	to <- s.lag
	to <- s.reads
}

// Collect implements prometheus.Collector.
func (s *standbys) Collect(to chan<- prometheus.Metric) {
	all, onPrimary := s.states()
	for _, one := range all {
		used := 0.0
		if one.Used {
			used = 1
		}
		to <- prometheus.MustNewConstMetric(s.used, prometheus.GaugeValue, used, one.Server)
		to <- prometheus.MustNewConstMetric(s.lag, prometheus.GaugeValue, one.Lag.Seconds(), one.Server)
		to <- prometheus.MustNewConstMetric(s.reads, prometheus.CounterValue, float64(one.Reads), one.Server)
	}
	to <- prometheus.MustNewConstMetric(s.reads, prometheus.CounterValue, float64(onPrimary), "primary")
}

// WatchLedger adds the state of the ledger. seals may be nil.
func (m *Metrics) WatchLedger(seals *sealer.Sealer) {
	if seals == nil {
		return
	}
	gauge := func(name, help string, value func(sealer.Status) float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return value(seals.Status()) }))
	}
	count := func(name, help string, value func(sealer.Status) float64) {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help},
			func() float64 { return value(seals.Status()) }))
	}
	gauge("routecard_ledger_size", "Audit entries that are sealed.",
		func(s sealer.Status) float64 { return float64(s.Size) })
	gauge("routecard_ledger_verified_size", "Audit entries that the last verification of everything proved.",
		func(s sealer.Status) float64 { return float64(s.Verified) })
	gauge("routecard_ledger_verified_timestamp_seconds", "When that was.",
		func(s sealer.Status) float64 { return float64(max(0, s.VerifiedAt.Unix())) })
	gauge("routecard_ledger_trouble", "1 while nothing is signed, because the trail is not what was signed.",
		func(s sealer.Status) float64 {
			if s.Trouble != "" {
				return 1
			}
			return 0
		})
	count("routecard_ledger_refusals_total", "How often something was found that keeps the ledger from being signed.",
		func(s sealer.Status) float64 { return float64(s.Refusals) })
	count("routecard_ledger_failures_total", "Verifications that found something wrong.",
		func(s sealer.Status) float64 { return float64(s.Failures) })
	m.registry.MustRegister(&readings{
		first:  prometheus.NewDesc("routecard_ledger_behind", "Audit entries that are committed and not sealed.", nil, nil),
		second: prometheus.NewDesc("routecard_ledger_lag_seconds", "How long the oldest of them has waited; 0 for none.", nil, nil),
		figures: func(ctx context.Context) (behind, seconds float64, err error) {
			entries, lag, err := seals.Lag(ctx)
			return float64(entries), lag.Seconds(), err
		},
	})
}

// WatchBackups adds the age of the last good backup. keeper may be nil.
func (m *Metrics) WatchBackups(keeper *backup.Keeper) {
	if keeper == nil {
		return
	}
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "routecard_backup_last_success_timestamp_seconds", Help: "When the last good backup was made; 0 for never.",
	}, func() float64 { return float64(max(0, keeper.Last().Unix())) }), prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "routecard_backups_total", Help: "Good backups that were made since the start.",
	}, func() float64 { return float64(keeper.Made()) }), prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "routecard_backup_failures_total", Help: "Backups that failed, with those whose command afterwards did.",
	}, func() float64 { return float64(keeper.Failed()) }))
}

// WatchNotices adds the state of the notices.
func (m *Metrics) WatchNotices(notices *notify.Notifier) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "routecard_notices_waiting", Help: "Notices that are not delivered yet.",
	}, func() float64 { return float64(notices.Status().Waiting) }), prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "routecard_notices_delivered_total", Help: "Notices that servers accepted since the start.",
	}, func() float64 { return float64(notices.Status().Delivered) }), prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "routecard_notice_failures_total", Help: "Attempts to deliver a notice that failed.",
	}, func() float64 { return float64(notices.Status().Failures) }))
}

func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
