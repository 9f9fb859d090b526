package calls

import (
	"bytes"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/linux"
)

// line is a line of perf trace taken apart.
type line struct {
	start, duration int64 // ns
	unknown         bool  // when it began: "?"
	command         string
	tid             uint32
	continued       bool // the end of a call whose beginning stands further up
	unfinished      bool // the beginning of such a call
	name            string
	args            []byte
	result          int64
	lives           bool   // it does not return
	path            string // of the descriptor that was returned
}

// parse reads "     0.826 ( 0.016 ms): sh/31467 read(fd: 5</d/f>, buf: 0x7ffd77697248, count: 832)   = 832".
func (r *perftraceReader) parse(l *line, text []byte) (ok bool) {
	*l = line{}
	text = bytes.TrimLeft(text, " ")
	at, rest, ok1 := bytes.Cut(text, []byte(" ("))
	took, rest, ok2 := bytes.Cut(rest, []byte("): "))
	if !ok1 || !ok2 {
		return false
	}
	if l.unknown = string(at) == "?"; !l.unknown {
		if l.start, ok = milliseconds(at); !ok {
			return false
		}
	}
	if took = bytes.TrimSpace(took); len(took) > 0 {
		number, found := bytes.CutSuffix(took, []byte(" ms"))
		if l.duration, ok = milliseconds(number); !ok || !found {
			return false
		}
	}
	if rest, ok = r.who(l, rest); !ok {
		return false
	}
	if after, ok := bytes.CutPrefix(rest, []byte(" ... [continued]: ")); ok {
		l.continued, rest = true, after
	}
	open := bytes.IndexByte(rest, '(')
	if open <= 0 {
		return false
	}
	l.name = r.texts.Get(bytes.TrimSpace(rest[:open]))
	rest = bytes.TrimRight(rest[open+1:], " ")
	if args, ok := bytes.CutSuffix(rest, []byte("...")); ok {
		l.unfinished = true
		l.args = bytes.TrimSuffix(bytes.TrimRight(args, " "), []byte(")"))
		return !l.continued
	}
	equals := bytes.LastIndex(rest, []byte(" ="))
	if equals < 0 {
		return false
	}
	l.args = bytes.TrimSuffix(bytes.TrimRight(rest[:equals], " "), []byte(")"))
	if l.continued {
		l.args = nil
	}
	return r.value(l, bytes.TrimLeft(rest[equals+2:], " "))
}

// gap is what begins the rest of a call.
var gap = []byte(" ... [")

// who reads "sh/31467 " or, of a single thread, nothing.
func (r *perftraceReader) who(l *line, text []byte) (rest []byte, ok bool) {
	open := bytes.IndexByte(text, '(')
	before := text // the bracket, or with a part of it what may stand there
	if open >= 0 {
		before = text[:min(open+len(gap)-1, len(text))]
	}
	if i := bytes.Index(before, gap); i >= 0 {
		open = i
	}
	if open < 0 {
		return nil, false
	}
	slash := bytes.LastIndexByte(text[:open], '/')
	if slash < 0 {
		l.tid = 1
		return text, true
	}
	number, after, ok := bytes.Cut(text[slash+1:], []byte(" "))
	tid, isNumber := convert.ParseUint(number, 32)
	l.command, l.tid = r.texts.Get(text[:slash]), uint32(tid)
	return after, ok && isNumber
}

// value reads "832", "0x7f952b99e000", "5</d/f>", "31473 (dd)" and "-1 ENOENT (No such file or directory)". Flags of a
// descriptor, in words, and nothing stand for a call that succeeded.
func (r *perftraceReader) value(l *line, text []byte) bool {
	if l.lives = string(text) == "?"; l.lives || len(text) == 0 || text[0] >= 'A' && text[0] <= 'Z' {
		return true
	}
	word, rest, _ := bytes.Cut(text, []byte(" "))
	if number, _, ok := bytes.Cut(word, []byte("<")); ok {
		word = number
		_, path := descriptor(text)
		l.path = r.texts.Get(path)
	}
	n, ok := convert.ParseLiteral(word)
	if !ok {
		return false
	}
	if l.result = n; n == -1 {
		name, _, _ := bytes.Cut(rest, []byte(" "))
		l.result = -linux.Errno(string(name))
	}
	return true
}

// descriptor reads "5</d/f>".
func descriptor(text []byte) (number, path []byte) {
	number, rest, ok := bytes.Cut(text, []byte("<"))
	if !ok {
		return text, nil
	}
	if i := bytes.LastIndexByte(rest, '>'); i >= 0 {
		rest = rest[:i]
	}
	return number, rest
}

// milliseconds reads "36784322.152" as ns.
func milliseconds(text []byte) (int64, bool) {
	whole, fraction, ok := bytes.Cut(bytes.TrimSpace(text), []byte("."))
	ms, ok1 := convert.ParseUint(whole, 40)
	us, ok2 := convert.ParseUint(fraction, 32)
	return int64(ms)*1e6 + int64(us)*1e3, ok && len(fraction) == 3 && ok1 && ok2
}
