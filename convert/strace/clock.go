package strace

import "bytes"

// prefix is what stands before a call: who made it, and when.
type prefix struct {
	tid      uint32 // 0 if it is not named
	brackets bool   // it is named as [pid 12], as strace does on a terminal, and of the first process not always
	kind     timeKind
	time     int64 // ns
	whole    bool  // of full seconds
	delta    int64 // ns since the line before, -1 if it is not there
}

// timeKind is what the time of a line counts from.
type timeKind uint8

const (
	timeless timeKind = iota
	relative          // to the line before: -r
	ofDay             // -t, -tt
	absolute          // seconds since 1970: -ttt
)

// leastAbsolute tells seconds since 1970 from process IDs, of which there are at most 4,194,304 (proc(5)), and from
// relative times.
const leastAbsolute = 1e8

// take takes the prefix off a line.
func (p *prefix) take(s []byte) []byte {
	*p = prefix{delta: -1}
	s = bytes.TrimLeft(s, " ")
	for len(s) > 0 {
		n := 0
		switch {
		case s[0] >= '0' && s[0] <= '9':
			n = p.number(s)
		case s[0] == '(' && len(s) > 1 && s[1] == '+': // -r beside another time
			n = p.beside(s)
		case s[0] == '[':
			n = p.bracket(s)
		}
		if n == 0 {
			break
		}
		s = bytes.TrimLeft(s[n:], " ")
	}
	return s
}

// number takes a process ID or a time.
func (p *prefix) number(s []byte) int {
	ns, n := seconds(s)
	if n == 0 || n == len(s) {
		return 0
	}
	whole := bytes.IndexByte(s[:n], '.') < 0
	switch {
	case s[n] == ':' && p.kind == timeless:
		return p.clock(s)
	case whole && s[n] == '<' && p.tid == 0: // 12<sh>, of -Y
		end := bytes.IndexByte(s, '>')
		if end < 0 || ns > leastAbsolute*1e9 {
			return 0
		}
		p.tid = uint32(ns / 1e9)
		return end + 1
	case s[n] != ' ':
		return 0
	case whole && ns < leastAbsolute*1e9 && p.tid == 0 && p.kind == timeless && ns > 0:
		p.tid = uint32(ns / 1e9)
	case p.kind != timeless:
		return 0
	case ns >= leastAbsolute*1e9:
		p.kind, p.time, p.whole = absolute, ns, whole
	default:
		p.kind, p.time = relative, ns
	}
	return n
}

// clock takes a time of day: 23:59:59.999999.
func (p *prefix) clock(s []byte) int {
	if len(s) < 9 || s[2] != ':' || s[5] != ':' {
		return 0
	}
	hours, a := seconds(s[:2])
	minutes, b := seconds(s[3:5])
	rest, n := seconds(s[6:])
	if a != 2 || b != 2 || n < 2 {
		return 0
	}
	p.kind, p.time, p.whole = ofDay, hours*3600+minutes*60+rest, n == 2
	return 6 + n
}

// beside takes "(+     0.000045)".
func (p *prefix) beside(s []byte) int {
	end := bytes.IndexByte(s, ')')
	if end < 0 || p.kind == timeless {
		return 0
	}
	inner := bytes.TrimLeft(s[2:end], " ")
	ns, n := seconds(inner)
	if n == 0 || n != len(inner) {
		return 0
	}
	p.delta = ns
	return end + 1
}

// bracket takes "[pid 12]", "[pid 12<sh>]", and what -n and -i print: the number of a call, an address.
func (p *prefix) bracket(s []byte) int {
	end := bytes.IndexByte(s, ']')
	if end < 0 {
		return 0
	}
	inner := s[1:end]
	if rest, ok := bytes.CutPrefix(inner, []byte("pid ")); ok {
		rest = bytes.TrimLeft(rest, " ")
		ns, n := seconds(rest)
		if n == 0 || p.tid != 0 || ns > leastAbsolute*1e9 || n < len(rest) && rest[n] != '<' {
			return 0
		}
		p.tid, p.brackets = uint32(ns/1e9), true
		return end + 1
	}
	for _, b := range inner {
		if digit(b) > 15 && b != ' ' && b != '?' {
			return 0
		}
	}
	return end + 1
}

// clock puts the lines of a log on one axis.
type clock struct {
	base   int64 // time of the first line
	begun  bool
	days   int64 // midnights that have passed
	last   int64 // time of day of the line before
	now    int64 // ns since the first line, where lines do not say it
	lines  [absolute + 1]uint64
	coarse uint64 // lines with a time of whole seconds
	seen   int64  // time of the line before that has one

	backs    uint64 // how often the clock went back
	furthest int64  // ns
	early    uint64 // lines before the first one's time
}

const (
	day = 24 * 3600 * 1_000_000_000
	// step is how far lines without a time stand from each other.
	step = 1000
)

// at is the time of a line, ns since the first one.
func (c *clock) at(p *prefix) int64 {
	c.lines[p.kind]++
	time := p.time
	switch p.kind {
	case timeless:
		c.now += step
		return c.now
	case relative:
		c.now += p.time
		return c.now
	case ofDay:
		if time < c.last-day/2 {
			c.days++
		}
		c.last = time
		time += c.days * day
	}
	if p.whole && p.delta < 0 {
		c.coarse++
	}
	if p.whole && p.delta >= 0 { // finer than whole seconds
		if c.begun {
			c.now += p.delta
		}
		c.begun = true
		return c.now
	}
	if !c.begun {
		c.begun, c.base, c.seen = true, time, time
	}
	c.follow(time)
	return max(time-c.base, 0)
}

// follow takes note of a clock that goes back.
func (c *clock) follow(time int64) {
	if back := c.seen - time; back > 0 {
		c.backs++
		c.furthest = max(c.furthest, back)
	}
	if time < c.base {
		c.early++
	}
	c.seen = time
}

// passed is called after a call that took so long, ns: where lines have no time, the next comes after it.
func (c *clock) passed(p *prefix, duration int64) {
	if p.kind == timeless {
		c.now += max(duration, 0)
	}
}
