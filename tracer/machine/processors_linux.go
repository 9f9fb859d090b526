package machine

import (
	"os"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// processorsNow is what all processors have done since the machine was started.
func processorsNow() (trace.Processors, bool) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return trace.Processors{}, false
	}
	return parseProcessors(string(text))
}

// parseProcessors reads the first line of /proc/stat (proc(5)). Times of guests are part of user and nice.
func parseProcessors(text string) (p trace.Processors, ok bool) {
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return p, false
	}
	for i, f := range fields[1:9] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return p, false
		}
		switch i {
		case 3, 4: // idle, iowait
			p.Idle += n * int64(tick)
		case 7:
			p.Stolen += n * int64(tick)
		default: // user, nice, system, irq, softirq
			p.Busy += n * int64(tick)
		}
	}
	return p, true
}
