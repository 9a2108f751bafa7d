// Package httpapi puts the operations of package shop on HTTP: the JSON interface under /api, the reference at /docs,
// and what an operator of the service needs (/healthz, /readyz, /metrics).
//
// The routes are in three lists: routes.go has the interface, access.go what is there with --auth (accessRoutes), and
// running.go what is asked about the service itself (serviceRoutes). decode.go is the one decoder of bodies; it does not
// validate fields; the operation that owns a field does. encode.go writes answers. list.go answers lists, which
// package views declares, and nothing else does. errors.go writes errors,
// with the status that internal/httpstatus gives each, and reason.go is the table of the reasons that are this face's own.
// routes.go has the limits of bodies, streams.go of streams, memory.go of memory. server.go puts request ids, logs and metrics around it
// all. The contract as a document is package api; a test holds the two together.
package httpapi
