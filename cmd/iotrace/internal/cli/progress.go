package cli

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
	status func(asked bool) (line string, beneath bool)
	stop   chan struct{}
	done   chan struct{}

	mu    sync.Mutex
	erase string // what removes the line that is on the screen, "" if there is none
}

// NewProgress shows what status returns until Stop. Status is called from
// another goroutine; the text must be one line, and is cut to the width of the
// terminal. While it is empty nothing is shown. requests, which may be nil, asks
// for a full status line at once, terminal or not: pass it what StatusRequests
// returns. Status is then told that it was asked.
//
// A line that is beneath stands below the cursor, which stays where it is, at the beginning of its line: somebody else
// may write there. Nothing that was written before the cursor is ever removed.
func NewProgress(out Stream, requests <-chan struct{}, status func(asked bool) (line string, beneath bool)) *Progress {
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
			line, _ := p.status(true)
			p.Println(line)
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

const (
	eraseLine  = "\r\x1b[K" // the line of the cursor
	eraseBelow = "\x1b[J"   // from the cursor on
)

func (p *Progress) draw(line string, beneath bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if line == "" {
		p.clear()
		return
	}
	text, erase := "\r"+cut(line, p.out.Width()-1)+"\x1b[K", eraseLine
	if beneath {
		text, erase = "\n"+text+"\r\x1b[A", eraseBelow
	}
	if erase != p.erase {
		p.clear()
	}
	_, _ = io.WriteString(bare(p.out), text)
	p.erase = erase
}

func (p *Progress) clear() {
	if p.erase != "" {
		_, _ = io.WriteString(bare(p.out), p.erase)
		p.erase = ""
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
