// Command print writes the contract as JSON, in OpenAPI 3.1 or, with the argument 3.0, in 3.0.
package main

import (
	"fmt"
	"os"

	"github.com/routecard/routecard/api"
)

func main() {
	made := api.JSON
	if len(os.Args) == 2 && os.Args[1] == "3.0" {
		made = api.JSON30
	}
	document, err := made()
	if err == nil {
		_, err = os.Stdout.Write(document)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
