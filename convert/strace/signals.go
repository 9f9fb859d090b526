package strace

import (
	"slices"
	"strconv"
	"strings"
)

// signals are those of Linux in the order of their numbers, from 1 on (signal(7), on amd64 and arm64).
var signals = []string{"HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
	"PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM",
	"PROF", "WINCH", "IO", "PWR", "SYS"}

// firstRealTime is the number that strace counts SIGRT_1 and its like from.
const firstRealTime = 32

// signal is the number of a signal as strace names it. A name of another system becomes SIGKILL: that the process was
// killed is certain.
func signal(name string) int32 {
	name = strings.TrimPrefix(name, "SIG")
	if i := slices.Index(signals, name); i >= 0 {
		return int32(i + 1)
	}
	number, realTime := strings.CutPrefix(name, "RT_")
	if n, err := strconv.Atoi(number); realTime && err == nil && n >= 0 && n <= 32 {
		return int32(firstRealTime + n)
	}
	if name == "RTMIN" {
		return firstRealTime
	}
	return 9
}
