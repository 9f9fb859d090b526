package whatif

// This file reads the changes that a user asks for.

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/internal/unit"
)

// Options are a change as its user writes it; what is empty changes nothing.
type Options struct {
	Latency   string // a factor or a time
	Bandwidth string // a factor or a rate
	CPU       string // a factor
	ReadAhead string // a size
	Block     string // a size
	Drive     string // the name of a file that tells of another drive
	Change           // what needs no reading, and what was read
}

// Read makes a change of what was written.
func (o *Options) Read() error {
	for _, part := range []struct {
		option, written, wanted string
		read                    func(string) error
	}{
		{"latency", o.Latency, "a factor such as 0.5x or a time such as 80us", o.latency},
		{"bandwidth", o.Bandwidth, "a factor such as 2x or a rate such as 3GB/s", o.bandwidth},
		{"cpu", o.CPU, "a factor such as 2x", func(s string) error { return times(s, &o.Change.CPU) }},
		{"readahead", o.ReadAhead, "a size such as 4MiB", func(s string) error { return size(s, &o.Change.ReadAhead) }},
		{"block", o.Block, "a size such as 1MiB", func(s string) error { return size(s, &o.Change.Block) }},
	} {
		if part.written != "" && part.read(part.written) != nil {
			return fmt.Errorf("--%s %s: want %s", part.option, part.written, part.wanted)
		}
	}
	switch {
	case o.Depth < 0 || o.Depth > 1<<16:
		return fmt.Errorf("--depth %d: want 1 to 65536 requests", o.Depth)
	case o.Depth > 0 && o.Change.ReadAhead > 0:
		return errors.New("--depth and --readahead both say how much is asked for ahead: give one of them")
	}
	return nil
}

var errValue = errors.New("out of range")

func (o *Options) latency(s string) error {
	if times(s, &o.Change.Latency) == nil {
		return nil
	}
	each, err := unit.ParseDuration(s)
	if err != nil || each <= 0 {
		return errValue
	}
	o.Each = float64(each)
	return nil
}

func (o *Options) bandwidth(s string) error {
	if times(s, &o.Change.Bandwidth) == nil {
		return nil
	}
	rate, err := unit.ParseRate(s)
	if err != nil || rate <= 0 {
		return errValue
	}
	o.Rate = float64(rate) / 1e9
	return nil
}

func size(s string, bytes *int64) error {
	n, err := unit.ParseBytes(s)
	if err != nil || n <= 0 {
		return errValue
	}
	*bytes = n
	return nil
}

// times reads a factor such as 0.5x.
func times(s string, factor *float64) error {
	number, ok := strings.CutSuffix(s, "x")
	f, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(f >= 1e-6 && f <= 1e6) {
		return errValue
	}
	*factor = f
	return nil
}

// Scenarios are what is to be tried: the change, or the standard set if there is none.
func (o *Options) Scenarios() []Scenario {
	if o.Change != (Change{Device: o.Device}) {
		return []Scenario{{Name: o.Name(), Change: o.Change}}
	}
	list := Standard()
	for i := range list {
		list[i].Change.Device = o.Device
	}
	return list
}

// Name says what is changed as the options say it.
func (o *Options) Name() string {
	var list []string
	add := func(given bool, format string, args ...any) {
		if given {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	add(o.Drive != "", "the drive of %s", filepath.Base(o.Drive))
	add(o.Latency != "", "latency %s", o.Latency)
	add(o.Bandwidth != "", "bandwidth %s", o.Bandwidth)
	add(o.Depth > 0, "%d in flight", o.Depth)
	add(o.Block != "", "blocks of %s", o.Block)
	add(o.ReadAhead != "", "readahead %s", o.ReadAhead)
	add(o.CPU != "", "CPU %s", o.CPU)
	add(o.NoThink, "no pauses")
	add(o.NoSync, "no syncs")
	add(o.Warm, "warm")
	add(o.Direct, "direct")
	return strings.Join(list, ", ")
}
