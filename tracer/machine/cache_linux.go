package machine

import (
	"os"
	"strconv"
	"strings"
)

// readEmptied asks the kernel.
func readEmptied() emptied {
	text, err := os.ReadFile("/proc/vmstat")
	if err != nil {
		return emptied{reclaimed: -1}
	}
	return parseEmptied(string(text), int64(os.Getpagesize()))
}

// parseEmptied reads /proc/vmstat: a name and a number a line. Reclaim is counted for files alone from Linux 5.8 on.
func parseEmptied(text string, page int64) emptied {
	e := emptied{reclaimed: -1}
	for line := range strings.Lines(text) {
		name, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseInt(number, 10, 64)
		switch {
		case err != nil:
		case name == "drop_pagecache":
			e.drops = n
		case name == "pgsteal_file":
			e.reclaimed = n * page
		}
	}
	return e
}
