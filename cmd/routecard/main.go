// Command routecard is the service in one program: the HTTP interface, the pages for the shop floor and the database.
// Each command has a file of its own; run.go reads the command line, picks one, and
// stops it at SIGTERM; serve.go then lets requests finish.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
