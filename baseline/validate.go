package baseline

import (
	"errors"
	"fmt"
	"slices"
)

// maxOutstanding bounds depth × threads: one buffer of a block each.
const maxOutstanding = 8192

// maxBuffers bounds the memory for them, in bytes.
const maxBuffers = 4 << 30

// Validate reports what makes a pattern impossible to run. Patterns of the
// catalogue are valid; those of callers may not be.
func (p Pattern) Validate() error {
	var errs []error
	if p.Name == "" || len(p.Steps) == 0 {
		errs = append(errs, errors.New("it needs a name and at least one step"))
	}
	if p.Runs < 1 || p.Discard < 0 {
		errs = append(errs, fmt.Errorf("%d runs, of which %d come before and are not counted", p.Runs, p.Discard))
	}
	if !slices.Contains([]Target{TargetFile, TargetDevice}, p.Target) {
		errs = append(errs, fmt.Errorf("target %q is neither %s nor %s", p.Target, TargetFile, TargetDevice))
	}
	seen := map[string]bool{}
	for _, s := range append(slices.Clone(p.Before), p.Steps...) {
		if seen[s.Name] {
			errs = append(errs, fmt.Errorf("two steps are called %q", s.Name))
		}
		seen[s.Name] = true
		if s.Files != nil && !s.Writes() && !slices.ContainsFunc(p.Steps, func(w Step) bool {
			return w.Files != nil && w.Writes()
		}) {
			errs = append(errs, fmt.Errorf("step %q reads files that no step writes", s.Name))
		}
		if err := s.validate(p.Target); err != nil {
			errs = append(errs, fmt.Errorf("step %q: %w", s.Name, err))
		}
	}
	if p.Until != nil && !seen[p.Until.Track] {
		errs = append(errs, fmt.Errorf("it waits for steady state of step %q, which it does not have", p.Until.Track))
	}
	if len(errs) > 0 {
		return fmt.Errorf("checking pattern %q: %w", p.Name, errors.Join(errs...))
	}
	return nil
}

func (s Step) validate(target Target) error {
	type check struct {
		bad  bool
		text string
	}
	moves := s.Op != Copy || s.Method == CopyLoop
	for _, c := range []check{
		{!slices.Contains([]Op{Read, Write, Mixed, Copy}, s.Op), "op is not read, write, mixed or copy"},
		{!slices.Contains([]Access{Sequential, Shared, Random, Shuffled, Strided, Interleaved}, s.Access),
			"access is not one of the known orders"},
		{!slices.Contains([]Cache{Direct, Uncached, Buffered}, s.Cache), "cache is not direct, uncached or buffered"},
		{!slices.Contains([]Data{RandomData, Repeat1MiB, Zero, ByteA}, s.Data),
			"data is not random, repeat-1MiB, zero or 0x41"},
		{!slices.Contains([]Sync{SyncNone, SyncEnd, SyncData, SyncWrite, SyncEvery}, s.Sync),
			"sync is not one of the known policies"},
		{s.Op == Copy && !slices.Contains([]Method{CopyLoop, CopyFileRange, CopySendfile, CopyClone}, s.Method),
			"method of the copy is not known"},
		{s.Op == Mixed && (s.ReadShare < 0 || s.ReadShare > 100), "read share is not 0 to 100 percent"},
		{moves && s.Block <= 0, "block size is not positive"},
		{moves && s.Cache == Direct && s.Block%512 != 0, "block size of direct I/O is not a multiple of 512"},
		{s.Depth < 1 || s.Threads < 1, "depth and threads are at least 1"},
		{s.Nominal() > maxOutstanding || int64(s.Nominal())*s.Block > maxBuffers, "too many operations outstanding"},
		{s.Blocking && s.Nominal() > 1, "blocking calls have depth 1"},
		{s.Blocking && s.Access != Sequential, "blocking calls are sequential"},
		{s.Op == Copy && !s.Blocking, "a copy is done with blocking calls"},
		{s.Access == Strided && (s.Stride < s.Block || s.Block > 0 && s.Stride%s.Block != 0),
			"stride is not a multiple of the block size"},
		{s.Access == Interleaved && s.Streams < 1, "interleaved access needs streams"},
		{s.Files == nil && target == TargetFile && s.FileSize < max(s.Block, 1), "the file is smaller than a block"},
		{s.Files != nil && (s.Files.Count() == 0 || slices.Min(s.Files.Sizes) < 1 || !s.Blocking || s.Op == Mixed ||
			s.Op == Copy), "a file set needs sizes, blocking calls, and reads or writes only"},
		{s.Fresh && s.Op != Write && s.Op != Copy, "only a write or a copy makes a new file"},
		{s.Fresh && target == TargetDevice, "a device is not a new file"},
		{s.Sync == SyncEvery && s.Every < 1, "fdatasync after every how many operations?"},
		{s.Limit.Time < 0 || s.Limit.Bytes < 0, "a limit is negative"},
		{s.Burst != nil && (s.Burst.Duty <= 0 || s.Burst.Duty > 1 || s.Burst.Bytes < s.Block || s.Burst.Count < 0),
			"a burst needs at least a block and a duty cycle over 0 and up to 1"},
	} {
		if c.bad {
			return errors.New(c.text)
		}
	}
	return nil
}
