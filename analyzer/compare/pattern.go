package compare

import (
	"math"

	"github.com/iotrace/iotrace/baseline"
)

// undeclared is the reason for what a pattern leaves to the drive.
const undeclared = "not declared"

// FromPattern is the side of a pattern as its tool declares it. What depends on
// the drive or the file system is not declared: requests, latency, throughput,
// the length of pauses. The steps of a pattern count in proportion to their
// bytes, or equally if one of them is limited by time alone.
func FromPattern(p *baseline.Pattern) *Side {
	s := &Side{Name: p.Name, Kind: Pattern, About: p.Title, Warnings: []string{}}
	for i := range s.values {
		s.values[i] = unknown(undeclared)
	}
	d := declared{sizes: spread{}, depths: spread{}, runs: spread{}, syncs: spread{}}
	weights := weigh(p.Steps)
	for i := range p.Steps {
		d.add(&p.Steps[i], weights[i])
	}
	d.fill(s)
	return s
}

// weigh is what each step counts.
func weigh(steps []baseline.Step) []float64 {
	weights := make([]float64, len(steps))
	for i := range steps {
		if weights[i] = moved(&steps[i]); weights[i] == 0 {
			for k := range weights {
				weights[k] = 1
			}
			return weights
		}
	}
	return weights
}

// moved is the bytes a step moves, counting a copy once; 0 if only time or the
// size of the device limits it.
func moved(s *baseline.Step) float64 {
	switch {
	case s.Files != nil:
		return float64(s.Files.Bytes())
	case s.Limit.Bytes > 0:
		return float64(s.Limit.Bytes) * float64(max(s.Threads, 1))
	case s.Limit.Time > 0:
		return 0
	}
	return float64(s.FileSize)
}

// declared gathers the declared values over the steps.
type declared struct {
	sizes, depths, runs, syncs   spread
	read, write                  float64
	sequential, strided, random  float64
	buffered, direct, uncached   float64
	calls, async, ranges, sends  float64
	clones, total, busy, unsyncd float64
	sets, overlaps               bool // overlaps: several operations at once, in a step at least
}

func (d *declared) add(s *baseline.Step, weight float64) {
	d.total += weight
	d.sets = d.sets || s.Files != nil
	if s.Op == baseline.Copy && s.Method == baseline.CopyClone {
		d.clones += weight
		return
	}
	block := float64(s.Block)
	if block == 0 { // one call for everything
		block = float64(s.FileSize)
	}
	d.sizes.add(block, weight)
	d.overlaps = d.overlaps || s.Nominal() > 1
	d.depths.add(float64(s.Nominal()), weight)
	share := readShare(s)
	d.read += weight * share
	d.write += weight * (1 - share)
	d.access(s, block, weight)
	switch s.Cache {
	case baseline.Direct:
		d.direct += weight
	case baseline.Uncached:
		d.uncached += weight
	default:
		d.buffered += weight
	}
	switch {
	case s.Method == baseline.CopyFileRange:
		d.ranges += weight
	case s.Method == baseline.CopySendfile:
		d.sends += weight
	case s.Blocking:
		d.calls += weight
	default:
		d.async += weight
	}
	if s.Burst != nil && s.Burst.Duty > 0 {
		d.busy += weight * s.Burst.Duty
	} else {
		d.busy += weight
	}
	d.sync(s, block, weight)
}

// readShare is the share of the bytes that a step reads; a copy reads what it
// writes.
func readShare(s *baseline.Step) float64 {
	switch s.Op {
	case baseline.Read:
		return 1
	case baseline.Write:
		return 0
	case baseline.Mixed:
		return float64(s.ReadShare) / 100
	}
	return 0.5
}

func (d *declared) access(s *baseline.Step, block, weight float64) {
	switch s.Access {
	case baseline.Random, baseline.Shuffled:
		d.random += weight
		d.runs.add(block, weight)
		return
	case baseline.Strided:
		d.strided += weight
		d.runs.add(block, weight)
		return
	}
	d.sequential += weight
	if s.Files != nil {
		for _, size := range s.Files.Sizes {
			d.runs.add(float64(size), weight*float64(size)*float64(s.Files.Rounds)/float64(s.Files.Bytes()))
		}
		return
	}
	run := float64(s.FileSize)
	if run == 0 {
		run = endless // a whole device
	}
	if s.Limit.Bytes > 0 {
		run = math.Min(run, float64(s.Limit.Bytes))
	}
	d.runs.add(run, weight)
}

func (d *declared) sync(s *baseline.Step, block, weight float64) {
	if !s.Writes() {
		return
	}
	written := weight * (1 - readShare(s))
	switch s.Sync {
	case baseline.SyncEnd, baseline.SyncData:
		switch {
		case s.Files != nil:
			d.syncs.add(float64(s.Files.Bytes())/float64(s.Files.Count()), written)
		case moved(s) > 0:
			d.syncs.add(moved(s)*(1-readShare(s)), written)
		default:
			d.syncs.add(float64(s.FileSize), written)
		}
	case baseline.SyncWrite:
		d.syncs.add(block, written)
	case baseline.SyncEvery:
		d.syncs.add(block*float64(max(s.Every, 1)), written)
	default:
		d.unsyncd += written
	}
}

func (d *declared) fill(s *Side) {
	absent := none(noCalls)
	s.values[callSize] = d.sizes.value(absent)
	s.values[callDepth] = d.depths.value(absent)
	s.values[readMix] = portions{{"read", d.read}, {"write", d.write}}.value(absent)
	s.values[locality] = portions{{"sequential", d.sequential}, {"strided", d.strided}, {"random", d.random}}.value(absent)
	s.values[runLength] = d.runs.value(absent)
	s.values[cacheMode] = portions{{"buffered", d.buffered}, {"direct", d.direct}, {"uncached", d.uncached}}.value(absent)
	s.values[interfaceUsed] = portions{
		{byCalls, d.calls}, {byAsync, d.async}, {byCopyRange, d.ranges}, {bySendfile, d.sends}, {byClone, d.clones},
	}.value(absent)
	if d.overlaps {
		for _, i := range []int{gapReadWrite, gapWriteRead, gapWriteWrite} {
			s.values[i] = none(overlapping)
		}
	}
	s.values[busyShare] = absent
	if at := d.total - d.clones; at > 0 {
		s.values[busyShare] = portions{{"in flight", d.busy / at}, {"idle", 1 - d.busy/at}}.value(absent)
	}
	switch {
	case d.write == 0:
		s.values[syncEvery] = none("nothing is written")
	case d.unsyncd > d.write/2:
		s.values[syncEvery] = none("no sync")
	default:
		s.values[syncEvery] = d.syncs.value(none("no sync"))
	}
	if !d.sets && d.clones == 0 { // opened before, measured from the first block on
		s.values[metadataShare] = portions{{"metadata", 0}, {"data and sync", 1}}.value(absent)
	}
}
