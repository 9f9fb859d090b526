package conversion

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// align finds out when each recording began, from the start of the first one, by the clocks on the walls of the hosts,
// and better where one was asked by another.
func align(hosts []*host) error {
	for _, h := range hosts {
		h.shift = int64(h.wall().Sub(hosts[0].wall()))
	}
	if err := byCalls(hosts); err != nil {
		return err
	}
	first := slices.MinFunc(hosts, func(x, y *host) int { return cmp.Compare(x.shift, y.shift) }).shift
	for _, h := range hosts {
		h.shift -= first
		if end, _ := h.file.End(); h.shift > trace.MaxTime-end.Duration {
			return fmt.Errorf("%s began %v after the first trace: that is too long for one", h.part.Path,
				time.Duration(h.shift))
		}
	}
	return nil
}

// wall is when the recording of a host began, by its clock.
func (h *host) wall() time.Time { return h.header.WallStart.Add(h.part.Late) }

// byCalls places hosts by the calls between them and those that have their place. What the user said of two clocks is
// kept.
func byCalls(hosts []*host) error {
	all := make([]remoteCalls, len(hosts))
	for i, h := range hosts {
		c, err := readCalls(h.part.Path)
		if err != nil {
			return fmt.Errorf("%s: %w", h.part.Path, err)
		}
		all[i] = c
	}
	var placed []int
	for root := range hosts {
		if !slices.Contains(placed, root) {
			placed = around(hosts, all, append(placed, root))
		}
	}
	return nil
}

// around places the hosts that have calls with the last one of those that have their place, or with these in turn.
func around(hosts []*host, all []remoteCalls, placed []int) []int {
	for n := len(placed) - 1; n < len(placed); n++ {
		from := placed[n]
		with := hosts[from]
		for i, h := range hosts {
			if slices.Contains(placed, i) || h.part.Late != with.part.Late {
				continue
			}
			a := between(&all[from], &all[i])
			if b := between(&all[i], &all[from]); b.calls > a.calls {
				a = b
				a.ns = -a.ns
			}
			if a.calls > 0 {
				h.shift = with.shift + a.ns
				h.compared = &compared{a, with, h.wall().Sub(with.wall()) - time.Duration(a.ns)}
				placed = append(placed, i)
			}
		}
	}
	return placed
}

// start is the time on the wall at the start of the merged trace.
func start(hosts []*host) time.Time { return hosts[0].wall().Add(-time.Duration(hosts[0].shift)) }

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
	case h.compared != nil:
		return h.compared.text(h)
	case h.part.Late != first.part.Late:
		return fmt.Sprintf("Times of %s and %s compare as well as the --offset that was given.", h.name, first.name)
	case a > 0 && b > 0:
		return fmt.Sprintf("Times of %s and %s compare to within %s, as their kernels say of their clocks.", h.name,
			first.name, unit.Duration(time.Duration(a+b)))
	}
	return fmt.Sprintf("How well times of %s and %s compare is not known: not both clocks were set by others, as by NTP, "+
		"as far as was seen (--offset corrects what you know).", h.name, first.name)
}

// compared is how a host's times were found.
type compared struct {
	apart
	with *host
	wall time.Duration // by how much the clocks of the two had been apart
}

func (c *compared) text(h *host) string {
	return fmt.Sprintf("Times of %s and %s compare to within %s, as %s between them and the replies say; their clocks "+
		"were %s apart.", h.name, c.with.name, unit.Duration(time.Duration(max(c.off, 1))),
		unit.Things(int64(c.calls), "call"), unit.Duration(c.wall.Abs()))
}
