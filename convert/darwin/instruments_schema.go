package darwin

import (
	"encoding/xml"
	"strings"

	"github.com/iotrace/iotrace/internal/bounded"
)

// content is what the rows of a table are.
type content uint8

const (
	otherRows content = iota
	callRows          // system calls
	diskRows          // requests to disks
)

// schema is what an export says of a table before its rows: its name, and its columns in their order. A row has a value
// for each of them.
type schema struct {
	name    string
	content content
	columns map[string]int // place by mnemonic
	width   int
}

// calls are the tables of system calls, without what Xcode has written between their words at one time or another.
var calls = map[string]bool{"syscall": true, "fssyscall": true}

// operation is the type of the column that says what a disk request did. Tables that have it are of disk requests,
// whatever they are called.
const operation = "diskio-operation"

const maxColumns = maxChildren

// schema reads the element of that name.
func (r *instrumentsReader) schema(start xml.StartElement) (schema, error) {
	s := schema{name: attribute(start, "name"), columns: map[string]int{}}
	s.name = strings.Clone(s.name[:min(len(s.name), bounded.MaxName)])
	if calls[strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(s.name))] {
		s.content = callRows
	}
	e, err := r.element(start, 0)
	if err != nil {
		return s, err
	}
	for _, col := range e.Children {
		if col.Name != "col" || s.width >= maxColumns {
			continue
		}
		mnemonic, kind := col.Child("mnemonic"), col.Child("engineering-type")
		if mnemonic != nil {
			s.columns[strings.TrimSpace(mnemonic.Text)] = s.width
		}
		if kind != nil && strings.TrimSpace(kind.Text) == operation && s.content == otherRows {
			s.content = diskRows
		}
		s.width++
	}
	return s, nil
}

// value is that of a row in the first column there is of some; by the name of its element if the columns are not told.
// Nil if it is empty.
func (s *schema) value(row *element, element string, mnemonics ...string) *element {
	if s.width > 0 && len(row.Children) == s.width {
		for _, m := range mnemonics {
			if at, ok := s.columns[m]; ok {
				if v := row.Children[at]; v.Name != "sentinel" {
					return v
				}
				return nil
			}
		}
	}
	return row.Child(element)
}
