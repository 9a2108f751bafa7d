// Package api holds the contract of Routecard as an OpenAPI 3.1 document: every operation, every field, every message.
//
// openapi.yaml is kept by hand and is what people edit. openapi.json is the same document, made from it by go generate;
// the tests of this package fail when the two differ, or when the document is not valid OpenAPI.
//
// The package holds bytes and nothing else, so that everyone can import it. Its neighbours: internal/httpapi serves the
// document at /api/openapi.yaml and /api/openapi.json and shows it at /docs, and its tests check every answer they get
// against it and that routes and document name the same operations. The rules the document describes live in the root
// package.
package api

import _ "embed" // for the document

//go:generate go run ./generate

// YAML is the document as it is kept by hand, with its comments. Callers must not change it.
//
//go:embed openapi.yaml
var YAML []byte

// JSON is the same document, its keys in the order of the YAML. Callers must not change it.
//
//go:embed openapi.json
var JSON []byte
