package conversion

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"

	"github.com/iotrace/iotrace/convert"
)

// pasteHead is how much of a text is looked at for what it was wrapped in.
const pasteHead = 64 << 10

// wrapper is what stands before every line of a text that went through something.
type wrapper struct {
	*regexp.Regexp
	counts bool // its number grows from line to line
}

// wrapping is what a log goes through on its way to somebody who asks about it: each stands at every line.
var wrapping = []wrapper{
	// A mail or a forum quotes with "> ".
	{Regexp: regexp.MustCompile(`^(?:> ?)+`)},
	// A program's text has it as a comment.
	{Regexp: regexp.MustCompile(`^(?://|#) ?`)},
	// Code is indented by a tab.
	{Regexp: regexp.MustCompile(`^\t+`)},
	// cat -n and nl put a number and a tab before a line, grep -n its number and a colon.
	{Regexp: regexp.MustCompile(`^ *(\d{1,15})[\t:]`), counts: true},
	// The system log has its own time, host and program: of syslog, then of RFC 3339.
	{Regexp: regexp.MustCompile(`^(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ [^\s:\[]+(?:\[\d+\])?: `)},
	{Regexp: regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S* \S+ [^\s:\[]+(?:\[\d+\])?: `)},
	// Logs of containers have the service (docker compose), and the time in nanoseconds (docker logs -t, kubectl logs).
	{Regexp: regexp.MustCompile(`^[a-zA-Z][\w.-]* +\| `)},
	{Regexp: regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}(?:Z|[+-]\d\d:\d\d) `)},
}

// clock is a time of day before a line, which is no number of it.
var clock = regexp.MustCompile(`^\d{1,2}:\d\d:\d\d(?:[^\d:]|$)`)

// colours are what terminals do not print.
var colours = regexp.MustCompile(`\x1b\[[0-9;:]*[mK]`)

// rounds is how often a text may have been put into something: a page that shows a mail that quotes.
const rounds = 3

// unpasted reads a text without what it was wrapped in: quotes, comments, tabs, colours, numbers of lines, the prefix
// of a system log or a container's, and the escapes of a web page.
func unpasted(r *bufio.Reader) *bufio.Reader {
	for range rounds {
		r = stripped(r)
		shown := unescaped(r)
		if shown == nil {
			return r
		}
		r = shown
	}
	return stripped(r)
}

// firstLines are the whole lines at the beginning of a text, which is read from there afterwards all the same.
func firstLines(r *bufio.Reader) []byte {
	head, err := r.Peek(pasteHead)
	if err == nil || errors.Is(err, bufio.ErrBufferFull) { // the last line is not whole
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	return head
}

// stripped reads a text without colours and what stands before every line.
func stripped(r *bufio.Reader) *bufio.Reader {
	head := firstLines(r)
	p := pasted{in: r}
	if bytes.IndexByte(head, 0) >= 0 {
		return r
	}
	if p.colours = colours.Match(head); p.colours {
		head = colours.ReplaceAll(head, nil)
	}
	for lines := bytes.Split(head, []byte("\n")); ; {
		found := everywhere(lines)
		if found == nil {
			break
		}
		p.strip = append(p.strip, found)
		for i := range lines {
			lines[i] = found.ReplaceAll(lines[i], nil)
		}
	}
	if !p.colours && p.strip == nil {
		return r
	}
	return bufio.NewReaderSize(&p, 64<<10)
}

// everywhere is what stands at every line of a text that is not empty, nil if nothing does.
func everywhere(lines [][]byte) *regexp.Regexp {
	for _, w := range wrapping {
		if w.everywhere(lines) {
			return w.Regexp
		}
	}
	return nil
}

// everywhere reports whether it stands at every line that is not empty, of which there are several.
func (w wrapper) everywhere(lines [][]byte) bool {
	n, last := 0, uint64(0)
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		n++
		at := w.FindSubmatchIndex(line)
		if at == nil {
			return false
		}
		if w.counts {
			number, ok := convert.ParseUint(line[at[2]:at[3]], 63)
			if !ok || number <= last || clock.Match(line) {
				return false
			}
			last = number
		}
	}
	return n > 1
}

// pasted takes away what each line was wrapped in. A line that is longer than the buffer comes in pieces.
type pasted struct {
	in      *bufio.Reader
	strip   []*regexp.Regexp
	colours bool
	within  bool // a line
	rest    []byte
}

func (p *pasted) Read(to []byte) (int, error) {
	for len(p.rest) == 0 {
		line, err := p.in.ReadSlice('\n')
		if len(line) == 0 || err != nil && !errors.Is(err, bufio.ErrBufferFull) && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if p.colours {
			line = colours.ReplaceAll(line, nil)
		}
		for _, s := range p.strip {
			if at := s.FindIndex(line); at != nil && !p.within {
				line = line[at[1]:]
			}
		}
		p.within, p.rest = errors.Is(err, bufio.ErrBufferFull), line
	}
	n := copy(to, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}
