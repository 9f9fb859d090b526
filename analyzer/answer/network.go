package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// overSockets is where the bytes that files got came from, or where theirs went, if it was other programs or machines.
// It is left out below a tenth of what calls moved in files, and so is what stayed among the recorded programs. Of a
// server it is said how often it answered.
func overSockets(p *profile.Profile) (parts []string) {
	if p.Operations != nil {
		return nil
	}
	in, out := onSockets(p, func(f *profile.File) bool { return !f.Paired })
	// What went in at one end and came out at the other was only passed on.
	if near(in.bytes, out.bytes) {
		return nil
	}
	read, written := p.ByCalls()
	for _, t := range []traffic{in, out} {
		if t.bytes > 0 && t.bytes*10 >= read+written {
			parts = append(parts, t.text())
		}
	}
	return parts
}

// received says for how little a server wrote as much as it did: what it was sent. So it is where it writes whole pages
// for what changes in them, a log of that, and a copy for the case of a crash.
func received(p *profile.Profile) string {
	if p.Operations == nil {
		return ""
	}
	in, _ := onSockets(p, func(*profile.File) bool { return true })
	_, written := p.ByCalls()
	if in.bytes == 0 || written-in.bytes < amplifiedBytes || float64(written) < amplifiedBy*float64(in.bytes) {
		return ""
	}
	return " for " + unit.Bytes(in.bytes) + " received"
}

// onSockets is what went over those sockets that count. Each does in its larger direction.
func onSockets(p *profile.Profile, counts func(f *profile.File) bool) (in, out traffic) {
	in, out = traffic{verb: "received", from: "from"}, traffic{verb: "sent", from: "to"}
	for i := range p.Files {
		f := &p.Files[i]
		if f.Type != trace.FileSocket || !counts(f) {
			continue
		}
		if read, written := bytesOf(f.Read), bytesOf(f.Write); read > written {
			in.add(p, f, read)
		} else {
			out.add(p, f, written)
		}
	}
	return in, out
}

// near reports whether two amounts differ by a hundredth at most.
func near(a, b int64) bool { return max(a, b)-min(a, b) <= max(a, b)/100 }

// traffic is what went over sockets in one direction.
type traffic struct {
	verb, from     string
	bytes, sockets int64
	ends           []string // as far as the recorder looked them up in time
}

func (t *traffic) add(p *profile.Profile, f *profile.File, bytes int64) {
	if bytes == 0 {
		return
	}
	t.bytes, t.sockets = t.bytes+bytes, t.sockets+1
	if end := wording.Holders(p, f, trace.HeldSocket); end != "" && !slices.Contains(t.ends, end) {
		t.ends = append(t.ends, end)
	}
}

func (t *traffic) text() string {
	text := t.verb + " " + unit.Bytes(t.bytes)
	switch n := len(t.ends); {
	case n > 3:
		return fmt.Sprintf("%s %s %s and %d others", text, t.from, strings.Join(t.ends[:2], ", "), n-2)
	case n > 0:
		return text + " " + t.from + " " + unit.List(t.ends)
	case t.sockets > 1:
		return fmt.Sprintf("%s over %d sockets", text, t.sockets)
	}
	return text + " over a socket"
}
