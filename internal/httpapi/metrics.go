package httpapi

import (
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics counts what the service does, in a registry of its own. It is safe for concurrent use.
type Metrics struct {
	registry    *prometheus.Registry
	requests    *prometheus.HistogramVec
	groups      prometheus.Histogram
	commits     prometheus.Histogram
	connections prometheus.Gauge
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
	m.registry.MustRegister(m.requests, m.groups, m.commits, m.connections,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *Metrics) observe(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Observe(took.Seconds())
}

// Committed counts one commit that served so many callers.
func (m *Metrics) Committed(callers int, took time.Duration) {
	m.groups.Observe(float64(callers))
	m.commits.Observe(took.Seconds())
}

// ConnState counts connections; it is an http.Server's hook.
func (m *Metrics) ConnState(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		m.connections.Inc()
	case http.StateClosed, http.StateHijacked:
		m.connections.Dec()
	case http.StateActive, http.StateIdle:
	}
}

func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
