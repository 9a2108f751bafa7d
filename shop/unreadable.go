package shop

import "fmt"

// UnreadableError says that what a database has of one record cannot be read, because somebody has edited it.
type UnreadableError struct {
	Table string
	ID    string
	Err   error
}

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("%s %s cannot be read: %v", e.Table, e.ID, e.Err)
}

func (e *UnreadableError) Unwrap() error { return e.Err }
