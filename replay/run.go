package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// Options direct a run.
type Options struct {
	Dir  string
	ASAP bool           // without pauses
	Made func(runs int) // if any, is called after each run of Repeat
}

// dirName is the directory that a run makes in Options.Dir and removes.
const dirName = "iotrace-replay"

// session is a run in progress.
type session struct {
	p     *Program
	asap  bool
	dir   string
	files []*target
	begin time.Time
	done  []chan struct{} // per operation, only for those that others wait for
	took  []int64         // ns
	at    []int64
	moved []int64
	stop  atomic.Bool

	renames sync.Mutex
}

// target is a file of the run with its open descriptors, the newest last.
type target struct {
	mu      sync.Mutex
	path    string
	fds     []int
	renamed int

	maps    sync.RWMutex // held while pages of the mapping are waited for
	mapping []byte       // for touch, made when it is needed
}

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
		r, err := s.replay(ctx)
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

func (s *session) replay(ctx context.Context) (*Result, error) {
	if err := s.prepare(ctx); err != nil {
		return nil, fmt.Errorf("preparing the files of the replay: %w", err)
	}
	if err := s.run(ctx); err != nil {
		return nil, fmt.Errorf("replaying: %w", err)
	}
	return s.result(), nil
}

func newSession(p *Program, o Options) *session {
	s := &session{p: p, asap: o.ASAP, dir: filepath.Join(o.Dir, dirName), done: make([]chan struct{}, len(p.Ops)),
		took: make([]int64, len(p.Ops)), at: make([]int64, len(p.Ops)), moved: make([]int64, len(p.Ops))}
	for i := range p.Ops {
		for _, j := range p.Ops[i].After {
			if s.done[j] == nil {
				s.done[j] = make(chan struct{})
			}
		}
	}
	return s
}

// Space is the room that the files of the program need.
func (p *Program) Space() int64 {
	var n int64
	for _, f := range p.Files {
		n += max(f.Size, f.End)
	}
	return n
}

func enough(dir string, need int64) error {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return fmt.Errorf("preparing the replay: %w", &os.PathError{Op: "statfs", Path: dir, Err: err})
	}
	if free := int64(st.Bavail) * int64(st.Bsize); need+need/50+(16<<20) > free {
		return fmt.Errorf("preparing the replay: its files need %d MB, %s has %d MB free; use another directory", need/1e6, dir, free/1e6)
	}
	return nil
}

func (s *session) run(ctx context.Context) error {
	lists := make([][]int, s.p.Threads)
	for i := range s.p.Ops {
		t := s.p.Ops[i].Thread
		lists[t] = append(lists[t], i)
	}
	release := context.AfterFunc(ctx, func() { s.stop.Store(true) })
	defer release()
	errs := make([]error, len(lists))
	var wg sync.WaitGroup
	s.begin = time.Now()
	for t, list := range lists {
		wg.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			errs[t] = s.thread(list)
		})
	}
	wg.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

// thread runs the operations of one thread. If it fails it still releases
// those that wait for its operations.
func (s *session) thread(list []int) (err error) {
	buf, err := alignedBuffer(s.largest(list))
	if err != nil {
		s.stop.Store(true)
	} else {
		defer func() { err = errors.Join(err, unix.Munmap(buf)) }()
		random(buf, uint64(len(list)))
	}
	for _, i := range list {
		o := &s.p.Ops[i]
		for _, j := range o.After {
			<-s.done[j]
		}
		if !s.stop.Load() {
			if !s.asap {
				pause(time.Duration(o.Pause))
			}
			begun := time.Now()
			n, e := s.operate(o, buf, i)
			s.at[i], s.took[i], s.moved[i] = begun.Sub(s.begin).Nanoseconds(), time.Since(begun).Nanoseconds(), n
			if e != nil {
				err = fmt.Errorf("%s of file %d at %d: %w", o.Kind, o.File, o.Offset, e)
				s.stop.Store(true)
			}
		}
		if s.done[i] != nil {
			close(s.done[i])
		}
	}
	return err
}

func (s *session) largest(list []int) int {
	n := int64(4096)
	for _, i := range list {
		if o := &s.p.Ops[i]; o.Kind == trace.OpRead || o.Kind == trace.OpWrite {
			n = max(n, o.Size)
		}
	}
	return int((n + 4095) / 4096 * 4096)
}

// sleepError is how late a sleep may end; the rest of a pause is spun.
const sleepError = 100 * time.Microsecond

func pause(d time.Duration) {
	end := time.Now().Add(d)
	if d > 2*sleepError {
		time.Sleep(d - sleepError)
	}
	for time.Now().Before(end) {
	}
}
