// Package selftest tries the program's claims on a scratch installation, and reports for each whether it holds.
//
// claims.go is the table of claims. Each is a function in a file named after its subject, which uses the interface in the name of people
// with accounts and roles, and checks the responses and the audit entries. docs/validation.md says which requirement each claim belongs to,
// and a test compares the two.
package selftest

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Installation is the scratch installation. It is asked by one goroutine at a time.
type Installation interface {
	// URL is the address of the service.
	URL() string
	// SetupCode is the code of the first sign-in.
	SetupCode() (string, error)
	// Kill ends the service at once, as a power failure would, and starts it again.
	Kill(ctx context.Context) error
	// Stop ends the service in order.
	Stop(ctx context.Context) error
	// Edit runs a statement on the database, as its owner can without the service.
	Edit(statement string) error
	// Command runs the program: its exit status, and what it prints.
	Command(ctx context.Context, args ...string) (status int, printed string, err error)
	// Database is the database, as --database names it, and Folder a folder for what a claim makes.
	Database() string
	Folder() string
}

// Result is the result of a claim.
type Result struct {
	Claim string `json:"claim"`
	Says  string `json:"says"`
	True  bool   `json:"true"`
	Found string `json:"found,omitempty"` // the contents found in its place
}

// Names are the names of all claims, in their order.
func Names() (names []string) {
	for _, one := range Claims() {
		names = append(names, one.Name)
	}
	return names
}

// Run sets a shop up on an empty installation, and tries the named claims, or all of them, in the order of Names. It passes each result to
// told. The service is stopped afterwards. An error means that the claims could not be tried: the rest were not.
func Run(ctx context.Context, at Installation, names []string, told func(Result) error) error {
	for _, name := range names {
		if !slices.Contains(Names(), name) {
			return fmt.Errorf("there is no claim %q; there are %s", name, strings.Join(Names(), ", "))
		}
	}
	shop, err := open(ctx, at)
	if err != nil {
		return fmt.Errorf("the shop cannot be set up: %w", err)
	}
	stopped := false
	for _, one := range Claims() {
		if len(names) > 0 && !slices.Contains(names, one.Name) {
			continue
		}
		if one.stopped && !stopped {
			if err := at.Stop(ctx); err != nil {
				return fmt.Errorf("the service does not stop: %w", err)
			}
			stopped = true
		}
		t := &trial{ctx: ctx, shop: shop}
		one.try(t)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		result := Result{Claim: one.Name, Says: one.Says, True: t.err == nil}
		if t.err != nil {
			result.Found = t.err.Error()
		}
		if err := told(result); err != nil {
			return err
		}
	}
	if stopped {
		return nil
	}
	return at.Stop(ctx)
}
