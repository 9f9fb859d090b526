package calls

import (
	"bytes"

	"github.com/iotrace/iotrace/convert"
)

// eventLine is a line of a tracer taken apart: who, when and what.
type eventLine struct {
	command  []byte
	tid      uint32
	pid      uint32 // tid where the process is not known
	time     int64  // ns on the clock of the tracer
	event    []byte // its name, without its system
	rest     []byte
	function bool // "sys_read(…)" and "sys_read -> …", which have no colon behind the name
}

// dialect reads what stands in front of the time.
type dialect func(who []byte, l *eventLine) bool

// parse takes a line apart; ok is false if it is none of an event.
func (l *eventLine) parse(text []byte, who dialect) (ok bool) {
	*l = eventLine{}
	before, at, rest := stamp(text)
	if rest == nil || !who(before, l) {
		return false
	}
	l.time = at
	rest = bytes.TrimLeft(rest, " ")
	end := nameEnd(rest)
	if end <= 0 {
		return false
	}
	if rest[end] == ':' && end+1 < len(rest) && rest[end+1] != ' ' { // "block:block_rq_issue: …"
		rest = rest[end+1:]
		if end = nameEnd(rest); end <= 0 {
			return false
		}
	}
	l.event, l.rest = rest[:end], rest[end:]
	if l.function = rest[end] != ':'; !l.function {
		l.rest = bytes.TrimLeft(rest[end+1:], " ")
	}
	return true
}

// nameEnd is where the name of an event ends, -1 if nothing follows it.
func nameEnd(text []byte) int {
	for i, c := range text {
		if c == ':' || c == '(' || c == ' ' {
			return i
		}
	}
	return -1
}

// stamp finds the time: "36752.813417:", the first word of that form.
func stamp(text []byte) (before []byte, ns int64, rest []byte) {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(": "))
		if i < 0 {
			return nil, 0, nil
		}
		end := from + i
		begin := bytes.LastIndexByte(text[:end], ' ') + 1
		if ns, ok := seconds(text[begin:end]); ok && begin > 0 {
			return bytes.TrimRight(text[:begin], " "), ns, text[end+1:]
		}
		from = end + 1
	}
}

// seconds reads "36752.813417", with six digits or nine behind the point.
func seconds(word []byte) (ns int64, ok bool) {
	dot := bytes.IndexByte(word, '.')
	digits := len(word) - dot - 1
	if dot <= 0 || dot > 10 || digits != 6 && digits != 9 {
		return 0, false
	}
	for i, c := range word {
		if i == dot {
			continue
		}
		if c < '0' || c > '9' {
			return 0, false
		}
		ns = ns*10 + int64(c-'0')
	}
	if digits == 6 {
		ns *= 1000
	}
	return ns, true
}

// beforeCPU is what stands in front of "[001]" and what the flags of ftrace stand behind, all of it if there is none.
func beforeCPU(who []byte) []byte {
	for i := len(who); i > 0; {
		if i = bytes.LastIndexByte(who[:i], '['); i < 0 {
			break
		}
		end := bytes.IndexByte(who[i:], ']')
		if end < 2 {
			continue
		}
		if _, ok := number(who[i+1 : i+end]); ok && bytes.IndexByte(who[i+end+1:], '[') < 0 {
			return bytes.TrimRight(who[:i], " ")
		}
	}
	return who
}

func number(word []byte) (uint32, bool) {
	n, ok := convert.ParseUint(word, 32)
	return uint32(n), ok
}

// perfWho reads "dd 31123 [000]" and "dd 31123/31124 [000]".
func perfWho(who []byte, l *eventLine) (ok bool) {
	who = beforeCPU(who)
	i := bytes.LastIndexByte(who, ' ')
	if i <= 0 {
		return false
	}
	process, thread, both := bytes.Cut(who[i+1:], []byte("/"))
	if l.pid, ok = number(process); !ok {
		return false
	}
	if l.tid = l.pid; both {
		if l.tid, ok = number(thread); !ok {
			return false
		}
	}
	l.command = bytes.TrimSpace(who[:i])
	return true
}

// ftraceWho reads "dd-31508   [000] .....", "dd-31508   (31508) [000] d..1." and "dd-31508 [000]".
func ftraceWho(who []byte, l *eventLine) (ok bool) {
	before := beforeCPU(who)
	if len(before) == len(who) {
		return false // ftrace always says which CPU
	}
	who = before
	group := uint32(0)
	if len(who) > 0 && who[len(who)-1] == ')' {
		i := bytes.LastIndexByte(who, '(')
		if i < 0 {
			return false
		}
		group, _ = number(bytes.TrimSpace(who[i+1 : len(who)-1])) // dashes where it is not known
		who = bytes.TrimRight(who[:i], " ")
	}
	i := bytes.LastIndexByte(who, '-')
	if i < 0 {
		return false
	}
	if l.tid, ok = number(who[i+1:]); !ok {
		return false
	}
	if l.pid = l.tid; group > 0 {
		l.pid = group
	}
	l.command = bytes.TrimSpace(who[:i])
	return true
}
