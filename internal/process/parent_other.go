//go:build !linux

package process

import "os/exec"

const endsWithParent = false

// endWithParent does nothing: this system has no such function.
func endWithParent(*exec.Cmd) {}
