//go:build linux

package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/iotrace/iotrace/baseline"
)

// baselineSession is one call of the command.
type baselineSession struct {
	dir, only, tool string
	pairs, rounds   int
	length          time.Duration
	size            int64
	results         results
}

// results is all that was measured so far.
type results struct {
	Machine   string           `json:"machine"`
	Memory    map[string]*cell `json:"fio_memory"` // on a loop device over memory
	Disk      map[string]*cell `json:"fio_disk"`
	Slow      map[string]*cell `json:"fio_slow"` // every request takes slowLatency
	KDiskMark map[string]*cell `json:"kdiskmark"`
	Places    []placesRound    `json:"places"`
	Sustained []sustainedRun   `json:"sustained"`
}

// wanted reports whether a cell is to be measured.
func (s *baselineSession) wanted(name string) bool { return strings.HasPrefix(name, s.only) }

func blockName(n int64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%dm", n>>20)
	}
	return fmt.Sprintf("%dk", n>>10)
}

// placesRound is one table: what `iotrace bench --dir A --dir B …` said of each
// place against the first.
type placesRound struct {
	Throttle int64                 `json:"throttle_bytes_per_second"`
	Medians  []int64               `json:"medians_bytes_per_second"`
	Against  []baseline.Comparison `json:"against"`
}

// sustainedRun is one run: the bytes after which the device was throttled, and
// after which bench said so. 0 is never.
type sustainedRun struct {
	Imposed int64 `json:"imposed_bytes"`
	Found   int64 `json:"found_bytes"`
}

// ImposedMiB and FoundMiB are for the table.
func (r sustainedRun) ImposedMiB() int64 { return r.Imposed >> 20 }

// FoundMiB is rounded down, as ImposedMiB is.
func (r sustainedRun) FoundMiB() int64 { return r.Found >> 20 }
