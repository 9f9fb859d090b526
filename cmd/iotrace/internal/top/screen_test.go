package top

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/gdamore/tcell/v2"
	"pgregory.net/rapid"
)

// busy is an interval in which a few did something.
func busy(number int64) *Interval {
	mb := func(read, write int64) Amount { return Amount{Read: read << 20, Write: write << 20} }
	return &Interval{
		Number: number, Time: time.Unix(1e9, 0).UTC(), DurationNS: 1e9,
		Devices: []Device{{Name: "sda", ID: "8:0", Read: Flow{Requests: 10, Bytes: number << 20},
			Latency: &Latency{P50: 1e5, P99: 1e6, Max: 2e6}, Busy: .95},
			{Name: "sdb", ID: "8:16", Write: Flow{Requests: 7, Bytes: 5 << 20}}},
		Processes: []Process{
			{PID: 50, Key: 50, Command: "postgres", Calls: mb(1, 9), Device: mb(0, 9), DataCalls: 4, Syncs: 3, Wait: .96,
				Cgroup: "/system.slice/pg.service"},
			{PID: 60, Key: 60, Command: "evil\x1b[2J\nname\u202e", Calls: mb(5, 0), Device: mb(2, 0), DataCalls: 1,
				Cgroup: "/docker/" + container + "/app"},
			{Key: 1<<32 - 2, Command: "kernel/write-back", Device: mb(0, 1), Kernel: true}},
		Files: []File{{Path: "/db/table", Calls: mb(1, 9), DataCalls: 4, PID: 50},
			{Path: "/tmp/\x1b]0;title\x07\xff", Calls: mb(5, 0), DataCalls: 1, PID: 60}},
		Pairs: []Pair{{Process: 50, Path: "/db/table", Calls: mb(1, 9)},
			{Process: 60, Path: "/tmp/\x1b]0;title\x07\xff"}},
		Requests: []Request{
			{Device: "sda", Op: "read", Sector: 2048, Bytes: 4096, LatencyNS: 7e6, Process: 60, Paths: []string{"/db/table"}},
			{Device: "sda", Op: "write", Sector: 4096, Bytes: 4096, LatencyNS: 5e6, Process: 50, Paths: []string{"/db/table"}}},
		Own: Own{CPU: .02, Events: 12000, Lost: 3},
	}
}

// container is the ID of one.
var container = strings.Repeat("c0ffee12", 8)

// page is a view on a screen in memory.
type page struct {
	t    testing.TB
	view *view
	sim  tcell.SimulationScreen
	d    drawing
}

func newPage(t testing.TB, width, height int) *page {
	sim := tcell.NewSimulationScreen("UTF-8")
	if err := sim.Init(); err != nil {
		t.Fatal(err)
	}
	sim.SetSize(width, height)
	p := &page{t: t, view: newView(), sim: sim, d: drawing{screen: sim}}
	for n := range int64(3) {
		p.view.add(busy(n + 1))
	}
	return p
}

// lines are what the screen shows.
func (p *page) lines() (lines []string) {
	p.d.draw(p.view)
	cells, width, _ := p.sim.GetContents()
	var b strings.Builder
	for i, c := range cells {
		b.WriteString(string(c.Runes))
		if i%width == width-1 {
			lines = append(lines, strings.TrimRight(b.String(), " "))
			b.Reset()
		}
	}
	return lines
}

func (p *page) text() string { return strings.Join(p.lines(), "\n") }

// press presses keys: letters, or special ones by their names in angle brackets.
func (p *page) press(names ...string) (last action) {
	special := map[string]tcell.Key{"Tab": tcell.KeyTab, "Enter": tcell.KeyEnter, "Esc": tcell.KeyEscape,
		"Down": tcell.KeyDown, "Up": tcell.KeyUp, "Left": tcell.KeyLeft, "Right": tcell.KeyRight, "Backtab": tcell.KeyBacktab,
		"PgDn": tcell.KeyPgDn, "PgUp": tcell.KeyPgUp, "Home": tcell.KeyHome, "Back": tcell.KeyBackspace2,
		"Ctrl-C": tcell.KeyCtrlC, "Ctrl-Z": tcell.KeyCtrlZ}
	for _, name := range names {
		if key, ok := special[name]; ok {
			last = p.view.press(tcell.NewEventKey(key, 0, tcell.ModNone))
			continue
		}
		for _, r := range name {
			last = p.view.press(tcell.NewEventKey(tcell.KeyRune, r, tcell.ModNone))
		}
	}
	return last
}

func (p *page) shows(what string, want ...string) {
	p.t.Helper()
	text := p.text()
	for _, w := range want {
		no := strings.HasPrefix(w, "!")
		if w = strings.TrimPrefix(w, "!"); strings.Contains(text, w) == no {
			p.t.Errorf("%s: %q, want it there: %v:\n%s", what, w, !no, text)
		}
	}
}

// What the keys do, on a screen of 80 by 24.
func TestKeys(t *testing.T) {
	p := newPage(t, 80, 24)
	p.shows("at first", "interval 3", "DEVICE", "sda", "PROCESS", "postgres", "FILE ", "/db/table", "? help  q quit",
		"lost 3", "by bytes", `name\u202e`, "▃▅█")
	p.press("?")
	p.shows("help", "next pane", "!postgres")
	p.press("x")
	p.press("s")
	p.shows("sorted", "by PID", "postgres")
	if p.press("S", "S", "i"); p.view.order() != "block, reversed" {
		t.Error(p.view.order())
	}
	p.press("i", "s")
	p.press("/", "db/x", "Back")
	p.shows("filter", "/db/_", "postgres", "/db/table", "!name", "!/tmp")
	p.press("Enter")
	p.shows("filtered", `only "db/"`, "!name")
	p.press("Esc")
	p.shows("no filter", "name", "!only")
	p.press("Down", "Enter")
	p.shows("files of a process", `name\u202e (60)`, "!/db/table")
	p.press("Esc")
	p.shows("all files", "FILE ", "/db/table")
	p.press("Tab", "Enter")
	p.shows("requests of a file", "REQUESTS OF /db/table", "sda read @sector 2048", "7.00ms", "sda write @sector 4096")
	p.press("Esc", "Backtab", "Up", "Enter", "Tab", "Enter")
	p.shows("of a process", "REQUESTS OF /db/table", "!sda read @", "sda write @sector 4096")
	p.press("Esc", "Esc", "Backtab")
	p.shows("all files again", "FILE ", "/db/table")
	p.view.names = names{0: "root", 26: "postgres"}
	p.view.containers = containerNames{container: "shop"}
	p.press("g")
	p.shows("control groups", "CONTROL GROUP", "/pg.service", "/app", "kernel", "!postgres")
	p.press("Home", "Enter")
	p.shows("files of a control group", "FILES OF /system…/pg.service", "/db/table", "!title")
	p.press("g")
	p.shows("containers", "CONTAINER", "shop", "(none)", "kernel", "!postgres", "!FILES OF")
	p.press("g")
	p.shows("users after containers", "USER ", "root")
	p.press("g")
	p.shows("processes after users", "PROCESS ", "postgres")
	p.press("u")
	p.shows("users", "kernel", "root", "!write-back", "6.3")
	p.press("Home", "Enter")
	p.shows("files of a user", "FILES OF root", "/db/table", `title\a`)
	p.press("u", "Home")
	p.shows("processes again", "postgres", "write-back", "FILE ")
	p.press("Left", "Left", "Left")
	p.shows("the first", "FROZEN 1/3", "interval 1,")
	p.view.add(busy(4))
	p.shows("it stays", "FROZEN 1/4", "interval 1,")
	p.press(" ")
	p.shows("it goes on", "interval 4,", "!FROZEN")
	p.press(" ")
	p.shows("frozen", "FROZEN 4/4")
	for key, want := range map[string]action{"q": quit, "Ctrl-C": quit, "r": record, "Ctrl-Z": suspend, "z": nothing} {
		if got := p.press(key); got != want {
			t.Errorf("%s: %v, want %v", key, got, want)
		}
	}
}

// The help fits into a line for each key, on the narrowest screen that has all panes.
func TestHelpFits(t *testing.T) {
	p := newPage(t, 80, 24)
	p.press("?")
	for _, k := range keys {
		p.shows("help", k[1])
	}
}

// Whatever is pressed and whatever size the screen has, it is drawn, no line is wider than it, and names do nothing to
// the terminal.
func TestAnySizeAndKeys(t *testing.T) {
	keys := []string{"Tab", "Backtab", "Enter", "Esc", "Down", "Up", "PgDn", "PgUp", "Home", "Left", "Right", "Back", "s",
		"S",
		"i", "/", " ", "?", "x", "ü", "r", "u"}
	rapid.Check(t, func(r *rapid.T) {
		p := newPage(t, rapid.IntRange(1, 200).Draw(r, "width"), rapid.IntRange(1, 60).Draw(r, "height"))
		for range rapid.IntRange(0, 12).Draw(r, "presses") {
			p.press(rapid.SampledFrom(keys).Draw(r, "key"))
			if rapid.Bool().Draw(r, "more") {
				p.view.add(busy(9))
			}
			for _, line := range p.lines() {
				if i := strings.IndexFunc(line, func(c rune) bool { return !unicode.IsPrint(c) || c == 0x202e }); i >= 0 {
					r.Fatalf("%q", line)
				}
			}
		}
	})
}

// Without colour no cell has one, and with it the busy device has.
func TestColours(t *testing.T) {
	for _, color := range []bool{false, true} {
		p := newPage(t, 80, 24)
		p.d.color = color
		p.text()
		cells, _, _ := p.sim.GetContents()
		found := false
		for _, c := range cells {
			fg, bg, _ := c.Style.Decompose()
			found = found || fg != tcell.ColorDefault || bg != tcell.ColorDefault
		}
		if found != color {
			t.Errorf("colour %v, found %v", color, found)
		}
	}
}

// Of many intervals the last are kept, each with its first rows.
func TestWhatIsKept(t *testing.T) {
	v := newView()
	for n := range int64(3 * kept) {
		i := busy(n + 1)
		for k := range 2 * keptRows {
			i.Files = append(i.Files, File{Path: fmt.Sprint(k)})
		}
		v.add(i)
	}
	if len(v.past) != kept || len(v.past[0].Files) != keptRows || v.interval().Number != 3*kept {
		t.Errorf("%d intervals, %d files, showing %d", len(v.past), len(v.past[0].Files), v.interval().Number)
	}
	for n := range 2 * int64(drawn) {
		v.add(busy(n))
	}
	if n := len(v.traffic["sda"]); n != drawn {
		t.Errorf("%d values of a device", n)
	}
}

// recorder is a recording that is asked for.
type recorder struct {
	done    chan struct{}
	stopped int
	err     error
}

func (r *recorder) File() string          { return "new\x1b.iotrace" }
func (r *recorder) Done() <-chan struct{} { return r.done }
func (r *recorder) Stop() error           { r.stopped++; return r.err }

// The key starts a recording, and ends it; one that fails is told of at once.
func TestRecording(t *testing.T) {
	rec := &recorder{done: make(chan struct{})}
	s := &screen{view: newView(), look: Look{Record: func() (Recording, error) { return rec, nil }}}
	s.record()
	if want := `recording to new\x1b.iotrace; r ends it`; s.view.message != want || s.recorded() == nil {
		t.Errorf("%q", s.view.message)
	}
	s.record()
	if want := `recorded to new\x1b.iotrace`; s.view.message != want || rec.stopped != 1 || s.recorded() != nil {
		t.Errorf("%q, stopped %d times", s.view.message, rec.stopped)
	}
	s.record()
	rec.err = errors.New("no room\nleft")
	close(rec.done)
	<-s.recorded()
	if s.finished(); !strings.Contains(s.view.message, "no room") || strings.Contains(s.view.message, "\n") {
		t.Errorf("%q", s.view.message)
	}
	s.look.Record = func() (Recording, error) { return nil, errors.New("it cannot") }
	if s.record(); s.view.message != "it cannot" || s.stop() != nil {
		t.Errorf("%q", s.view.message)
	}
}

// A terminal that is gone ends it, and so do the end of the source and the context.
func TestTheEnd(t *testing.T) {
	for _, why := range []string{"terminal", "source", "context", "key"} {
		p := newPage(t, 80, 24)
		s := &screen{terminal: p.sim, view: p.view, drawing: p.d}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		switch why {
		case "terminal":
			_ = p.sim.PostEvent(tcell.NewEventError(errors.New("EIO")))
		case "source":
			ended <- nil
		case "context":
			cancel()
		case "key":
			p.sim.InjectKey(tcell.KeyRune, 'q', tcell.ModNone)
		}
		if err := s.run(ctx, nil, ended); err != nil {
			t.Errorf("%s: %v", why, err)
		}
		cancel()
	}
}
