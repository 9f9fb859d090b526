package conversion

import (
	"bufio"
	"bytes"
	"errors"
	"html"
	"io"
	"regexp"
	"strings"
)

// What the source of a web page has in the place of a log's brackets and quotes: where a log has them, behind a
// descriptor, a blank or a bracket. Pages that were escaped again have "&amp;lt;".
var (
	escapedBracket = regexp.MustCompile(`(?im)(?:^|[\s\d]|AT_FDCWD)&(?:amp;)*(?:lt|#0*60|#x0*3c);|\s(?:&(?:amp;)+){2}\s`)
	escapedQuote   = regexp.MustCompile(`(?im)(?:^|[\s(\[{,])&(?:amp;)*(?:quot|#0*34|#x0*22);`)
	quotedText     = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*(?:"|$)`)
	entity         = regexp.MustCompile(`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]\w{1,31});`)
)

// longestEntity is how far a ";" may be from its "&".
const longestEntity = 34

// unescaped reads a text from the source of a web page as the page shows it, nil if the text is of none. What stands
// in quotes may be the data of a program that handles pages: it shows nothing. A log with real brackets is of no page.
func unescaped(r *bufio.Reader) *bufio.Reader {
	head := firstLines(r)
	if bytes.IndexByte(head, '<') >= 0 || bytes.IndexByte(head, 0) >= 0 {
		return nil
	}
	escaped := escapedBracket.Match(quotedText.ReplaceAll(head, nil))
	if quotes := bytes.IndexByte(head, '"') >= 0; !escaped && (quotes || !escapedQuote.Match(head)) {
		return nil
	}
	p := page{in: r}
	for _, c := range []byte(`>"'`) {
		if bytes.IndexByte(head, c) >= 0 {
			p.plain += string(c)
		}
	}
	if bytes.IndexByte(entity.ReplaceAll(head, nil), '&') >= 0 {
		p.plain += "&"
	}
	return bufio.NewReaderSize(&p, 64<<10)
}

// page is the source of a web page, read as it is shown.
type page struct {
	in    *bufio.Reader
	plain string // characters that the page does not escape: what looks like an escape of one is data
	piece []byte // of the source
	rest  []byte
}

func (p *page) Read(to []byte) (int, error) {
	for len(p.rest) == 0 {
		source, err := p.in.ReadSlice('\n')
		whole := !errors.Is(err, bufio.ErrBufferFull)
		p.piece = append(p.piece, source...)
		if len(p.piece) == 0 || err != nil && whole && !errors.Is(err, io.EOF) {
			return 0, err
		}
		end := len(p.piece)
		if i := bytes.LastIndexByte(p.piece, '&'); !whole && i >= end-longestEntity {
			end = i // its end may come with the next piece
		}
		p.rest = p.shown(p.rest, p.piece[:end])
		p.piece = append(p.piece[:0], p.piece[end:]...)
	}
	n := copy(to, p.rest)
	p.rest = append(p.rest[:0], p.rest[n:]...)
	return n, nil
}

// shown adds to a text what a page shows of some source.
func (p *page) shown(text, source []byte) []byte {
	for {
		i := bytes.IndexByte(source, '&')
		if i < 0 {
			return append(text, source...)
		}
		text, source = append(text, source[:i]...), source[i:]
		n := 1
		at := entity.FindIndex(source[:min(len(source), longestEntity)])
		character := "&"
		if at != nil && at[0] == 0 {
			n = at[1]
			character = p.character(string(source[:n]))
		}
		text, source = append(text, character...), source[n:]
	}
}

// character is what a page shows for an entity.
func (p *page) character(entity string) string {
	switch shown := html.UnescapeString(entity); {
	case strings.Contains(p.plain, shown), strings.HasSuffix(shown, ";"): // data, or none that is known
		return entity
	case shown == "\u00a0": // how a page keeps blanks apart
		return " "
	default:
		return shown
	}
}
