// Package httpapi serves the operations of package shop over HTTP: the JSON interface under /api, the reference at /docs, and the endpoints
// for those who run the service (/healthz, /readyz, /metrics).
//
// Three functions list the routes: routes.go has those of the interface, access.go those that exist with --auth (accessRoutes), and
// running.go the endpoints of the service itself (serviceRoutes). decode.go is the only decoder of bodies. It does not validate fields; the
// operation that owns a field does. encode.go writes responses. list.go alone writes lists, which package views declares. errors.go writes
// errors with the status that internal/httpstatus assigns to each, and reason.go is the table of the reasons that only this package uses.
// routes.go has the limits of bodies, streams.go of streams, memory.go of memory. server.go adds request ids, logs and metrics to all of
// it. Package api has the contract as a document; a test compares it with this package.
package httpapi
