package baseline

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
)

// Binary and decimal sizes of the catalogue.
const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
	kb  = 1e3
	mb  = 1e6
	gb  = 1e9
)

// EnoughRuns is the least number of counted runs that gives a 95 % interval of
// the median.
const EnoughRuns = 6

// Catalogue returns every built-in pattern, in the order of their suites. The
// caller may change them.
func Catalogue() []Pattern {
	var all []Pattern
	for _, suite := range []func() []Pattern{
		crystalDiskMark, kDiskMark, amorphousDiskMark, blackmagic, stibium, anandTech, atto, dd, fioExamples, snia, copies,
	} {
		all = append(all, suite()...)
	}
	return all
}

// suites says in a line what the patterns of each suite are.
var suites = map[string]string{
	"cdm@9":      "CrystalDiskMark 9: seven profiles of sequential and random reads, writes and mixes",
	"cdm@8":      "CrystalDiskMark 8: the same, the best of five",
	"kdm@3":      "KDiskMark 3: CrystalDiskMark's tests by fio",
	"adm":        "AmorphousDiskMark (macOS): sequential and random, depth 1 to 64",
	"bmdst-like": "like Blackmagic Disk Speed Test: two hypotheses of what it does",
	"stibium":    "Stibium (macOS): files of 2 MB to 2 GB, the rate from the slope of time over size",
	"at":         "AnandTech's SSD suite: bursts, sustained transfers, mixes",
	"atto":       "ATTO Disk Benchmark: block sizes from 512 B to 64 MiB",
	"dd":         "dd of one GiB, with and without syncs and direct I/O",
	"fio":        "the jobs of fio's examples/ssd-test.fio",
	"snia":       "SNIA's IOPS in steady state (destroys a whole device's content)",
	"copy":       "the ways programs copy a file: loops of read and write, copy_file_range, sendfile, clone",
}

// About says in a line what the patterns of a suite are.
func About(suite string) string { return suites[suite] }

// names are read for every pattern of a listing; they never change.
var names = sync.OnceValue(func() []string {
	var all []string
	for _, p := range Catalogue() {
		all = append(all, p.Name)
	}
	return all
})

// Lookup returns the patterns that query names, in catalogue order. A query is
// a name or the beginning of one up to a slash; each part may hold the
// wildcards of path.Match. The version and the profile "default" may be left
// out: cdm/seq1m-q8t1 is cdm@9/default/seq1m-q8t1, which holds read, write and
// mix.
func Lookup(query string) ([]Pattern, error) {
	if _, err := path.Match(query, ""); err != nil || query == "" {
		return nil, fmt.Errorf("looking up pattern %q: not a name or a wildcard pattern (see iotrace bench --list)", query)
	}
	var found []Pattern
	for _, p := range Catalogue() {
		if matches(query, p.Name) {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("looking up pattern %q: there is none%s (see iotrace bench --list)", query, suggestion(query))
	}
	return found, nil
}

// LookupAll returns the patterns that any of the queries names, each once.
func LookupAll(queries []string) ([]Pattern, error) {
	var all []Pattern
	seen := map[string]bool{}
	for _, query := range queries {
		found, err := Lookup(query)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			if !seen[p.Name] {
				seen[p.Name], all = true, append(all, p)
			}
		}
	}
	return all, nil
}

// newest is the version that a suite without one means.
var newest = map[string]string{"cdm": "cdm@9"}

// matches reports whether query names the pattern of that name.
func matches(query, name string) bool {
	if matchesPrefix(query, name) {
		return true
	}
	suite, rest, _ := strings.Cut(name, "/")
	bare, _, versioned := strings.Cut(suite, "@")
	if versioned && newest[bare] != "" && newest[bare] != suite {
		return matchesPrefix(query, suite+"/"+strings.TrimPrefix(rest, "default/"))
	}
	rest, isDefault := strings.CutPrefix(rest, "default/")
	for _, s := range []string{suite, bare} {
		if isDefault && (matchesPrefix(query, s+"/"+rest) || matchesPrefix(query, s+"/default/"+rest)) {
			return true
		}
		if matchesPrefix(query, s+"/"+rest) {
			return true
		}
	}
	return false
}

// matchesPrefix matches the parts of query with the first parts of name.
func matchesPrefix(query, name string) bool {
	q, n := strings.Split(query, "/"), strings.Split(name, "/")
	if len(q) > len(n) {
		return false
	}
	for i := range q {
		if ok, _ := path.Match(q[i], n[i]); !ok {
			return false
		}
	}
	return true
}

// suggestion names the patterns whose names are like query.
func suggestion(query string) string {
	words := strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return strings.ContainsRune("/-@*?", r) })
	best, most := "", 0
	for _, name := range names() {
		n := 0
		for _, w := range words {
			if strings.Contains(name, w) {
				n += len(w)
			}
		}
		if n > most {
			best, most = name, n
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// directions returns p once for each direction, with its only step adapted and
// its name and title extended. share is the read share of the mix.
func directions(p Pattern, share int, ops ...Op) []Pattern {
	var all []Pattern
	for _, op := range ops {
		d := p
		d.Steps = slices.Clone(p.Steps)
		s := &d.Steps[0]
		s.Op, s.Name = op, string(op)
		switch op {
		case Mixed:
			s.ReadShare, s.Name = share, "mix"
			d.Title += fmt.Sprintf(", %d %% read and %d %% write", share, 100-share)
		default:
			d.Title += ", " + string(op)
		}
		d.Name += "/" + s.Name
		all = append(all, d)
	}
	return all
}
