//go:build !linux

package main

import "errors"

// roomIn is implemented only for Linux.
func roomIn(string) (room, error) { return room{}, errors.ErrUnsupported }

// clockSynchronized is implemented only for Linux.
func clockSynchronized() (synchronized, known bool) { return false, false }
