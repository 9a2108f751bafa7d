package process

import (
	"os/exec"
	"syscall"
)

const endsWithParent = true

// endWithParent has the process killed when this one ends.
func endWithParent(command *exec.Cmd) {
	if command.SysProcAttr == nil {
		command.SysProcAttr = &syscall.SysProcAttr{}
	}
	command.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
