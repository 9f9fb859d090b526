package conversion

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
)

// pasteHead is how much of a text is looked at for what it was wrapped in.
const pasteHead = 16 << 10

// wrapping is what a log goes through on its way to somebody who asks about it: each stands at every line.
var wrapping = []*regexp.Regexp{
	// A mail or a forum quotes with "> ".
	regexp.MustCompile(`^(?:> ?)+`),
	// Code is indented by a tab.
	regexp.MustCompile(`^\t+`),
	// The system log has its own time, host and program: of syslog, then of RFC 3339.
	regexp.MustCompile(`^(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ [^\s:\[]+(?:\[\d+\])?: `),
	regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S* \S+ [^\s:\[]+(?:\[\d+\])?: `),
	// Logs of containers have the service (docker compose), and the time in nanoseconds (docker logs -t, kubectl logs).
	regexp.MustCompile(`^[a-zA-Z][\w.-]* +\| `),
	regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}(?:Z|[+-]\d\d:\d\d) `),
}

// colours are what terminals do not print.
var colours = regexp.MustCompile(`\x1b\[[0-9;:]*[mK]`)

// unpasted reads a text without what it was wrapped in: quotes, tabs, colours, the prefix of a system log or a
// container's.
func unpasted(r *bufio.Reader) *bufio.Reader {
	head, err := r.Peek(pasteHead)
	if err == nil || errors.Is(err, bufio.ErrBufferFull) { // the last line is not whole
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	p := pasted{in: r}
	if bytes.IndexByte(head, 0) >= 0 {
		return r
	}
	if p.colours = colours.Match(head); p.colours {
		head = colours.ReplaceAll(head, nil)
	}
	for lines := bytes.Split(bytes.TrimSpace(head), []byte("\n")); ; {
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
		n, all := 0, true
		for i, line := range lines {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			n++
			all = all && (w.Match(line) || i == 0 && w == wrapping[1]) // what is before the first line was trimmed
		}
		if all && n > 1 {
			return w
		}
	}
	return nil
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
		if len(line) == 0 {
			return 0, err
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && !errors.Is(err, io.EOF) {
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
