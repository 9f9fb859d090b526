package ui

import (
	"io"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/iotrace/iotrace/internal/visible"
)

// interval between two updates of a progress line: 5 per second.
const interval = 200 * time.Millisecond

// Progress keeps one line up to date on a terminal. On any other stream it is
// silent, except when it is asked for a status line.
type Progress struct {
	out    Stream
	status func(asked bool) string
	stop   chan struct{}
	done   chan struct{}

	mu    sync.Mutex
	shown bool // a line without a line feed is on the screen
}

// NewProgress shows what status returns until Stop. Status is called from
// another goroutine; the text must be one line, and is cut to the width of the
// terminal. While it is empty nothing is shown. requests, which may be nil, asks
// for a full status line at once, terminal or not: pass it what StatusRequests
// returns. Status is then told that it was asked.
func NewProgress(out Stream, requests <-chan struct{}, status func(asked bool) string) *Progress {
	p := &Progress{out: out, status: status, stop: make(chan struct{}), done: make(chan struct{})}
	var ticks <-chan time.Time
	stopTicks := func() {}
	if out.IsTerminal() {
		t := time.NewTicker(interval)
		ticks, stopTicks = t.C, t.Stop
	}
	go func() {
		defer close(p.done)
		defer stopTicks()
		p.loop(ticks, requests)
	}()
	return p
}

func (p *Progress) loop(ticks <-chan time.Time, requests <-chan struct{}) {
	for {
		select {
		case <-p.stop:
			return
		case <-ticks:
			p.draw(p.status(false))
		case _, ok := <-requests:
			if !ok {
				requests = nil
				continue
			}
			p.Println(p.status(true))
		}
	}
}

// Stop removes the line. It may be called once.
func (p *Progress) Stop() {
	close(p.stop)
	<-p.done
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

// Println prints a line above the progress line.
func (p *Progress) Println(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	_, _ = io.WriteString(p.out, visible.Lines(line)+"\n")
}

func (p *Progress) draw(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if line == "" {
		p.clear()
		return
	}
	_, _ = io.WriteString(bare(p.out), "\r"+cut(line, p.out.Width()-1)+"\x1b[K")
	p.shown = true
}

func (p *Progress) clear() {
	if p.shown {
		_, _ = io.WriteString(bare(p.out), "\r\x1b[K")
		p.shown = false
	}
}

// cut shortens line to width columns; what would break it, or hide a part of it,
// becomes a space.
func cut(line string, width int) string {
	line = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, line)
	if utf8.RuneCountInString(line) <= width {
		return line
	}
	if width < 2 {
		return ""
	}
	return string([]rune(line)[:width-1]) + "…"
}
