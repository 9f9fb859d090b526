package content

import (
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/report/table"
)

// Notes numbers the warnings of a profile, so that a number which one of them
// touches can carry a short mark: "!1".
type Notes struct {
	warnings []profile.Warning
}

// NotesOf numbers the warnings of a profile.
func NotesOf(p *profile.Profile) Notes { return Notes{p.Warnings} }

// Mark is "!1,3" for the warnings with these codes, "" if there is none. A code
// without a warning is a mark all the same: "!".
func (n Notes) Mark(codes []string) string {
	numbers := n.numbers(codes)
	if len(numbers) == 0 {
		if len(codes) > 0 {
			return "!"
		}
		return ""
	}
	words := make([]string, len(numbers))
	for i, k := range numbers {
		words[i] = strconv.Itoa(k)
	}
	return "!" + strings.Join(words, ",")
}

// numbers are the numbers, from 1, of the warnings with these codes.
func (n Notes) numbers(codes []string) []int {
	var found []int
	for i, w := range n.warnings {
		if slices.Contains(codes, w.Code) {
			found = append(found, i+1)
		}
	}
	return found
}

// Touching are the codes of the warnings that affect one of these parts of the
// profile (JSON pointers) or something inside it.
func (n Notes) Touching(pointers ...string) []string {
	var codes []string
	for _, w := range n.warnings {
		if slices.ContainsFunc(w.Affects, func(affected string) bool {
			return slices.ContainsFunc(pointers, func(p string) bool {
				return affected == p || affected == "" || strings.HasPrefix(affected, p+"/")
			})
		}) {
			codes = append(codes, w.Code)
		}
	}
	return codes
}

// column makes the column that refers to the warnings by number: "!1". What all rows have in common is said once, of
// the whole table; the column is left out if no row has another.
func (n Notes) column(t *table.Table, count int, codes func(i int) []string) table.Column {
	common := common(count, codes)
	t.Marks = common
	numbered := len(n.numbers(common)) > 0
	c := table.Column{Left: true, Marks: true}
	any := false
	for i := range count {
		own := slices.DeleteFunc(slices.Clone(codes(i)), func(code string) bool { return slices.Contains(common, code) })
		m := n.Mark(own)
		if m == "!" && numbered {
			m = "" // the row has a mark already
		}
		any = any || m != ""
		c.Cells = append(c.Cells, m)
	}
	if !any {
		return table.Column{}
	}
	return c
}

// common are the codes that all rows have.
func common(count int, codes func(i int) []string) []string {
	if count == 0 {
		return nil
	}
	list := slices.Clone(codes(0))
	for i := 1; i < count && len(list) > 0; i++ {
		of := codes(i)
		list = slices.DeleteFunc(list, func(code string) bool { return !slices.Contains(of, code) })
	}
	return list
}
