// Package selftest tests the program's claims on a temporary installation, and reports for each claim whether it is true.
//
// claims.go is the table of claims. Each claim is a function in a file named after its subject. It uses the interface with the accounts of
// several users and roles, and checks the responses and the audit entries. docs/validation.md says which requirement each claim belongs to,
// and a test compares the two.
package selftest

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Installation is the temporary installation. Only one goroutine at a time may use it.
type Installation interface {
	// URL is the address of the service.
	URL() string
	// SetupCode is the code of the first sign-in.
	SetupCode() (string, error)
	// Kill kills the service, like a power failure, and starts it again.
	Kill(ctx context.Context) error
	// Stop stops the service normally.
	Stop(ctx context.Context) error
	// Edit runs a statement on the database directly, without the service.
	Edit(statement string) error
	// Command runs the program, and returns its exit status and output.
	Command(ctx context.Context, args ...string) (status int, printed string, err error)
	// Database returns the value of --database, and Folder a folder for the files of a claim.
	Database() string
	Folder() string
}

// Result is the result of a claim.
type Result struct {
	Claim string `json:"claim"`
	Says  string `json:"says"`
	True  bool   `json:"true"`
	Found string `json:"found,omitempty"` // the result that was found instead
}

// Names returns the names of all claims, in their order.
func Names() (names []string) {
	for _, one := range Claims() {
		names = append(names, one.Name)
	}
	return names
}

// Run sets up a shop on an empty installation and tests the named claims, or all claims, in the order of Names. It passes each result to
// report. Afterwards it stops the service. If it returns an error, the remaining claims were not tested.
func Run(ctx context.Context, at Installation, names []string, report func(Result) error) error {
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
		if err := report(result); err != nil {
			return err
		}
	}
	if stopped {
		return nil
	}
	return at.Stop(ctx)
}
