package workloads

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/iotrace/iotrace/baseline"
)

// pilot is what a first look at a volume found.
type pilot struct {
	write, read float64       // bytes per second, until they are safe, and with cold caches
	file        time.Duration // to make a small file
	settling    time.Duration // to bring what was made to the device, and to remove it
}

// The pilot writes and reads a file that is larger than what a drive takes at once, and some small ones.
const (
	pilotBytes = 64 * mib
	pilotFiles = 50
)

// Estimate tries each volume for a moment and says how long the review will take. What is announced is kept in the
// result.
func (s *Session) Estimate(ctx context.Context) (time.Duration, error) {
	for k, v := range s.volumes {
		p, err := v.pilot(ctx)
		if err != nil {
			return 0, v.ws.Explain(fmt.Errorf("trying %s: %w", s.result.Volumes[k].Path, err))
		}
		s.pilots = append(s.pilots, p)
	}
	left := s.left()
	if s.result.PlannedNS == 0 {
		s.result.PlannedNS = int64(left)
	}
	return left, nil
}

func (v *volume) pilot(ctx context.Context) (p pilot, err error) {
	path := v.ws.NewPath("data")
	begun := time.Now()
	if err := v.fill(ctx, path, pilotBytes); err != nil {
		return p, err
	}
	if err := v.synced(path); err != nil {
		return p, err
	}
	p.write = pilotBytes / time.Since(begun).Seconds()
	if err := v.visit(path, true); err != nil {
		return p, err
	}
	begun = time.Now()
	if err := v.visit(path, false); err != nil {
		return p, err
	}
	p.read = pilotBytes / time.Since(begun).Seconds()
	begun = time.Now()
	dir, err := v.ws.NewDir()
	if err != nil {
		return p, err
	}
	for i := range pilotFiles {
		if err := v.fill(ctx, filepath.Join(dir, fmt.Sprintf("data-%05d", i+1)), treeSizes[i%len(treeSizes)]); err != nil {
			return p, err
		}
	}
	p.file = time.Since(begun) / pilotFiles
	begun = time.Now()
	err = errors.Join(v.ws.SyncAll(), v.ws.RemoveDir(dir), v.ws.Remove(path), v.ws.Sync())
	p.settling = time.Since(begun)
	return p, err
}

// lasts estimates the making of what a task reads, and one run of it.
func (p pilot) lasts(t baseline.Task) (making, run time.Duration) {
	seconds := func(bytes int64, rate float64) time.Duration {
		return time.Duration(float64(bytes) / rate * float64(time.Second))
	}
	writing, reading := seconds(t.Bytes, p.write), seconds(t.Bytes, p.read)
	switch t.Work {
	case "cp":
		if !t.Cold {
			reading /= 2 // little of it goes from memory, and the reading before the run
		}
		return writing, max(writing, reading) + min(writing, reading)/2 + p.settling
	case "clone":
		return writing, p.settling + 10*time.Millisecond
	case "tree":
		return time.Duration(t.Files)*p.file + p.settling, time.Duration(t.Files)*p.file + 2*p.settling
	case "scrub":
		return writing, seconds(scrubJumps*scrubPiece, p.read)
	case "files":
		if t.Op == baseline.Write {
			return 0, writing + p.settling
		}
		return writing, reading
	case "sustained":
		return 0, writing + p.settling
	}
	if t.Point != nil {
		return writing, pointTime + 20*time.Millisecond
	}
	return time.Second / 4, time.Second / 10
}

// left is the time of all that is still to be done: as estimated at first, for a task as it was measured where it was.
func (s *Session) left() time.Duration {
	var sum time.Duration
	for k, v := range s.volumes {
		if k >= len(s.pilots) {
			break
		}
		ready := v.ready
		for _, t := range s.result.Tasks {
			if !s.lacks(t, k) {
				continue
			}
			done := t.Results[k].Runs
			making, run := s.pilots[k].lasts(t)
			if len(done) > 0 {
				run = time.Duration(max(done[len(done)-1].NS, done[len(done)-1].SafeNS))
			}
			if needs(t) != ready {
				ready, sum = needs(t), sum+making
			}
			sum += time.Duration(s.result.RunsOf(t)-len(done)) * run
		}
	}
	return sum
}
