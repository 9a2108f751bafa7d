package main

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// leastMemory is the service's memory on the smallest machine.
const leastMemory = 256 << 20

// limitMemory sets the soft memory limit of the runtime, and returns it.
func (c *serveCommand) limitMemory() int64 {
	limit := c.MemoryLimit
	if limit == 0 {
		limit = max(leastMemory, machineMemory()/4)
	}
	debug.SetMemoryLimit(limit)
	return limit
}

// machineMemory returns the memory of the machine, or of the container if that is less; 0 if neither is known.
func machineMemory() int64 {
	least := int64(0)
	consider := func(text string, unit int64) {
		if size, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil && size > 0 && (least == 0 || size*unit < least) {
			least = size * unit
		}
	}
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		_, total, _ := strings.Cut(string(text), "MemTotal:")
		total, _, _ = strings.Cut(total, "kB")
		consider(total, 1<<10)
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := os.ReadFile(file); err == nil {
			consider(string(text), 1)
		}
	}
	return least
}
