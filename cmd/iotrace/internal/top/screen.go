package top

import (
	"context"
	"errors"
	"fmt"

	"github.com/gdamore/tcell/v2"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/visible"
)

// Look says how the full screen looks.
type Look struct {
	Color, ASCII bool
	// Record starts a recording of all and returns what ends it.
	Record func() (Recording, error)
}

// Recording is one that runs beside.
type Recording interface {
	File() string
	Done() <-chan struct{} // closed when it has ended
	Stop() error           // ends it
}

// ErrTerminal is the error of a terminal that cannot show the full screen, or has gone.
var ErrTerminal = errors.New("the terminal")

// Screen follows what happens on the full screen until the user quits, the context ends or the terminal goes away.
func Screen(ctx context.Context, o Options, look Look) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The probes come first: what is wrong with them can be read.
	source, err := begin(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.close()) }()
	terminal, err := tcell.NewScreen()
	if err == nil {
		err = terminal.Init()
	}
	if err != nil {
		return fmt.Errorf("%w shows no full screen: %w; --batch prints tables", ErrTerminal, err)
	}
	s := &screen{terminal: terminal, view: newView(), look: look, drawing: drawing{screen: terminal, color: look.Color,
		ascii: look.ASCII}}
	news, ended := make(chan *Interval), make(chan error, 1)
	go func() {
		ended <- source.follow(ctx, func(i *Interval) error {
			select {
			case news <- i:
				return nil
			case <-ctx.Done():
				return nil
			}
		})
	}()
	err = s.run(ctx, news, ended)
	cancel()
	return errors.Join(err, <-ended, s.stop())
}

// screen is the full screen while it is shown.
type screen struct {
	terminal  tcell.Screen
	view      *view
	drawing   drawing
	look      Look
	recording Recording // nil if none runs
}

// run shows what comes until something ends it. The terminal then is as it was, whatever happens.
func (s *screen) run(ctx context.Context, news <-chan *Interval, ended chan error) error {
	defer s.terminal.Fini()
	events, done := make(chan tcell.Event), make(chan struct{})
	defer close(done)
	go s.terminal.ChannelEvents(events, done)
	for {
		s.drawing.draw(s.view)
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			ended <- err // for who waits for it
			return nil
		case <-s.recorded():
			s.finished()
		case i := <-news:
			s.view.add(i)
		case e, ok := <-events:
			if !ok {
				return nil
			}
			if over, err := s.handle(e); over || err != nil {
				return err
			}
		}
	}
}

// handle does what an event asks for.
func (s *screen) handle(e tcell.Event) (over bool, err error) {
	switch e := e.(type) {
	case *tcell.EventResize:
		s.terminal.Sync()
	case *tcell.EventError:
		return true, nil // the terminal has gone, and with it whoever looked
	case *tcell.EventKey:
		switch s.view.press(e) {
		case quit:
			return true, nil
		case record:
			s.record()
		case suspend:
			return false, s.suspend()
		}
	}
	return false, nil
}

// suspend stops the program until the shell continues it. What happens meanwhile waits in the buffer of the source, and
// is told as lost if it finds no room there.
func (s *screen) suspend() error {
	if err := s.terminal.Suspend(); err != nil {
		return fmt.Errorf("giving back the terminal: %w", err)
	}
	_ = unix.Kill(0, unix.SIGTSTP)
	if err := s.terminal.Resume(); err != nil {
		return fmt.Errorf("taking the terminal again: %w", err)
	}
	return nil
}

// record starts a recording, or ends the one that runs.
func (s *screen) record() {
	if s.recording != nil {
		s.finished()
		return
	}
	r, err := s.look.Record()
	if err != nil {
		s.view.message = visible.Error(err)
		return
	}
	s.recording, s.view.message = r, "recording to "+visible.Text(r.File())+"; r ends it"
}

// recorded is closed when the recording has ended; nil without one.
func (s *screen) recorded() <-chan struct{} {
	if s.recording == nil {
		return nil
	}
	return s.recording.Done()
}

// finished ends a recording and says what has come of it.
func (s *screen) finished() {
	s.view.message = "recorded to " + visible.Text(s.recording.File())
	if err := s.stop(); err != nil {
		s.view.message = visible.Line(visible.Error(err))
	}
}

// stop ends a recording that runs.
func (s *screen) stop() error {
	if s.recording == nil {
		return nil
	}
	r := s.recording
	s.recording = nil
	return r.Stop()
}
