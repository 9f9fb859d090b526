package fsusage

import (
	"fmt"
	"strings"
)

// columns is where -w ends a line: MAX_WIDE_MODE_COLS.
const columns = 264

// printLine prints a line by the rules of format_print in fs_usage.c: middle is
// what the kind of call puts between its name and the path, padded says whether
// three further blanks follow the path field.
func printLine(at, name, middle, path string, padded bool, elapsed string, waited bool, command string,
	tid uint64) string {
	head := fmt.Sprintf("%s  %-17.17s%s", at, name, middle)
	room := columns - (len(head) + 14 + 20 + 11)
	if padded {
		room -= 3
	}
	field := ""
	if path != "" {
		field = " " + path + " "
	}
	switch {
	case room > len(field):
		field += strings.Repeat(" ", room-len(field))
	case room > 0 && room < len(field):
		field = " " + field[len(field)-room+1:]
	case room <= 0:
		field = ""
	}
	mark := "  "
	if waited {
		mark = " W"
	}
	pad := ""
	if padded {
		pad = "   "
	}
	return fmt.Sprintf("%s%s%s %10s%s %s.%d", head, pad, field, elapsed, mark, command, tid)
}

// clip prints a 64-bit value as clip_64bit does: 8 to 16 digits, then blanks.
func clip(prefix string, v uint64) string {
	digits := 8
	for ; digits < 16 && v>>(4*digits) != 0; digits += 2 {
	}
	return fmt.Sprintf("%s0x%0*x%s", prefix, digits, v, strings.Repeat(" ", 2*(16-digits)/2))
}

func fdField(fd, errno int64) string {
	if errno != 0 {
		return fmt.Sprintf(" F=%-3d[%3d]", fd, errno)
	}
	return fmt.Sprintf(" F=%-3d", fd)
}

func pathField(errno int64) string {
	if errno != 0 {
		return fmt.Sprintf("      [%3d]       ", errno)
	}
	return strings.Repeat(" ", 18)
}
