// Command generate makes openapi.json from openapi.yaml. It is run by go generate in the package api, whose directory is
// then the working directory.
package main

import (
	"fmt"
	"os"

	"github.com/routecard/routecard/api/internal/convert"
)

func main() {
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate() error {
	document, err := os.ReadFile("openapi.yaml")
	if err != nil {
		return err
	}
	converted, err := convert.JSON(document)
	if err != nil {
		return fmt.Errorf("openapi.yaml: %w", err)
	}
	return os.WriteFile("openapi.json", converted, 0o644) //nolint:gosec // a source file, for everyone to read
}
