// Package api holds the contract of Routecard as an OpenAPI 3.1 document: every operation, every field, every message.
//
// openapi.yaml is written by hand. The tests of this package fail when it is not valid OpenAPI, or cannot be converted to JSON.
//
// The package holds the document and nothing else, so that everyone can import it. Its neighbours: internal/httpapi serves the document at
// /api/openapi.yaml, /api/openapi.json and /api/openapi-3.0.json and shows it at /docs, and its tests check every response against it and
// that routes and document name the same operations. The rules that the document describes are in package shop.
package api

import (
	_ "embed" // for the document

	"github.com/routecard/routecard/api/internal/convert"
)

// YAML is the handwritten document with its comments. Callers must not change it.
//
//go:embed openapi.yaml
var YAML []byte

// JSON converts the document to JSON, with its keys in the order of the YAML. It takes tens of milliseconds.
func JSON() ([]byte, error) { return convert.JSON(YAML) }

// JSON30 converts the document to OpenAPI 3.0.3 in JSON, for generators that do not read 3.1. It takes tens of milliseconds.
func JSON30() ([]byte, error) { return convert.OpenAPI30(YAML) }
