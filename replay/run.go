package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// dirName is the directory that a run makes in Options.Dir and removes.
const dirName = "iotrace-replay"

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
	if err := enough(o.Dir, p.Space()); err != nil {
		return nil, err
	}
	base := filepath.Join(o.Dir, dirName)
	if err := os.Mkdir(base, 0o700); err != nil {
		if errors.Is(err, os.ErrExist) {
			err = fmt.Errorf("%w: another replay runs there, or one was killed; if none runs, remove it", err)
		}
		if errors.Is(err, os.ErrPermission) {
			err = fmt.Errorf("%w: choose a directory that you may write to", err)
		}
		return nil, fmt.Errorf("preparing the replay: %w", err)
	}
	var kept []*session
	clean := func() (err error) {
		for _, s := range kept {
			err = errors.Join(err, s.clean())
		}
		kept = nil
		return err
	}
	defer func() { err = errors.Join(err, clean(), os.Remove(base)) }()
	for i := range n {
		if enough(o.Dir, 2*p.Space()) != nil {
			if err := clean(); err != nil {
				return nil, err
			}
		}
		s := newSession(p, o)
		s.dir = filepath.Join(base, fmt.Sprintf("%03d", i))
		if err := os.Mkdir(s.dir, 0o700); err != nil {
			return nil, fmt.Errorf("preparing the replay: %w", err)
		}
		kept = append(kept, s)
		r, err := replay(ctx, s)
		if err != nil {
			return nil, err
		}
		r.Dir = base
		all = append(all, r)
		if o.Made != nil {
			o.Made(len(all))
		}
	}
	return all, nil
}

func enough(dir string, need int64) error {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return fmt.Errorf("preparing the replay: %w", &os.PathError{Op: "statfs", Path: dir, Err: err})
	}
	if free := int64(st.Bavail) * int64(st.Bsize); need+need/50+(16<<20) > free {
		return fmt.Errorf("preparing the replay: its files need %d MB, %s has %d MB free; use another directory", need/1e6,
			dir, free/1e6)
	}
	return nil
}

// replay runs the program once, in the directory of a session.
func replay(ctx context.Context, s *session) (*Result, error) {
	if err := s.prepare(ctx); err != nil {
		return nil, fmt.Errorf("preparing the files of the replay: %w", err)
	}
	if err := s.run(ctx); err != nil {
		return nil, fmt.Errorf("replaying: %w", err)
	}
	return result(s), nil
}
