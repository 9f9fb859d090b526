package baseline

import (
	"slices"
	"time"
)

// Scale adapts a pattern to a smaller disk or a shorter wait. Zero fields
// change nothing.
type Scale struct {
	Size  int64         // of the test file, or of all files of a file set together
	Time  time.Duration // measuring time of steps that have a limit of time
	Sizes []int64       // of one round of a file set
	Runs  int           // counted runs
}

// Scaled returns p with the scale applied. Byte limits keep their ratio to the
// size of the file; bursts keep their size as long as all of them fit into it.
// Idle times shrink with the measuring time.
func (p Pattern) Scaled(sc Scale) Pattern {
	p.Before, p.Steps = slices.Clone(p.Before), slices.Clone(p.Steps)
	for _, steps := range [][]Step{p.Before, p.Steps} {
		for i := range steps {
			steps[i] = steps[i].scaled(sc)
			if p.Target == TargetDevice && sc.Size > 0 {
				steps[i].FileSize = WholeBlocks(sc.Size, steps[i].Block) // of the beginning of the device
			}
		}
	}
	if sc.Time > 0 && p.Pause > 0 {
		p.Pause = min(p.Pause, sc.Time)
	}
	if sc.Runs > 0 {
		p.Runs = sc.Runs
	}
	return p
}

func (s Step) scaled(sc Scale) Step {
	if s.Files != nil {
		files := *s.Files
		if len(sc.Sizes) > 0 {
			files.Sizes = sc.Sizes
		}
		if total := files.Bytes(); sc.Size > 0 && total > 0 {
			files.Sizes = slices.Clone(files.Sizes)
			for i, n := range files.Sizes {
				files.Sizes[i] = max(1, int64(float64(n)*float64(sc.Size)/float64(total)))
			}
		}
		s.Files = &files
	}
	if sc.Size > 0 && s.FileSize > 0 {
		old := s.FileSize
		s.FileSize = WholeBlocks(sc.Size, s.Block)
		s.Limit.Bytes = wholeBlocksOrZero(float64(s.Limit.Bytes)*float64(s.FileSize)/float64(old), s.Block)
		if b := s.Burst; b != nil {
			burst := *b
			if all := burst.Bytes * int64(max(burst.Count, 1)); all > s.FileSize {
				burst.Bytes = WholeBlocks(s.FileSize/int64(max(burst.Count, 1)), s.Block)
			}
			if burst.Count > 0 {
				s.Limit.Bytes = burst.Bytes * int64(burst.Count)
			}
			s.Burst = &burst
		}
	}
	if sc.Time > 0 {
		if s.Limit.Time > 0 {
			s.Limit.Time = sc.Time
		}
		s.Idle = min(s.Idle, sc.Time)
	}
	return s
}

// Cut returns p with no more than so many counted runs, of steps that take no longer than a time; 0 leaves them as long
// as they are. Copies and sets of files are not cut: half of one is another one.
func (p Pattern) Cut(runs int, most time.Duration) Pattern {
	p.Runs, p.Steps = min(p.Runs, runs), slices.Clone(p.Steps)
	if p.Until != nil {
		rule := *p.Until
		rule.Max = min(rule.Max, runs)
		p.Until = &rule
	}
	if most == 0 {
		return p
	}
	p.Pause = min(p.Pause, most)
	for i, s := range p.Steps {
		if s.Op == Copy || s.Files != nil {
			continue
		}
		if s.Limit == (Limit{}) && s.FileSize > 0 && (s.Burst == nil || s.Burst.Count == 0) {
			s.Limit.Bytes = s.FileSize // still one pass
			if s.Access == Shared {
				s.Limit.Bytes = max(s.FileSize/int64(s.Threads), s.Block)
			}
		}
		if s.Limit.Time == 0 || s.Limit.Time > most {
			s.Limit.Time = most
		}
		s.Idle = min(s.Idle, most)
		p.Steps[i] = s
	}
	return p
}

// WholeBlocks rounds n down to whole blocks, at least one.
func WholeBlocks(n, block int64) int64 {
	if block <= 0 {
		return n
	}
	return max(n/block, 1) * block
}

// wholeBlocksOrZero keeps 0, which means no limit.
func wholeBlocksOrZero(n float64, block int64) int64 {
	if n <= 0 {
		return 0
	}
	return WholeBlocks(int64(n), block)
}
