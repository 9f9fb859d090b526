package replay

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace"
)

// Options direct a run.
type Options struct {
	Dir  string
	ASAP bool           // without pauses
	Made func(runs int) // if any, is called after each run of Repeat
	// Inputs, if any, has the files that the program only reads.
	Inputs *Inputs
	// Settle: nothing is left to be written back when a run begins, and how long
	// it took until the data of the run was safe is measured.
	Settle bool
	// Compare: after a run the program's copies are read, and it is an error if
	// one differs from its source.
	Compare bool
}

// session is a run in progress.
type session struct {
	p     *Program
	asap  bool
	space *output.Workspace
	name  string // of dir in it
	dir   *output.Directory
	files []*target
	begin time.Time
	done  []chan struct{} // per operation, only for those that others wait for
	took  []int64         // ns
	at    []int64
	moved []int64
	safe  int64 // ns, until what was written was safe; 0 unless that was asked for
	stop  atomic.Bool
	ended <-chan struct{} // closed when there is nothing more to do; a pause ends then
	turns []sync.Mutex
	input *Inputs

	renames sync.Mutex
}

// newSession is a run that has no directory yet.
func newSession(p *Program, o Options) *session {
	s := &session{p: p, asap: o.ASAP, done: make([]chan struct{}, len(p.Ops)),
		took: make([]int64, len(p.Ops)), at: make([]int64, len(p.Ops)), moved: make([]int64, len(p.Ops)), input: o.Inputs}
	turns := 0
	for i := range p.Ops {
		turns = max(turns, p.Ops[i].Turn+1)
		for _, j := range p.Ops[i].After {
			if s.done[j] == nil {
				s.done[j] = make(chan struct{})
			}
		}
	}
	s.turns = make([]sync.Mutex, turns)
	return s
}

// makeDir makes the directory for the files.
func (s *session) makeDir(space *output.Workspace, name string) (err error) {
	if err := space.Directory().Make(name); err != nil {
		return err
	}
	s.space, s.name = space, name
	s.dir, err = space.Directory().Enter(name)
	return err
}

// settle has everything written that was written to the file system.
func (s *session) settle() (err error) {
	d, err := s.dir.File()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return host.SyncFS(int(d.Fd()))
}

// prepare makes the files as the program finds them, brings them to the device
// and their data out of memory, unless it was in memory when it was recorded.
func (s *session) prepare(ctx context.Context) error {
	buf, err := host.AlignedBuffer(1 << 20)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Munmap(buf) }()
	inputs, names := s.p.OnlyRead(), inputNames{}
	for i, f := range s.p.Files {
		if s.input != nil && inputs[i] {
			t, err := s.input.file(ctx, names.next(f.Size), f, buf)
			if err != nil {
				return err
			}
			s.files = append(s.files, t)
			continue
		}
		t := &target{dir: s.dir, name: fileName(i)}
		s.files = append(s.files, t)
		if f.Size == 0 {
			continue // made by the open or the first use
		}
		if err := t.fill(ctx, f, buf, uint64(i)); err != nil {
			return err
		}
	}
	return nil
}

// clean closes and removes the files.
func (s *session) clean() error {
	var errs []error
	for _, t := range s.files {
		if t.mapping != nil {
			errs = append(errs, unix.Munmap(t.mapping))
		}
		for len(t.fds) > 0 {
			errs = append(errs, t.close())
		}
		if t.kept {
			continue
		}
		errs = append(errs, host.IgnoreMissing(t.dir.Remove(t.name)))
	}
	if s.dir != nil {
		errs = append(errs, s.dir.Close(), s.space.RemoveDirectory(s.name))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("cleaning up after the replay: %w", err)
	}
	return nil
}

func (s *session) run(ctx context.Context) error {
	lists := make([][]int, s.p.Threads)
	for i := range s.p.Ops {
		t := s.p.Ops[i].Thread
		lists[t] = append(lists[t], i)
	}
	threads, end := context.WithCancel(ctx)
	defer end()
	context.AfterFunc(threads, func() { s.stop.Store(true) })
	s.ended = threads.Done()
	errs := make([]error, len(lists))
	var wg sync.WaitGroup
	s.begin = time.Now()
	for t, list := range lists {
		wg.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			if errs[t] = s.thread(list); errs[t] != nil {
				end()
			}
		})
	}
	wg.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

// thread runs the operations of one thread. If it fails it still releases
// those that wait for its operations.
func (s *session) thread(list []int) (err error) {
	buf, err := host.AlignedBuffer(s.largest(list))
	if err != nil {
		s.stop.Store(true)
	} else {
		defer func() { err = errors.Join(err, unix.Munmap(buf)) }()
		host.FillRandom(buf, uint64(len(list)))
	}
	for _, i := range list {
		o := &s.p.Ops[i]
		for _, j := range o.After {
			<-s.done[j]
		}
		if !s.stop.Load() {
			s.pause(o)
			begun := time.Now()
			n, e := operate(s, o, buf, i)
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

func (s *session) largest(list []int) (n int64) {
	n = 1
	for _, i := range list {
		if o := &s.p.Ops[i]; o.Kind == trace.OpRead || o.Kind == trace.OpWrite {
			n = max(n, o.Size)
		}
	}
	return n
}

// sleepError is how late a sleep may end; the rest of a pause is spun.
const sleepError = 100 * time.Microsecond

func (s *session) pause(o *Op) {
	if s.asap || o.Pause <= 0 {
		return
	}
	if o.Turn > 0 {
		s.turns[o.Turn].Lock()
		defer s.turns[o.Turn].Unlock()
	}
	pause(time.Duration(o.Pause), s.ended)
}

// pause waits for so long, or until the run has ended.
func pause(d time.Duration, ended <-chan struct{}) {
	end := time.Now().Add(d)
	if d > 2*sleepError {
		sleep := time.NewTimer(d - sleepError)
		defer sleep.Stop()
		select {
		case <-sleep.C:
		case <-ended:
			return
		}
	}
	for time.Now().Before(end) {
	}
}
