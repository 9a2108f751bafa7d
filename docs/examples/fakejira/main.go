// Command fakejira simulates Jira in memory, to try Routecard's connection to an issue tracker. It serves version 3 of the
// REST interface to lead@example.com with the token example-token; docs/tracker.md uses it.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/routecard/routecard/internal/tracker/jiratest"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8090", "address to listen on")
	flag.Parse()
	server := &http.Server{Addr: *listen, Handler: jiratest.Shop(jiratest.Cloud), ReadHeaderTimeout: time.Minute}
	fmt.Fprintln(os.Stderr, "fakejira listens on http://"+*listen)
	fmt.Fprintln(os.Stderr, "fakejira:", server.ListenAndServe())
	os.Exit(1)
}
