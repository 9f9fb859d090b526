package darwin

import (
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/tracer/kdebug"
)

// ticks turns the mach times of ktrace trace -t into nanoseconds. The text does not say how long a tick is: that
// follows
// from the first lines, which also tell how many microseconds after the one before they are.
type ticks struct {
	base    uint64 // of the first line
	last    uint64
	begun   bool
	known   bool
	guessed bool // it had to be assumed
	tick    kdebug.Timebase
	held    []line // until it is known, with their ticks
}

var (
	silicon = kdebug.Timebase{Numer: 125, Denom: 3} // 24 MHz
	intel   = kdebug.Timebase{Numer: 1, Denom: 1}
)

// maxHeld bounds the lines that wait. enough is a distance in ticks that tells the two apart whatever was rounded.
const (
	maxHeld = 1 << 12
	enough  = 2400
)

// line takes a line at a time, and how many microseconds that is later than the one before as it was printed.
func (t *ticks) line(l line, at int64, delta string, decode func(line) error) error {
	now := uint64(at)
	if !t.begun {
		t.base, t.begun = now, true
	} else if us, ok := micros(delta); ok && !t.known && now > t.last && now-t.last >= enough && us > 0 {
		t.known = true
		if t.tick = silicon; us*1000 < 10*float64(now-t.last) {
			t.tick = intel
		}
	}
	t.last = now
	l.Time = now - min(t.base, now)
	if !t.known && len(t.held) < maxHeld {
		t.held = append(t.held, l)
		return nil
	}
	if err := t.end(decode); err != nil {
		return err
	}
	return decode(t.in(l))
}

// in is a line with its time in nanoseconds.
func (t *ticks) in(l line) line {
	n, d := uint64(t.tick.Numer), uint64(t.tick.Denom)
	l.Time = min(l.Time/d*n+l.Time%d*n/d, 1<<55)
	return l
}

// end passes on the lines that waited.
func (t *ticks) end(decode func(line) error) error {
	if !t.known && t.begun {
		t.known, t.guessed, t.tick = true, true, silicon
	}
	for _, l := range t.held {
		if err := decode(t.in(l)); err != nil {
			return err
		}
	}
	t.held = nil
	return nil
}

// note says what was assumed, "" if nothing was.
func (t *ticks) note() string {
	if !t.guessed {
		return ""
	}
	return "the text does not tell how long a tick of its times is: they are taken for those of Apple silicon, " +
		"24 million a second"
}

// micros reads the delta of a line, "12.3(4.5)" or "12.3".
func micros(s string) (float64, bool) {
	s, _, _ = strings.Cut(s, "(")
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && v >= 0 && v < 1e12
}
