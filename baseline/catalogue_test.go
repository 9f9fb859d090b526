package baseline

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Every suite has its line in the list.
func TestEverySuiteIsDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Catalogue() {
		suite, _, _ := strings.Cut(p.Name, "/")
		seen[suite] = true
		if About(suite) == "" {
			t.Errorf("nothing is said of %s", suite)
		}
	}
	if len(seen) != len(suites) {
		t.Errorf("%d suites, %d described", len(seen), len(suites))
	}
}

func TestCatalogueIsValid(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Catalogue() {
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
		if seen[p.Name] {
			t.Errorf("two patterns are called %s", p.Name)
		}
		seen[p.Name] = true
		if p.Source == "" || p.Title == "" || p.Original.Factor == 0 || p.Original.Runs == 0 {
			t.Errorf("%s lacks a title, a source or the original's runs", p.Name)
		}
		for _, step := range p.Original.Steps {
			if !hasStep(p, step) {
				t.Errorf("%s picks step %s, which it does not have", p.Name, step)
			}
		}
	}
}

func hasStep(p Pattern, name string) bool {
	for _, s := range p.Steps {
		if s.Name == name {
			return true
		}
	}
	return false
}

// The figures that the sources print.
func TestPublishedFigures(t *testing.T) {
	find := func(name string) Pattern {
		t.Helper()
		p, err := Lookup(name)
		if err != nil || len(p) != 1 {
			t.Fatalf("%s names %d patterns (%v)", name, len(p), err)
		}
		return p[0]
	}
	if f := find("stibium/gold").Steps[0].Files; f.Count() != 160 || f.Bytes() != 53_300_000_000 {
		t.Errorf("the gold standard is %d files of %d bytes, not 160 of 53.3 GB", f.Count(), f.Bytes())
	}
	if f := find("stibium/early").Steps[0].Files; f.Count() != 140 || len(f.Sizes) != 14 || f.Sizes[0] != 10_000 ||
		f.Sizes[13] != 2e9 {
		t.Errorf("the early test is %d files", f.Count())
	}
	if n := len(find("atto/sweep").Steps); n != 2*18 {
		t.Errorf("ATTO has %d steps, not 18 sizes twice", n)
	}
	if p := find("snia/iops-ss"); len(p.Steps) != 56 || p.Target != TargetDevice || p.Until.Max != 25 {
		t.Errorf("the SNIA matrix has %d cells", len(p.Steps))
	}
	if p := find("cdm@9/default/seq1m-q8t1/read"); p.Original.Runs != 3 || p.Steps[0].Limit.Time != 5*time.Second ||
		p.Steps[0].Limit.Bytes != 0 {
		t.Errorf("CrystalDiskMark 9 runs %d times, %v", p.Original.Runs, p.Steps[0].Limit)
	}
	if p := find("cdm@8/default/seq1m-q8t1/read"); p.Original.Runs != 5 {
		t.Errorf("CrystalDiskMark 8 runs %d times", p.Original.Runs)
	}
	if p := find("cdm@9/flash/seq1m-q8t1/read"); p.Steps[0].Limit.Time != time.Second || p.Pause != 30*time.Second {
		t.Errorf("the flash profile measures %v and pauses %v", p.Steps[0].Limit.Time, p.Pause)
	}
	if p := find("cdm@9/nvme/rnd4k-q32t16/write"); p.Steps[0].Nominal() != 512 {
		t.Errorf("Q32T16 keeps %d outstanding", p.Steps[0].Nominal())
	}
	if p := find("adm/default/rnd4k-qd64/read"); p.Steps[0].Nominal() != 64 {
		t.Errorf("QD64 keeps %d outstanding", p.Steps[0].Nominal())
	}
	if b := find("at/burst-seq/write").Steps[0].Burst; b.Count != 8 || b.Bytes != 128<<20 || b.Duty != 0.2 {
		t.Errorf("bursts %+v", b)
	}
}

func TestLookup(t *testing.T) {
	for query, want := range map[string]int{
		"cdm@9/default/seq1m-q8t1/read": 1,
		"cdm/seq1m-q8t1":                3,
		"cdm/default":                   12,
		"cdm/nvme/rnd4k-q32t16/write":   1,
		"cdm@8/seq1m-q8t1/read":         1,
		"cdm@*/default/seq1m-q8t1/read": 2,
		"kdm/seq1m-q1t1/mix":            1,
		"kdm/*/seq1m-q8t1/read":         5,
		"adm":                           8,
		"adm/rnd4k-*":                   4,
		"copy/loop-*":                   4,
		"fio/ssd-test":                  4,
		"*":                             len(Catalogue()),
	} {
		got, err := Lookup(query)
		if err != nil || len(got) != want {
			t.Errorf("%s names %d patterns, not %d (%v)", query, len(got), want, err)
		}
		for _, p := range got {
			if strings.HasPrefix(query, "cdm/") && !strings.HasPrefix(p.Name, "cdm@9/") {
				t.Errorf("%s names %s, which is not of the newest version", query, p.Name)
			}
		}
	}
	for query, hint := range map[string]string{"": "name", "[": "wildcard", "stibium/golden": "stibium/gold",
		"nothing": "--list"} {
		if _, err := Lookup(query); err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("looking up %q: %v, want a hint at %q", query, err, hint)
		}
	}
}

func TestPatternsRoundTripThroughJSON(t *testing.T) {
	for _, p := range Catalogue() {
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var back Pattern
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(p, back) {
			t.Errorf("%s changed:\n%s", p.Name, cmp.Diff(p, back))
		}
	}
}

// A scaled pattern stays valid, keeps within its size, and keeps the shape of
// its limits.
func TestScaledPatternsAreValid(t *testing.T) {
	all := Catalogue()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(all).Draw(t, "pattern")
		size := rapid.Int64Range(64<<20, 1<<36).Draw(t, "size")
		scaled := p.Scaled(Scale{Size: size, Time: time.Duration(rapid.Int64Range(1, 1e10).Draw(t, "time"))})
		if err := scaled.Validate(); err != nil {
			t.Fatal(err)
		}
		for i, s := range scaled.Steps {
			if s.FileSize > size || s.Files != nil && s.Files.Bytes() > size+int64(s.Files.Count()) {
				t.Fatalf("%s/%s is larger than %d", p.Name, s.Name, size)
			}
			if b := s.Burst; b != nil && b.Bytes*int64(b.Count) > s.FileSize {
				t.Fatalf("%s/%s: bursts do not fit", p.Name, s.Name)
			}
			if (s.Limit.Bytes == 0) != (p.Steps[i].Limit.Bytes == 0) || (s.Limit.Time == 0) != (p.Steps[i].Limit.Time == 0) {
				t.Fatalf("%s/%s: limit %+v became %+v", p.Name, s.Name, p.Steps[i].Limit, s.Limit)
			}
		}
	})
}

func TestValidateFindsWhatCannotRun(t *testing.T) {
	good := func() Pattern {
		return Pattern{Name: "x", Target: TargetFile, Runs: 1,
			Steps: []Step{{Name: "s", Op: Read, Access: Sequential, Block: 4096,
				Depth: 1, Threads: 1, Cache: Direct, FileSize: 1 << 20, Data: Zero}}}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for text, change := range map[string]func(*Pattern){
		"name":             func(p *Pattern) { p.Name = "" },
		"runs":             func(p *Pattern) { p.Runs = 0 },
		"target":           func(p *Pattern) { p.Target = "tape" },
		"two steps":        func(p *Pattern) { p.Steps = append(p.Steps, p.Steps[0]) },
		"op":               func(p *Pattern) { p.Steps[0].Op = "erase" },
		"access":           func(p *Pattern) { p.Steps[0].Access = "zipf" },
		"cache":            func(p *Pattern) { p.Steps[0].Cache = "" },
		"data":             func(p *Pattern) { p.Steps[0].Data = "text" },
		"512":              func(p *Pattern) { p.Steps[0].Block = 1000 },
		"depth":            func(p *Pattern) { p.Steps[0].Depth = 0 },
		"too many":         func(p *Pattern) { p.Steps[0].Depth = 9000 },
		"smaller":          func(p *Pattern) { p.Steps[0].FileSize = 100 },
		"stride":           func(p *Pattern) { p.Steps[0].Access = Strided; p.Steps[0].Stride = 5000 },
		"streams":          func(p *Pattern) { p.Steps[0].Access = Interleaved },
		"new file":         func(p *Pattern) { p.Steps[0].Fresh = true },
		"blocking":         func(p *Pattern) { p.Steps[0].Blocking = true; p.Steps[0].Depth = 2 },
		"burst":            func(p *Pattern) { p.Steps[0].Burst = &Burst{Bytes: 4096, Duty: 2} },
		"steady":           func(p *Pattern) { p.Until = &SteadyState{Track: "y"} },
		"every how many":   func(p *Pattern) { p.Steps[0].Sync = SyncEvery },
		"read share":       func(p *Pattern) { p.Steps[0].Op = Mixed; p.Steps[0].ReadShare = 101 },
		"file set":         func(p *Pattern) { p.Steps[0].Files = &FileSet{Sizes: []int64{0}, Rounds: 1} },
		"limit":            func(p *Pattern) { p.Steps[0].Limit.Bytes = -1 },
		"method":           func(p *Pattern) { p.Steps[0].Op = Copy },
		"sync is not one":  func(p *Pattern) { p.Steps[0].Sync = "sometimes" },
		"at least 1":       func(p *Pattern) { p.Steps[0].Threads = 0 },
		"block size":       func(p *Pattern) { p.Steps[0].Block = 0 },
		"not a new file":   func(p *Pattern) { p.Target = TargetDevice; p.Steps[0].Op = Write; p.Steps[0].Fresh = true },
		"blocking calls":   func(p *Pattern) { p.Steps[0].Op = Copy; p.Steps[0].Method = CopyLoop },
		"not known":        func(p *Pattern) { p.Steps[0].Op = Copy; p.Steps[0].Method = "tar" },
		"at least a block": func(p *Pattern) { p.Steps[0].Burst = &Burst{Bytes: 1, Duty: 1} },
	} {
		p := good()
		change(&p)
		if err := p.Validate(); err == nil || !strings.Contains(strings.ToLower(err.Error()), text) {
			t.Errorf("want an error about %q, got %v", text, err)
		}
	}
}
