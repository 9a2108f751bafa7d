package client

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Error is a refusal of the service. A call that was refused has changed nothing.
type Error struct {
	// StatusCode is the HTTP status.
	StatusCode int `json:"statusCode"`
	// Message is for people.
	Message string `json:"message"`
	// Code is for programs: x-codes at the schema Error of the document lists the codes and says what to do. It is empty in the response of
	// a proxy.
	Code string `json:"code"`
	// Field is the field of the request that caused the error, such as steps[2].name; "" for none.
	Field string `json:"field"`
	// RetryAfter is the wait that the service asks for, or 0.
	RetryAfter time.Duration `json:"-"`
}

func (e *Error) Error() string { return e.Message }

// UnansweredError means that the client gave up repeating a request. Whether a change was made is not known; the same call with Key(e.Key)
// finds out, and makes it if it was not made.
type UnansweredError struct {
	Key      string // "" for a request that has none
	Attempts int
	Err      error // the error of the last attempt
}

func (e *UnansweredError) Error() string {
	return fmt.Sprintf("no answer after %d attempts: %v", e.Attempts, e.Err)
}

// Unwrap returns the error of the last attempt.
func (e *UnansweredError) Unwrap() error { return e.Err }

// mostOfError is the maximum number of bytes read of an error response, because a proxy may return anything.
const mostOfError = 64 << 10

func refusal(response *http.Response) *Error {
	failed := &Error{}
	body, err := io.ReadAll(io.LimitReader(response.Body, mostOfError))
	if err != nil || json.Unmarshal(body, failed) != nil || failed.Message == "" {
		failed = &Error{Message: response.Status}
	}
	failed.StatusCode = response.StatusCode
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
		failed.RetryAfter = time.Duration(seconds) * time.Second
	}
	return failed
}
