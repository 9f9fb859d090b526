package whatif

import (
	"errors"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/internal/unit"
)

// foreseen says why it cannot be told what a change would do, nil if it can be.
func foreseen(r *Recording, c *Change) error {
	if c.Block == 0 {
		return nil
	}
	var sizes []int64
	rated := true
	for i := range r.program.Requests {
		if x := &r.program.Requests[i]; x.Direct {
			sizes = append(sizes, x.CallBytes)
			d := r.devices[x.Device]
			rated = rated && (d.TellsRate(&x.Request) || c.about(d) && c.Drive != nil)
		}
	}
	slices.Sort(sizes)
	switch {
	case len(sizes) == 0:
		return errors.New("other blocks: the program does not read or write directly. What the drive is asked for is the " +
			"page cache's choice, and what fewer calls save of the CPU's time is not in the recording")
	case c.Block < sizes[len(sizes)/2]:
		return fmt.Errorf("blocks of %s: they were larger, %s, and what more calls cost is not in the recording",
			unit.BlockSize(c.Block), unit.BlockSize(sizes[len(sizes)/2]))
	case !rated:
		return errors.New("other blocks: the recording does not tell how much of a request's time is latency, as its " +
			"requests had one size and no company. Measure the drive with `iotrace bench kdm/default --json`, and give the " +
			"result to --drive")
	}
	return nil
}
