package process

import (
	"os/exec"
	"syscall"
)

const endsWithParent = true

// endWithParent makes the kernel kill the process when this process ends.
func endWithParent(command *exec.Cmd) {
	if command.SysProcAttr == nil {
		command.SysProcAttr = &syscall.SysProcAttr{}
	}
	command.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
