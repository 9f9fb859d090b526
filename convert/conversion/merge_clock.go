package conversion

import (
	"fmt"
	"strings"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// align finds out when each recording began, from the start of the first one, by the clocks on the walls of the hosts.
func align(hosts []*host) error {
	began := func(h *host) time.Time { return h.header.WallStart.Add(h.part.Late) }
	first := began(hosts[0])
	for _, h := range hosts {
		if t := began(h); t.Before(first) {
			first = t
		}
	}
	for _, h := range hosts {
		h.shift = int64(began(h).Sub(first))
		if end, _ := h.file.End(); h.shift > trace.MaxTime-end.Duration {
			return fmt.Errorf("%s began %v after the first trace: that is too long for one", h.part.Path,
				time.Duration(h.shift))
		}
	}
	return nil
}

// start is the time on the wall at the start of the merged trace.
func start(hosts []*host) time.Time {
	h := hosts[0]
	return h.header.WallStart.Add(h.part.Late - time.Duration(h.shift))
}

// clocks says how well the times of all hosts compare.
func clocks(hosts []*host) string {
	var said []string
	for _, h := range hosts[1:] {
		said = append(said, h.beside(hosts[0]))
	}
	return strings.Join(said, " ")
}

// beside says how well the times of a host compare with those of the first one.
func (h *host) beside(first *host) string {
	a, b := first.header.ClockError, h.header.ClockError
	switch {
	case h.part.Late != first.part.Late:
		return fmt.Sprintf("Times of %s and %s compare as well as the --offset that was given.", h.name, first.name)
	case a > 0 && b > 0:
		return fmt.Sprintf("Times of %s and %s compare to within %s, as their kernels say of their clocks.", h.name,
			first.name, unit.Duration(time.Duration(a+b)))
	}
	return fmt.Sprintf("How well times of %s and %s compare is not known: not both clocks were set by others, as by NTP, "+
		"as far as was seen (--offset corrects what you know).", h.name, first.name)
}
