package flight

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// Condition is one that was parsed.
type Condition struct {
	text   string
	field  *field
	orMore bool  // >= instead of >
	limit  int64 // ns, bytes or a number
	during int64 // ns that it has to hold; 0: once is enough
}

// String is the condition as it was written.
func (c *Condition) String() string { return c.text }

// OfDevice reports whether it is about all that a device does in a second.
func (c *Condition) OfDevice() bool { return c.field.of.device() }

// exceeds reports whether a value meets the condition.
func (c *Condition) exceeds(v int64) bool { return v > c.limit || c.orMore && v == c.limit }

// field is something that a condition can be about.
type field struct {
	name string
	of   subject
	unit quantity
	rank int64 // of a distribution, in thousandths
	text string
}

// subject is what is judged.
type subject int

const (
	requestLatency subject = iota
	requestQueued
	requestBytes
	callLatency
	faultLatency
	deviceRank // of all latencies of an interval
	deviceIOPS
	lost
)

func (s subject) device() bool { return s == deviceRank || s == deviceIOPS }

type quantity int

const (
	aTime quantity = iota
	aSize
	aNumber
)

// fields are all there are.
var fields = []field{
	{"request.latency", requestLatency, aTime, 0, "from the issue of a disk request to its completion"},
	{"request.queued", requestQueued, aTime, 0, "what a disk request waited for before its issue"},
	{"request.bytes", requestBytes, aSize, 0, "size of a disk request"},
	{"call.latency", callLatency, aTime, 0, "of a call or asynchronous operation on a file, a directory or a disk"},
	{"fault.latency", faultLatency, aTime, 0, "of a page fault that reads a file"},
	{"device.p50", deviceRank, aTime, 500, "median latency of the requests of a device, in a second"},
	{"device.p90", deviceRank, aTime, 900, "likewise: 90 % are no slower"},
	{"device.p99", deviceRank, aTime, 990, "likewise: 99 %"},
	{"device.p999", deviceRank, aTime, 999, "likewise: 99.9 %"},
	{"device.max", deviceRank, aTime, 1000, "the slowest of them"},
	{"device.iops", deviceIOPS, aNumber, 0, "requests of a device in a second"},
	{"lost", lost, aNumber, 0, "events that could not be recorded, in a second"},
}

// ConditionExamples are conditions that parse.
var ConditionExamples = []string{"request.latency > 100ms", "call.latency > 1s", "device.p99 > 50ms for 5s", "lost > 0"}

// checkInterval is how long devices are watched before they are judged.
const checkInterval = time.Second

// mostDuring bounds how long a condition may have to hold.
const mostDuring = time.Hour

// parseError says what of a text is no condition, and where.
type parseError struct {
	Text string
	At   int // bytes from its start
	Why  string
}

func (e *parseError) Error() string {
	where := "at its end"
	if rest := e.Text[e.At:]; rest != "" {
		where = fmt.Sprintf("at character %d, %q", len([]rune(e.Text[:e.At]))+1, rest)
	}
	quoted := make([]string, len(ConditionExamples))
	for i, x := range ConditionExamples {
		quoted[i] = "'" + x + "'"
	}
	return fmt.Sprintf("condition %q: %s: %s (valid ones: %s)", e.Text, where, e.Why, strings.Join(quoted, ", "))
}

// ParseCondition reads a condition: FIELD > VALUE, FIELD >= VALUE, and for a device perhaps "for DURATION". An error is
// a *ParseError.
func ParseCondition(text string) (*Condition, error) {
	p := parser{text: text}
	c := &Condition{text: strings.TrimSpace(text)}
	var err error
	if c.field, err = p.field(); err != nil {
		return nil, err
	}
	if c.orMore, err = p.comparison(); err != nil {
		return nil, err
	}
	if c.limit, err = p.value(c.field); err != nil {
		return nil, err
	}
	if c.during, err = p.during(c.field); err != nil {
		return nil, err
	}
	return c, nil
}

// parser is a text of which the part before at has been read.
type parser struct {
	text string
	at   int
}

func (p *parser) fail(at int, format string, args ...any) error {
	return &parseError{p.text, at, fmt.Sprintf(format, args...)}
}

// word returns the next characters up to a space or one of stop, and where they stand.
func (p *parser) word(stop string) (word string, at int) {
	for p.at < len(p.text) && isSpace(p.text[p.at]) {
		p.at++
	}
	at = p.at
	for p.at < len(p.text) && !isSpace(p.text[p.at]) && !strings.ContainsRune(stop, rune(p.text[p.at])) {
		p.at++
	}
	return p.text[at:p.at], at
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' }

func (p *parser) field() (*field, error) {
	name, at := p.word("<>=!")
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	if i >= 0 {
		return &fields[i], nil
	}
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].name
	}
	return nil, p.fail(at, "want one of %s", strings.Join(names, ", "))
}

func (p *parser) comparison() (orMore bool, err error) {
	_, at := p.word("<>=!")
	switch rest := p.text[at:]; {
	case strings.HasPrefix(rest, ">="):
		p.at = at + 2
		return true, nil
	case strings.HasPrefix(rest, ">"):
		p.at = at + 1
		return false, nil
	}
	return false, p.fail(at, "want > or >=")
}

func (p *parser) value(f *field) (int64, error) {
	word, at := p.word("")
	end := p.at
	if next, _ := p.word(""); next != "for" && f.unit != aNumber && bare(word) { // "100 ms"
		word += next
	} else {
		p.at = end
	}
	n, err := f.unit.parse(word)
	if err != nil {
		return 0, p.fail(at, "%v", err)
	}
	return n, nil
}

func (q quantity) parse(word string) (int64, error) {
	switch q {
	case aTime:
		return parseTime(word)
	case aSize:
		n, err := unit.ParseBytes(word)
		if err != nil {
			err = errors.New("want a size, such as 512k or 1MiB")
		}
		return n, err
	}
	var n int64
	if strings.Trim(word, "0123456789") != "" || word == "" || len(word) > 18 {
		return 0, errors.New("want a whole number, such as 0 or 5000")
	}
	for _, c := range word {
		n = n*10 + int64(c-'0')
	}
	return n, nil
}

// parseTime reads a time with a unit: of a bare number nobody knows whether it is seconds or milliseconds.
func parseTime(word string) (int64, error) {
	d, err := unit.ParseDuration(word)
	if err != nil || bare(word) {
		return 0, errors.New("want a time with a unit, such as 100ms or 1s")
	}
	return int64(d), nil
}

// bare reports whether a word has no unit.
func bare(word string) bool { return strings.Trim(word, "0123456789.") == "" }

func (p *parser) during(f *field) (int64, error) {
	word, at := p.word("")
	switch {
	case word == "":
		return 0, nil
	case word != "for":
		return 0, p.fail(at, "want nothing more, or for and a time")
	case !f.of.device():
		return 0, p.fail(at, "only a condition of a device can have to hold for a time")
	}
	word, at = p.word("")
	n, err := parseTime(word)
	if err == nil && (n < int64(checkInterval) || n > int64(mostDuring) || n%int64(checkInterval) != 0) {
		err = errors.New("want whole seconds, up to an hour")
	}
	if err != nil {
		return 0, p.fail(at, "%v", err)
	}
	if word, at = p.word(""); word != "" {
		return 0, p.fail(at, "want nothing more")
	}
	return n, nil
}
