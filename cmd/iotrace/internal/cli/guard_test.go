package cli

import (
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/internal/visible"
)

func TestGuard(t *testing.T) {
	const evil = "a\x1b[2Jb\u009b" + visible.Strong + "c" + visible.Plain + "\xc3"
	for _, c := range []struct {
		terminal, color bool
		want            string
		contents        string
	}{
		{false, false, `a\x1b[2Jb\u009b\x1b[1mc\x1b[0m\xc3`, evil},
		{true, true, `a\x1b[2Jb\u009b` + visible.Strong + "c" + visible.Plain + `\xc3`,
			`a\x1b[2Jb\u009b` + visible.Strong + "c" + visible.Plain + `\xc3`},
	} {
		for name, write := range map[string]func(Streams){
			"text":     func(s Streams) { fmt.Fprint(s.Out, evil); fmt.Fprint(s.Err, evil) },
			"contents": func(s Streams) { fmt.Fprint(Contents(s.Out), evil); fmt.Fprint(s.Err, evil) },
		} {
			s, out, warned := FakeStreams()
			out.Terminal, out.Colored = c.terminal, c.color
			warned.Terminal, warned.Colored = c.terminal, c.color
			g, end := Guard(s)
			write(g)
			if err := end(); err != nil {
				t.Fatal(err)
			}
			want := c.want
			if name == "contents" {
				want = c.contents
			}
			if out.String() != want || warned.String() != c.want {
				t.Errorf("%s on a terminal %v: %q and %q, want %q", name, c.terminal, out.String(), warned.String(), want)
			}
			if g.Out.IsTerminal() != c.terminal || g.Err.Width() != 80 {
				t.Error("the guard is another stream")
			}
		}
	}
}

// The line of a progress is moved by sequences that only the progress itself may write.
func TestProgressThroughAGuard(t *testing.T) {
	s, _, out := FakeStreams()
	out.Terminal = true
	g, _ := Guard(s)
	called := make(chan struct{}, 100)
	p := NewProgress(g.Err, nil, func(bool) (string, bool) { called <- struct{}{}; return "a\x1b[2Jb", false })
	<-called
	<-called
	p.Println("c\x1b[2J")
	p.Stop()
	if got := out.String(); got[:len("\ra [2Jb\x1b[K")] != "\ra [2Jb\x1b[K" {
		t.Errorf("%q", got)
	}
}
