package calls

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// Each line in one expression: what its columns are, said once more.
var (
	wholeComma = regexp.MustCompile(`^(\d{1,16}),(.*?),(\d{1,10}),([A-Z]),(-?\d{1,20}),(\d{1,19}),(\d{1,16}),(.*)$`)
	wholeBlank = regexp.MustCompile(`^(\d\d):(\d\d):(\d\d) +(\S.*?) +(\d{1,10}) +([A-Z]) +` +
		`(-?\d{1,20}|LL_MAX) +(\d{1,16}) +(\d{1,12}\.\d+) (.*)$`)
)

// Names may hold whatever columns are made of, so that they begin and end at more than one place.
func TestNamesWithColumnsInThem(t *testing.T) {
	pieces := map[string][]string{
		",": {"1700000000", "a", "", "7", "R", "0", "4096", "-5", "12", "é", "\xff", "b'x'"},
		" ": {"06:35:01", "a", "", "7", "R", "0", "4096", "LL_MAX", "0.5", "16.05", "é", "\xff", "\u00a0"},
	}
	row := map[string][]string{",": {"7", "R", "4096", "0", "12"}, " ": {"7", "R", "4096", "0", "0.5"}}
	rng := rand.New(rand.NewPCG(1, 2))
	names := func(by string) (list []string) {
		for range rng.IntN(6) {
			list = append(list, pieces[by][rng.IntN(len(pieces[by]))])
		}
		return list
	}
	matched := 0
	for range 50_000 {
		for by := range pieces {
			columns := append([]string{pieces[by][0]}, names(by)...)
			if rng.IntN(4) > 0 {
				columns = append(columns, row[by]...)
			}
			text := []byte(strings.Join(append(columns, names(by)...), by))
			var r fsslowerReader
			var want [][]byte
			var command, file int
			if by == "," {
				_, _ = r.exact(text)
				want, command, file = wholeComma.FindSubmatch(text), 2, 8
			} else {
				_, _ = r.coarse(text)
				want, command, file = wholeBlank.FindSubmatch(text), 4, 10
			}
			if want == nil {
				if r.row.Command != "" || r.row.Path != nil {
					t.Fatalf("%q is no row: %+v", text, r.row)
				}
				continue
			}
			matched++
			if r.row.Command != string(plain(want[command])) || r.row.Path != nil && string(r.row.Path) != string(plain(want[file])) {
				t.Fatalf("%q: command %q and path %q, want %q", text, r.row.Command, r.row.Path, want)
			}
		}
	}
	if matched < 10_000 {
		t.Errorf("only %d lines were rows", matched)
	}
}
