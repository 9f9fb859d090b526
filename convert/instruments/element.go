// Package instruments reads tables of Instruments that xctrace exported as XML.
package instruments

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Bounds on what an export may make the importer keep.
const (
	maxElements = 1 << 22 // values with an ID
	maxDepth    = 64
	maxText     = 64 << 10 // of one value
	maxChildren = 256
)

// element is a value of a row. The first use of a value carries it and an ID,
// later ones refer to the ID; IDs are those of the whole export and may be on
// values within values.
type element struct {
	Name     string
	Fmt      string // what Instruments shows
	Text     string
	Children []*element
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

// reader reads an export, token by token and row by row.
type reader struct {
	*xml.Decoder
	ids map[string]*element
}

// newReader reads an export from its beginning.
func newReader(in io.Reader) *reader { return &reader{xml.NewDecoder(in), map[string]*element{}} }

// attribute is what an element says of itself under a name.
func attribute(s xml.StartElement, name string) string {
	for _, a := range s.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// read reads a value with what is in it, and remembers it if it has an ID. A
// reference becomes the value that it refers to.
func (r *reader) read(start xml.StartElement) (*element, error) { return r.element(start, 0) }

func (r *reader) element(start xml.StartElement, depth int) (*element, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("importing from xctrace: values are nested more than %d deep", maxDepth)
	}
	e := &element{Name: start.Name.Local, Fmt: attribute(start, "fmt")}
	if ref := attribute(start, "ref"); ref != "" {
		if v := r.ids[ref]; v != nil {
			*e = element{Name: e.Name, Fmt: v.Fmt, Text: v.Text, Children: v.Children}
		}
		return e, r.Skip()
	}
	if id := attribute(start, "id"); id != "" && len(r.ids) < maxElements {
		r.ids[id] = e
	}
	for {
		t, err := r.Token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.CharData:
			if len(e.Text)+len(t) <= maxText {
				e.Text += string(t)
			}
		case xml.StartElement:
			c, err := r.element(t, depth+1)
			if err != nil {
				return nil, err
			}
			if len(e.Children) < maxChildren {
				e.Children = append(e.Children, c)
			}
		case xml.EndElement:
			return e, nil
		}
	}
}
