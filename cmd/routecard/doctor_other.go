//go:build !linux

package main

import "errors"

// roomIn asks only Linux.
func roomIn(string) (room, error) { return room{}, errors.ErrUnsupported }

// clockSynchronized asks only Linux.
func clockSynchronized() (synchronized, known bool) { return false, false }
