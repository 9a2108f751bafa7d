// Package docs carries the documents of this version, so that the service can show what is true of the program that runs.
package docs

import "embed"

// Files has the documents, and the pictures and examples that they show, by their paths in this folder.
//
//go:embed *.md api/*.md images/*.png examples/*.conf examples/*.cfg examples/*.py examples/starting/* examples/monitoring/*.yml examples/monitoring/*.json
var Files embed.FS
