package process

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// ProcessorTime returns the processor time of a process, and of its children that have ended, from Linux.
func ProcessorTime(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	used, ok := processorTime(stat)
	if !ok {
		return 0, fmt.Errorf("the processor time of %d cannot be read", pid)
	}
	return used, nil
}

// ticksPerSecond is Linux's unit of processor time in /proc, the same on every architecture that Go runs on.
const ticksPerSecond = 100

// processorTime reads the user and system time of a process and its children from /proc/<pid>/stat. The name of the command, in
// parentheses, may contain any character, so fields are counted from its end.
func processorTime(stat []byte) (time.Duration, bool) {
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const first, count = 11, 4 // among the fields after the name
	if len(fields) < first+count {
		return 0, false
	}
	var ticks int64
	for _, field := range fields[first : first+count] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, false
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / ticksPerSecond, true
}
