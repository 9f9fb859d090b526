package darwin

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/internal/bounded"
)

// maxChildren bounds how many values a value has.
const maxChildren = 256

// element is a value of a row. The first use of a value carries it and an ID,
// later ones refer to the ID; IDs are those of the whole export and may be on
// values within values.
type element struct {
	Name     string
	Fmt      string // what Instruments shows
	Text     string
	Children []*element
	size     int // bytes, with all within
}

// Child is the first value within e of that name, nil if there is none. Nil has no children.
func (e *element) Child(name string) *element {
	if e == nil {
		return nil
	}
	for _, c := range e.Children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Number reads the value of an element: decimal text, or what is formatted.
func (e *element) Number() (int64, bool) {
	if e == nil {
		return 0, false
	}
	for _, s := range []string{e.Text, e.Fmt} {
		s = strings.TrimSpace(s)
		if n, err := strconv.ParseInt(s, 0, 64); err == nil {
			return n, true
		}
		if n, err := strconv.ParseUint(s, 0, 64); err == nil {
			return int64(n), true
		}
	}
	return 0, false
}

// instrumentsReader reads an export, token by token and row by row.
type instrumentsReader struct {
	*bounded.XML
	known
}

// newReader reads an export from its beginning.
func newReader(in io.Reader) *instrumentsReader {
	return &instrumentsReader{bounded.NewXML(in), known{ids: map[string]*value{}}}
}

// attribute is what an element says of itself under a name.
func attribute(s xml.StartElement, name string) string {
	for _, a := range s.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// errDeep says that a row cannot be read.
var errDeep = fmt.Errorf("its values are nested more than %d deep", bounded.MaxDepth)

// row reads a row. The error is bounded.ErrTooLong or errDeep of one that cannot be read; SkipTo goes on behind it.
func (r *instrumentsReader) row(start xml.StartElement) (*element, error) {
	r.Row(true)
	r.missing = false
	e, err := r.element(start, 0)
	if err == nil {
		r.Row(false)
	}
	return e, err
}

// element reads a value with what is in it, and remembers it if it has an ID. A reference becomes the value that it
// refers to.
func (r *instrumentsReader) element(start xml.StartElement, depth int) (*element, error) {
	if depth > bounded.MaxDepth {
		return nil, errDeep
	}
	e := &element{Name: r.names.Get([]byte(start.Name.Local)), Fmt: attribute(start, "fmt")}
	id, ref := attribute(start, "id"), attribute(start, "ref")
	if ref != "" {
		if v := r.find(ref); v != nil {
			*e = element{Name: e.Name, Fmt: v.Fmt, Text: v.Text, Children: v.Children, size: v.size}
		}
		return e, r.skip()
	}
	for text := []byte(nil); ; {
		t, err := r.Token()
		if errors.Is(err, io.EOF) {
			err = errCut
		}
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.CharData:
			text = append(text, t...)
		case xml.StartElement:
			c, err := r.element(t, depth+1)
			if err != nil {
				return nil, err
			}
			if len(e.Children) < maxChildren {
				e.Children = append(e.Children, c)
				e.size += c.size
			}
		case xml.EndElement:
			if t.Name.Local != start.Name.Local {
				return nil, &xml.SyntaxError{Msg: fmt.Sprintf("element <%s> ends as </%s>", start.Name.Local, t.Name.Local)}
			}
			e.Text = string(text)
			if e.size += overhead + len(e.Fmt) + len(e.Text); id != "" {
				r.remember(id, e)
			}
			return e, nil
		}
	}
}

// errCut says that an export ends within a row.
var errCut = &xml.SyntaxError{Msg: "unexpected EOF"}

// skip reads an element to its end.
func (r *instrumentsReader) skip() error {
	for depth := 1; depth > 0; {
		t, err := r.Token()
		if errors.Is(err, io.EOF) {
			err = errCut
		}
		if err != nil {
			return err
		}
		switch t.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return nil
}
