package usage

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// maxForms bounds the forms of names that are told apart, maxListedForms those that are listed.
const (
	maxForms       = 4096
	maxListedForms = 16
)

// nameForms lists the forms of names of which files that were there before were read and others were made: snapshots of
// a backup, dated lists. All files count, as such a file is small.
func (c *Files) nameForms(all []*world.File) []profile.NameForm {
	forms := map[string]*profile.NameForm{}
	var buf []byte
	c.regular(all, func(f *world.File, s *fileStats) {
		if f.Created && !f.Deleted && s.write != nil && len(forms) < maxForms {
			buf = form(buf[:0], f.Path)
			if forms[string(buf)] == nil {
				forms[string(buf)] = &profile.NameForm{Form: string(buf)}
			}
			forms[string(buf)].Made++
		}
	})
	if len(forms) == 0 {
		return nil
	}
	c.regular(all, func(f *world.File, s *fileStats) {
		if f.Created || s.write != nil || s.read == nil && s.mapped == 0 {
			return
		}
		buf = form(buf[:0], f.Path)
		if x := forms[string(buf)]; x != nil {
			if x.Read++; s.read != nil {
				x.Bytes += s.read.Bytes
			}
		}
	})
	var list []profile.NameForm
	for _, x := range forms {
		if x.Read > 0 {
			list = append(list, *x)
		}
	}
	sorting.Stably(list, func(a, b profile.NameForm) int {
		return cmp.Or(cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.Form, b.Form))
	})
	return list[:min(len(list), maxListedForms)]
}

// regular calls f for each regular file that was used.
func (c *Files) regular(all []*world.File, f func(*world.File, *fileStats)) {
	for _, x := range all {
		if s := c.used.Known(x.Number); s != nil && x.Kind == trace.FileRegular && !x.Other {
			f(x, s)
		}
	}
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
