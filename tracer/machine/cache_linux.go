package machine

import (
	"os"
	"strconv"
	"strings"
)

// drops is how often the page cache was dropped by /proc/sys/vm/drop_caches since the machine was started; 0 where the
// kernel does not tell.
func drops() int64 {
	text, err := os.ReadFile("/proc/vmstat")
	if err != nil {
		return 0
	}
	return parseDrops(string(text))
}

// parseDrops reads /proc/vmstat: a name and a number a line.
func parseDrops(text string) int64 {
	for line := range strings.Lines(text) {
		if name, number, _ := strings.Cut(strings.TrimSpace(line), " "); name == "drop_pagecache" {
			n, err := strconv.ParseInt(number, 10, 64)
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}
