package analyzer

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

func codes(p *profile.Profile) []string {
	var list []string
	for _, w := range p.Warnings {
		list = append(list, w.Code)
	}
	return list
}

// TestInterrupted: what is there is reported, with a mark on everything.
func TestInterrupted(t *testing.T) {
	s := readWriteCopy(t, 4)
	s.cut = true
	p := s.profile()
	if !slices.Equal(codes(p), []string{"interrupted"}) || p.Trace.Reason != "interrupted" || p.ExitStatus != -1 ||
		p.DurableNS != profile.Unknown {
		t.Errorf("warnings %v, reason %q, status %d, durable %d", codes(p), p.Trace.Reason, p.ExitStatus, p.DurableNS)
	}
	if len(p.Copies) != 1 || !slices.Contains(p.Copies[0].Marks, "interrupted") ||
		!slices.Contains(p.Devices[0].Marks, "interrupted") || !slices.Contains(p.TimeStack.Marks, "interrupted") {
		t.Errorf("copies %+v", p.Copies)
	}
	if p.Layers[0].Read.Bytes != 4*MiB {
		t.Errorf("read %d bytes", p.Layers[0].Read.Bytes)
	}
}

// TestLossy: losses are counted, joined, and mark what they touch and nothing
// else.
func TestLossy(t *testing.T) {
	s := readWriteCopy(t, 4)
	for i := range int64(50) {
		s.put(s.now, &trace.Lost{From: s.now + i*134*ms, To: s.now + (i+1)*134*ms, Count: 7, Kind: trace.KindRequest,
			CPU: int32(i % 2)})
	}
	p := s.profile()
	if p.Lost.Total != 350 || p.Lost.Kinds["request"] != 350 || len(p.Lost.Slices) != 1 || p.Lost.Slices[0].Count != 350 {
		t.Errorf("%+v", p.Lost)
	}
	if !slices.Equal(codes(p), []string{"lost"}) || !slices.Contains(p.Devices[0].Marks, "lost") ||
		!slices.Contains(p.Copies[0].Marks, "lost") {
		t.Errorf("warnings %v, marks %v, %v", codes(p), p.Devices[0].Marks, p.Copies[0].Marks)
	}
	if len(p.Layers[0].Marks) != 0 || len(p.Processes[0].Marks) != 0 {
		t.Errorf("lost requests touched the calls: %v, %v", p.Layers[0].Marks, p.Processes[0].Marks)
	}
}

// TestLossesElsewhere: a copy that had ended before events were lost is whole.
func TestLossesElsewhere(t *testing.T) {
	s, a, b := copying(t, MiB)
	s.loop(a, b, MiB, 64*KiB)
	s.request(trace.ReqWrite, b, 0, MiB, s.now, s.now+ms)
	s.think(100 * ms)
	s.put(s.now, &trace.Lost{From: s.now - 10*ms, To: s.now, Count: 3, Kind: trace.KindSyscall})
	p := s.finish(a, b)
	if len(p.Copies) != 1 || len(p.Copies[0].Marks) != 0 || !slices.Contains(p.Files[0].Marks, "lost") {
		t.Errorf("copy %v, file %v", p.Copies[0].Marks, p.Files[0].Marks)
	}
}

// TestLimitsAreWarnings: what a backend cannot see is said where it matters; a
// limit that is not known here is taken to matter everywhere.
func TestLimitsAreWarnings(t *testing.T) {
	s := readWriteCopy(t, 2)
	s.header.Limits = []trace.Limit{{Code: "no_clones", Text: "clones cannot be excluded"},
		{Code: "no_such_thing", Text: "new"}}
	p := s.profile()
	if !slices.Equal(codes(p), []string{"limit:no_clones", "limit:no_such_thing"}) {
		t.Errorf("%v", codes(p))
	}
	if !slices.Equal(p.Copies[0].Marks, []string{"limit:no_such_thing", "limit:no_clones"}) ||
		!slices.Equal(p.Devices[0].Marks, []string{"limit:no_such_thing"}) {
		t.Errorf("marks %v, %v", p.Copies[0].Marks, p.Devices[0].Marks)
	}
}

func TestEmptyTrace(t *testing.T) {
	s := &scene{t: t, end: trace.End{CommandEnd: -1, Durable: -1}}
	p := s.profile()
	if !slices.Equal(codes(p), []string{"empty"}) || len(p.Files) != 0 || p.WallNS != 0 {
		t.Errorf("warnings %v, %d files, wall time %d", codes(p), len(p.Files), p.WallNS)
	}
}

func TestNoTrace(t *testing.T) {
	path := t.TempDir() + "/none"
	if _, err := Analyze(path, Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if err := os.WriteFile(path, []byte("no trace at all, but long enough"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Analyze(path, Options{}); !errors.Is(err, tracefile.ErrFormat) {
		t.Errorf("another file: %v", err)
	}
}

// TestFromAPipe: what can be read only once is kept, read twice, and removed.
func TestFromAPipe(t *testing.T) {
	data, err := os.ReadFile(readWriteCopy(t, 3).save())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	p, err := analyzeStream(bytes.NewReader(data), Options{TempDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if p.Trace.File != "-" || len(p.Copies) != 1 {
		t.Errorf("file %q, %d copies", p.Trace.File, len(p.Copies))
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%v was left behind", left)
	}
}

// TestDamage cuts and corrupts a trace everywhere: there is a profile or an
// error, and a profile says what is missing.
func TestDamage(t *testing.T) {
	data, err := os.ReadFile(readWriteCopy(t, 8).save())
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/damaged"
	whole := readWriteCopy(t, 8).profile()
	step := max(len(data)/97, 1)
	for at := 16; at < len(data); at += step {
		for _, damaged := range [][]byte{data[:at], flipped(data, at)} {
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			p, err := Analyze(path, Options{Charts: true})
			if err == nil && len(p.Warnings) == 0 && !maps.Equal(p.Trace.Events, whole.Trace.Events) {
				t.Fatalf("byte %d of %d: events are missing, and no warning says so", at, len(data))
			}
		}
	}
}

func flipped(b []byte, at int) []byte {
	c := slices.Clone(b)
	c[at] ^= 0x5a
	return c
}

// TestRepeatedNumbers: a file number that is given twice keeps its first
// meaning, and that is said.
func TestRepeatedNumbers(t *testing.T) {
	s := newScene(t, "x")
	a := s.file("/a", MiB)
	s.put(s.now, &trace.File{Time: s.now, ID: a, Path: "/other", Device: ext4, Inode: 4711, Type: trace.FileRegular})
	s.read(a, 0, 4096, us)
	p := s.finish()
	if p.Files[0].Path != "/a" || !slices.Contains(codes(p), "repeated_ids") {
		t.Errorf("%q, %v", p.Files[0].Path, codes(p))
	}
}

// TestHostileNames pass through unchanged; invalid UTF-8 is also there byte by
// byte.
func TestHostileNames(t *testing.T) {
	s := newScene(t, "x")
	names := []string{"/a\nb", "/</script><script>alert(1)</script>", "/\xff\xfe", strings.Repeat("/d", 2000)}
	for _, n := range names {
		s.read(s.file(n, 4096), 0, 4096, us)
	}
	p := s.finish()
	for _, f := range p.Files {
		if !slices.Contains(names, f.Path) {
			t.Errorf("%q became something else", f.Path)
		}
		if invalid := f.Path == names[2]; invalid != (string(f.PathBase64) == f.Path) {
			t.Errorf("%q: exact bytes %q", f.Path, f.PathBase64)
		}
	}
}

// TestReusedInode: a number that was given to another file after the first one
// was deleted is another file.
func TestReusedInode(t *testing.T) {
	s := newScene(t, "x")
	a := s.create("/tmp/a")
	s.write(a, 0, 4096, us)
	s.call(trace.Syscall{Op: trace.OpUnlink, File: a}, us)
	s.think(us)
	b := s.again(a, "/tmp/b")
	s.open(b, trace.FlagWrite|trace.FlagCreate)
	s.write(b, 0, 8192, us)
	p := s.finish()
	if len(p.Files) != 2 || p.Files[0].Path != "/tmp/b" || p.Files[0].Write.Bytes != 8192 || !p.Files[1].Deleted {
		t.Errorf("%+v", p.Files)
	}
}

// TestOneFileManyNames: hard links and renames lead to one file.
func TestOneFileManyNames(t *testing.T) {
	s := newScene(t, "x")
	a := s.file("/d/a", MiB)
	s.read(a, 0, 4096, us)
	s.read(s.again(a, "/d/link"), 4096, 4096, us)
	dir := s.identify(trace.File{Path: "/d", Device: ext4, Inode: 2, Type: trace.FileDirectory, FSType: "ext4"})
	s.rename(dir, s.name("/e"))
	s.read(s.again(a, "/e/link"), 8192, 4096, us)
	p := s.finish()
	if f := p.Files[0]; f.Path != "/e/link" || f.Read.Count != 3 || f.ReadPattern.Class != "sequential" {
		t.Errorf("%+v", f)
	}
}

// TestTooManyFiles: those beyond the limit are counted together, and that is said.
func TestTooManyFiles(t *testing.T) {
	s := newScene(t, "x")
	s.options.apart = 10
	for i := range 25 {
		s.read(s.file(fmt.Sprintf("/f%d", i), 4096), 0, 4096, us)
	}
	p := s.finish()
	rest := slices.IndexFunc(p.Files, func(f profile.File) bool { return f.Path == "(other files)" })
	if len(p.Files) != 11 || rest < 0 || p.Files[rest].Read.Bytes != 15*4096 ||
		!slices.Contains(codes(p), "files_omitted") || p.Omitted.Files != 15 {
		t.Errorf("%d files, the others %+v, omitted %+v, warnings %v", len(p.Files), rest, p.Omitted, codes(p))
	}
}
