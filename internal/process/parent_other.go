//go:build !linux

package process

import "os/exec"

const endsWithParent = false

// endWithParent does nothing: there is no way to ask for it here.
func endWithParent(*exec.Cmd) {}
