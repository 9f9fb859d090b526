package replay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/iotrace/iotrace/internal/output"
)

// Run prepares the files, replays the program, and removes everything. The
// measure it returns is complete only without an error.
func Run(ctx context.Context, p *Program, o Options) (*Result, error) {
	all, err := Repeat(ctx, p, o, 1)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// Repeat replays the program n times. If there is room the files of all runs
// stay until the last is done: to remove many files slows the creation of others
// on ext4 for minutes.
func Repeat(ctx context.Context, p *Program, o Options, n int) (all []*Result, err error) {
	need := p.Space()
	if o.Inputs != nil {
		need = p.space(p.OnlyRead())
	}
	space, err := output.OpenWorkspace(o.Dir, &own)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, space.Close()) }()
	if err := enough(o.Dir, need); err != nil { // also without what was left there
		return nil, err
	}
	var kept []*session
	clean := func() (err error) {
		for _, s := range kept {
			err = errors.Join(err, s.clean())
		}
		kept = nil
		return err
	}
	defer func() { err = errors.Join(err, clean()) }()
	for i := range n {
		if enough(o.Dir, 2*need) != nil {
			if err := clean(); err != nil {
				return nil, err
			}
		}
		s := newSession(p, o)
		if err := s.makeDir(space, dirName(i)); err != nil {
			return nil, fmt.Errorf("preparing the replay: %w", err)
		}
		kept = append(kept, s)
		r, err := replay(ctx, s, o)
		if err != nil {
			return nil, err
		}
		if space.Removed > 0 && i == 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("What a replay that was killed had left in %s was removed.", r.Dir))
		}
		all = append(all, r)
		if o.Made != nil {
			o.Made(len(all))
		}
	}
	return all, nil
}

// replay runs the program once, in the directory of a session.
func replay(ctx context.Context, s *session, o Options) (*Result, error) {
	if err := s.prepare(ctx); err != nil {
		return nil, fmt.Errorf("preparing the files of the replay: %w", err)
	}
	if o.Settle {
		if err := s.settle(); err != nil {
			return nil, fmt.Errorf("preparing the files of the replay: %w", err)
		}
	}
	if err := s.run(ctx); err != nil {
		return nil, fmt.Errorf("replaying: %w", err)
	}
	if o.Settle {
		if err := s.settle(); err != nil {
			return nil, fmt.Errorf("replaying: %w", err)
		}
		s.safe = time.Since(s.begin).Nanoseconds()
	}
	if o.Compare {
		if err := compare(ctx, s.p.Copies, s.files); err != nil {
			return nil, err
		}
	}
	return result(s), nil
}
