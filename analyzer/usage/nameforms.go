package usage

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
)

// maxForms bounds the forms of names that are told apart, maxListedForms those that are listed.
const (
	maxForms       = 4096
	maxListedForms = 16
)

// nameForms are the forms of names of which files that were there before were read and others were made: snapshots of a
// backup, dated lists. What was made comes first: no other form is of interest.
type nameForms struct {
	of  map[string]*profile.NameForm
	buf []byte // of the form that is looked for
}

// made takes a file that may have been made.
func (n *nameForms) made(f *world.File, _, write *measure.Flow, _ bool) {
	if !f.Created || f.Deleted || write == nil || len(n.of) >= maxForms {
		return
	}
	n.buf = form(n.buf[:0], f.Path)
	x := n.of[string(n.buf)]
	if x == nil {
		x = &profile.NameForm{Form: string(n.buf)}
		n.of[x.Form] = x
	}
	x.Made++
}

// read takes a file that may have been there before.
func (n *nameForms) read(f *world.File, read, write *measure.Flow, mapped bool) {
	if len(n.of) == 0 || f.Created || write != nil || read == nil && !mapped {
		return
	}
	n.buf = form(n.buf[:0], f.Path)
	if x := n.of[string(n.buf)]; x != nil {
		if x.Read++; read != nil {
			x.Bytes += read.Bytes
		}
	}
}

// list is those of which both were there, least read first.
func (n *nameForms) list() (list []profile.NameForm) {
	for _, x := range n.of {
		if x.Read > 0 {
			list = append(list, *x)
		}
	}
	sorting.Stably(list, func(a, b profile.NameForm) int {
		return cmp.Or(cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.Form, b.Form))
	})
	return list[:min(len(list), maxListedForms)]
}

// form appends a name with "#" in place of each number, of each sum in hexadecimal, and of a directory that has the
// first two digits of one as its name.
func form(to []byte, name string) []byte {
	for i := 0; i < len(name); {
		n := hexadecimal(name[i:])
		alone := (i == 0 || name[i-1] == '/') && i+n < len(name) && name[i+n] == '/'
		switch {
		case n >= shortestSum || n == 2 && alone:
			to, i = append(to, '#'), i+n
		case name[i] >= '0' && name[i] <= '9':
			for i < len(name) && name[i] >= '0' && name[i] <= '9' {
				i++
			}
			to = append(to, '#')
		default:
			to, i = append(to, name[i]), i+1
		}
	}
	return to
}

// shortestSum is how many digits a sum in hexadecimal has at least.
const shortestSum = 16

// hexadecimal is how many digits a text begins with.
func hexadecimal(s string) int {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return i
		}
	}
	return len(s)
}
