package processors

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/iotrace/iotrace/trace"
)

// tick is the unit of /proc/stat: USER_HZ is 100 on every architecture that iotrace runs on.
const tick = int64(time.Second) / 100

// now is what all processors have done since the machine was started.
func now() (trace.Processors, bool) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return trace.Processors{}, false
	}
	return parse(string(text))
}

// parse reads the first line of /proc/stat (proc(5)). Times of guests are part of user and nice.
func parse(text string) (p trace.Processors, ok bool) {
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
			p.Idle += n * tick
		case 7:
			p.Stolen += n * tick
		default: // user, nice, system, irq, softirq
			p.Busy += n * tick
		}
	}
	return p, true
}
