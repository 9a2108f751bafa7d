package sqlstore

import (
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// connectError lists each cause of a failed connection once. The driver tries every address of a host, both with and without TLS, and
// reports each attempt.
type connectError struct {
	text  string
	cause *pgconn.ConnectError
}

func (e *connectError) Error() string { return e.text }
func (e *connectError) Unwrap() error { return e.cause }

// connectFailure returns the error of a failed connection as one line, and any other error unchanged.
func connectFailure(err error) error {
	failed, ok := errors.AsType[*pgconn.ConnectError](err)
	if !ok {
		return err
	}
	var attempts []string
	for _, attempt := range joined(failed.Unwrap()) {
		attempts = append(attempts, strings.Join(strings.Fields(attempt.Error()), " "))
	}
	return &connectError{strings.Join(distinctCauses(attempts), "; "), failed}
}

// joined returns the errors that were joined in an error, or the error itself.
func joined(err error) []error {
	for wrapped := err; wrapped != nil; wrapped = errors.Unwrap(wrapped) {
		if all, ok := wrapped.(interface{ Unwrap() []error }); ok { //nolint:errorlint // the loop unwraps
			return all.Unwrap()
		}
	}
	return []error{err}
}

// These are the beginning of the driver's message about an attempt with TLS, after the address, and its message about a server without TLS.
const (
	tlsAttempt = ": tls error: "
	withoutTLS = "server refused TLS connection"
)

// distinctCauses returns the distinct messages of attempts to connect. It omits an attempt with TLS if the attempt without TLS at the same
// address has the same message, or if the server has no TLS.
func distinctCauses(attempts []string) (causes []string) {
	for i, attempt := range attempts {
		at, cause, tls := strings.Cut(attempt, tlsAttempt)
		said := tls && slices.ContainsFunc(attempts, func(other string) bool {
			plain, same := strings.CutPrefix(other, at+": ")
			return same && !strings.HasPrefix(": "+plain, tlsAttempt) && (cause == withoutTLS || strings.HasSuffix(plain, lastCause(cause)))
		})
		if !said && !slices.Contains(attempts[:i], attempt) {
			causes = append(causes, attempt)
		}
	}
	return causes
}

// lastCause returns the part of an error after the last colon.
func lastCause(text string) string { return text[strings.LastIndex(text, ": ")+1:] }
