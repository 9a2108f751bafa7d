// Command routecard is the service in one program: the HTTP interface, the pages for the shop floor and the database.
// Each command has a file of its own; run.go reads the command line and picks one.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
