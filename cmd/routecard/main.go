// Command routecard is the whole service in one program: the HTTP interface, the pages for the shop floor and the database. Each command
// has a file of its own. run.go parses the command line, runs the command, and stops it at SIGTERM. serve.go then lets requests finish.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
