package course

// This file follows the bytes of copied files through the stages of a copy, over time: read by devices, copied by
// calls, written by devices. Which files are copied is known in the end only, so each is followed, in bounded memory.

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

const (
	stageRead = iota
	stageCopied
	stageWritten
	numStages
)

// maxSteps bounds what is kept of single files. Of files seen later there is the sum of all: where so many are used,
// nearly all are copied.
const maxSteps = 1 << 16

// Pipeline follows the files of a recording.
type Pipeline struct {
	width, bins int64
	files       world.Table[staged]
	list        []*staged
	others      staged // all beyond the bound
	steps       int
}

// staged is the bytes of one file in each stage, in the order of the bins they were seen in first.
type staged struct {
	*world.File
	stages  [numStages][]growth
	devices [numStages]*world.Device // the last one: nearly always the only one
}

type growth struct{ bin, bytes int64 }

// NewPipeline follows files over bins of time up to the end of a recording.
func NewPipeline(bins int, end int64) *Pipeline {
	width := max(measure.RoundUp(end/int64(max(bins, 1))+1), 1)
	return &Pipeline{width: width, bins: end/width + 1}
}

// Data counts what calls wrote.
func (c *Pipeline) Data(x *world.Access) {
	out, _ := x.Out()
	if !x.Writes || out == nil || x.Bytes <= 0 {
		return
	}
	f := c.file(out)
	first, last := c.bin(x.Start), c.bin(x.End)
	n := last - first + 1
	for i := range n {
		c.add(f, stageCopied, first+i, x.Bytes*(i+1)/n-x.Bytes*i/n)
	}
}

// Request counts what devices read and wrote of files, when they had done so.
func (c *Pipeline) Request(e *world.Request) {
	stage := stageRead
	switch e.Op {
	case trace.ReqRead:
	case trace.ReqWrite:
		stage = stageWritten
	default:
		return
	}
	for _, x := range e.Pieces {
		f := c.file(x.File)
		c.add(f, stage, c.bin(max(e.Issued, e.Completed)), x.Bytes)
		f.devices[stage] = e.Device
	}
}

func (c *Pipeline) bin(t int64) int64 { return min(max(t, 0)/c.width, c.bins-1) }

func (c *Pipeline) file(f *world.File) *staged {
	x := c.files.Known(f.Number)
	if x != nil {
		return x
	}
	if c.steps >= maxSteps {
		return &c.others
	}
	x = &staged{File: f}
	c.files.Set(f.Number, x)
	c.list = append(c.list, x)
	return x
}

// add counts bytes in a bin, which is most often that of those before.
func (c *Pipeline) add(f *staged, stage int, bin, bytes int64) {
	s := f.stages[stage]
	for i := len(s) - 1; i >= 0 && i >= len(s)-8; i-- {
		if s[i].bin == bin {
			s[i].bytes += bytes
			return
		}
	}
	f.stages[stage] = append(s, growth{bin, bytes})
	c.steps++
}

// Finish adds the stages of the files that were copied.
func (c *Pipeline) Finish(p *profile.Profile) {
	if p.Charts == nil {
		p.Charts = &profile.Charts{}
	}
	p.Charts.Pipeline = nil
	sources, dests := map[string]bool{}, map[string]bool{}
	for _, x := range p.Copies {
		sources[x.Source], dests[x.Destination] = true, true
	}
	all := p.Omitted.Copies > 0
	sums := [numStages][]int64{}
	for i := range sums {
		sums[i] = make([]int64, c.bins)
	}
	devices := [numStages]map[string]int64{{}, {}, {}}
	add := func(f *staged, stage int) {
		for _, s := range f.stages[stage] {
			sums[stage][s.bin] += s.bytes
			if d := f.devices[stage]; d != nil {
				devices[stage][d.Name] += s.bytes
			}
		}
	}
	for _, f := range c.list {
		if all || f.named(sources) {
			add(f, stageRead)
		}
		if all || f.named(dests) {
			add(f, stageCopied)
			add(f, stageWritten)
		}
	}
	if len(p.Copies) > 0 {
		for stage := range numStages {
			add(&c.others, stage)
		}
	}
	if !slices.ContainsFunc(sums[stageCopied], positive) {
		return
	}
	stayBehind(sums[stageCopied], sums[stageRead])
	p.Charts.Pipeline = &profile.Pipeline{
		BinNS: c.width, Read: sums[stageRead], Copied: sums[stageCopied], Written: sums[stageWritten],
		ReadFrom: heaviest(devices[stageRead]), WrittenTo: heaviest(devices[stageWritten]),
	}
}

// stayBehind keeps the bytes of long calls behind those that the devices have delivered: how far a call is before it
// ends is not recorded, but it copies nothing that has not come yet. What no device read was in memory before.
func stayBehind(copied, read []int64) {
	var allowed, late int64
	for i := range copied {
		allowed += copied[i] - read[i]
	}
	allowed = max(allowed, 0)
	for i := range copied {
		allowed, late = allowed+read[i], late+copied[i]
		copied[i] = min(late, allowed)
		allowed, late = allowed-copied[i], late-copied[i]
	}
}

func positive(n int64) bool { return n > 0 }

// named reports whether a file has, or had, one of the names.
func (f *staged) named(names map[string]bool) bool {
	return names[f.Path] || slices.ContainsFunc(f.Names, func(s string) bool { return names[s] })
}

// heaviest are the devices, most bytes first.
func heaviest(bytes map[string]int64) []string {
	list := make([]string, 0, len(bytes))
	for name := range bytes {
		list = append(list, name)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(bytes[b], bytes[a]), cmp.Compare(a, b)) })
	return list
}
