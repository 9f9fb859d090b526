package baseline

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// What strace sees of a pattern must be the pattern: open flags, sizes, order,
// offsets, counts and syncs. The test runs itself as the traced process.

const straceChild = "IOTRACE_TEST_PATTERN"

// TestStraceChild is the traced process: it runs the pattern it is given.
func TestStraceChild(t *testing.T) {
	text := os.Getenv(straceChild)
	if text == "" {
		t.Skip("runs under strace only")
	}
	var p Pattern
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	r := runBench(t, Config{Patterns: []Pattern{p}, Dirs: []string{os.Getenv(straceChild + "_DIR")}, Threads: os.Getenv(straceChild+"_RING") == ""})
	for _, s := range r.Patterns[0].Places[0].Steps {
		if s.Skipped != "" {
			t.Fatal(s.Skipped)
		}
	}
}

// seenCall is one call on a data file.
type seenCall struct {
	name   string
	file   string
	offset int64 // -1 for a call at the file position
	size   int64
	result int64
	line   int // of the log
	text   string
}

// opened is one open of a data file with the calls on that descriptor.
type opened struct {
	file  string
	flags string
	calls []seenCall
	syncs int
}

var (
	callLine = regexp.MustCompile(`^(\d+) +(\w+)\((.*)\) += (-?\d+)`)
	firstFD  = regexp.MustCompile(`^(\d+)<([^>]*)>`)
)

// strace runs one round of a pattern under strace and returns the opens of data
// files with what was done there, in order. The opens that prepare files and
// those that drop pages are left out.
func strace(t *testing.T, p Pattern, ring bool) (all []*opened, other []string) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("needs strace")
	}
	pattern, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	dir, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("strace", "-f", "-y", "-qq", "-s", "0", "-o", log, "-e",
		"trace=openat,read,write,pread64,pwrite64,preadv2,pwritev2,fsync,fdatasync,copy_file_range,sendfile,ioctl,fadvise64,close,io_uring_setup,io_uring_enter",
		self, "-test.run=^TestStraceChild$")
	c.Env = append(os.Environ(), straceChild+"="+string(pattern), straceChild+"_DIR="+dir)
	if ring {
		c.Env = append(c.Env, straceChild+"_RING=1")
	}
	if out, err := c.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "PTRACE") || strings.Contains(string(out), "ptrace") {
			t.Skipf("strace may not trace here: %s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	return parseStrace(t, log)
}

func parseStrace(t *testing.T, log string) (all []*opened, other []string) {
	t.Helper()
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unfinished := map[string]string{}
	open := map[int]*opened{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for number := 0; lines.Scan(); number++ {
		line := lines.Text()
		pid, rest, _ := strings.Cut(line, " ")
		if before, ok := strings.CutSuffix(line, " <unfinished ...>"); ok {
			unfinished[pid] = before
			continue
		}
		if _, after, ok := strings.Cut(strings.TrimLeft(rest, " "), " resumed>"); ok {
			line = unfinished[pid] + after
		}
		m := callLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name, args := m[2], m[3]
		result, _ := strconv.ParseInt(m[4], 10, 64)
		switch name {
		case "openat":
			path := strings.Split(args, `"`)
			if len(path) > 2 && dataNames.MatchString(filepath.Base(path[1])) && result >= 0 {
				o := &opened{file: filepath.Base(path[1]), flags: strings.TrimPrefix(path[2], ", ")}
				open[int(result)] = o
				all = append(all, o)
			}
			continue
		case "io_uring_setup", "io_uring_enter":
			other = append(other, line)
			continue
		}
		fd := firstFD.FindStringSubmatch(args)
		if fd == nil {
			continue
		}
		n, _ := strconv.Atoi(fd[1])
		o := open[n]
		if o == nil || filepath.Base(fd[2]) != o.file {
			continue
		}
		switch name {
		case "close":
			delete(open, n)
		case "fsync", "fdatasync":
			o.syncs++
		case "fadvise64":
		default:
			c := newSeenCall(name, o.file, args, result, line)
			c.line = number
			o.calls = append(o.calls, c)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all, other
}

func newSeenCall(name, file, args string, result int64, text string) seenCall {
	c := seenCall{name: name, file: file, offset: -1, result: result, text: text}
	fields := strings.Split(args, ", ")
	number := func(i int) int64 {
		if i >= len(fields) {
			return -1
		}
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return -1
		}
		return n
	}
	switch name {
	case "read", "write":
		c.size = number(2)
	case "pread64", "pwrite64":
		c.size, c.offset = number(2), number(3)
	case "preadv2", "pwritev2":
		c.size = result
		if i := slices.IndexFunc(fields, func(f string) bool { return strings.HasSuffix(f, "]") }); i >= 0 {
			c.offset = number(i + 2)
		}
	}
	return c
}

// straced is a pattern of the catalogue, made small, in one round.
func straced(t *testing.T, name string, size int64) Pattern {
	t.Helper()
	found, err := Lookup(name)
	if err != nil || len(found) != 1 {
		t.Fatalf("%s names %d patterns (%v)", name, len(found), err)
	}
	p := found[0].Scaled(Scale{Size: size, Time: 100 * time.Millisecond, Runs: 1})
	p.Discard, p.DropCaches, p.Pause = 0, false, 0
	return p
}

// measured are the opens of the measured steps: those after the file was
// prepared, less the ones that only drop pages or sync.
func measured(all []*opened, prepared bool) []*opened {
	var kept []*opened
	for i, o := range all {
		if (i > 0 || !prepared) && len(o.calls) > 0 {
			kept = append(kept, o)
		}
	}
	return kept
}

// TestStraceBlocks: patterns that work on one file block by block, with the
// queue depth kept by threads, so that strace sees each operation.
func TestStraceBlocks(t *testing.T) {
	for _, name := range []string{
		"cdm/seq1m-q8t1/read", "cdm/seq1m-q8t1/write", "cdm/rnd4k-q32t1/read", "cdm/rnd4k-q1t1/mix", "cdm/nvme/seq128k-q32t1/write",
		"kdm/seq1m-q1t1/write", "kdm/rnd4k-q1t1/read", "kdm/seq1m-q8t1/mix", "adm/rnd4k-qd64/write", "at/burst-seq/read", "at/mixed-rnd",
		"bmdst-like/h1-async", "bmdst-like/h2-bigwrite", "fio/ssd-test/rand-write", "fio/ssd-test/seq-read",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			size := int64(16 * mib)
			if p := straced(t, name, size); p.Steps[0].Block < mib {
				size = 4 * mib
			}
			p := straced(t, name, size)
			all, _ := strace(t, p, false)
			seen := measured(all, true)
			if len(seen) != len(p.Steps) {
				t.Fatalf("%d opens with data calls for %d steps", len(seen), len(p.Steps))
			}
			for i, s := range p.Steps {
				checkBlocks(t, s, seen[i])
			}
		})
	}
}

// checkBlocks compares the calls on a file with the step that made them.
func checkBlocks(t *testing.T, s Step, o *opened) {
	t.Helper()
	mode := map[Op]string{Read: "O_RDONLY", Write: "O_WRONLY", Mixed: "O_RDWR"}[s.Op]
	if !strings.HasPrefix(o.flags, mode+"|") || strings.Contains(o.flags, "O_DIRECT") != (s.Cache == Direct) || strings.Contains(o.flags, "SYNC") {
		t.Errorf("step %s opened its file with %s", s.Name, o.flags)
	}
	wantSyncs := 0
	if s.Writes() && s.Sync == SyncEnd {
		wantSyncs = 1
	}
	if o.syncs != wantSyncs {
		t.Errorf("step %s: %d syncs, want %d", s.Name, o.syncs, wantSyncs)
	}
	times := map[int64]int{}
	var reads, writes int
	next := map[string]int64{}
	for i, c := range o.calls {
		switch c.name {
		case "pread64":
			reads++
		case "pwrite64":
			writes++
		default:
			t.Fatalf("step %s: unexpected call %s", s.Name, c.text)
		}
		if c.size != s.Block || c.result != s.Block || c.offset%s.Block != 0 || c.offset < 0 || c.offset+c.size > s.FileSize {
			t.Fatalf("step %s, call %d is not a block of the file: %s", s.Name, i, c.text)
		}
		times[c.offset]++
		if s.Access == Sequential && s.Nominal() == 1 {
			stream := "both"
			if s.SplitMix {
				stream = c.name
			}
			if c.offset != next[stream] {
				t.Fatalf("step %s, call %d: at %d, want %d", s.Name, i, c.offset, next[stream])
			}
			next[stream] = (c.offset + s.Block) % s.FileSize
		}
	}
	checkMix(t, s, reads, writes)
	checkSpread(t, s, times, reads+writes)
}

// checkMix: directions, and the share of reads within five standard deviations.
func checkMix(t *testing.T, s Step, reads, writes int) {
	t.Helper()
	n := reads + writes
	switch s.Op {
	case Read:
		if writes > 0 || reads == 0 {
			t.Errorf("step %s: %d reads, %d writes", s.Name, reads, writes)
		}
	case Write:
		if reads > 0 || writes == 0 {
			t.Errorf("step %s: %d reads, %d writes", s.Name, reads, writes)
		}
	case Mixed:
		share := float64(s.ReadShare) / 100
		if d := float64(reads) - share*float64(n); d*d > 25*float64(n)*share*(1-share)+1 {
			t.Errorf("step %s: %d of %d operations are reads, want %d %%", s.Name, reads, n, s.ReadShare)
		}
	}
}

// checkSpread: each block as often as any other where the order promises that,
// and all bytes of a limit.
func checkSpread(t *testing.T, s Step, times map[int64]int, n int) {
	t.Helper()
	if s.Limit.Bytes > 0 && s.Limit.Time == 0 || s.Limit == (Limit{}) {
		want, _ := s.moves(s.FileSize)
		if int64(n)*s.Block != want {
			t.Errorf("step %s: %d operations of %d bytes, want %d bytes", s.Name, n, s.Block, want)
		}
	}
	if s.Access == Random || s.SplitMix {
		return
	}
	least, most := n, 0
	for at := int64(0); at < s.FileSize; at += s.Block {
		least, most = min(least, times[at]), max(most, times[at])
	}
	if most-least > 1 {
		t.Errorf("step %s: blocks were taken %d to %d times", s.Name, least, most)
	}
}

// TestStraceRing: with io_uring strace sees the size of the ring and how many
// operations were handed over.
func TestStraceRing(t *testing.T) {
	if err := ringAvailable(); err != nil {
		t.Skip(err)
	}
	p := straced(t, "cdm/seq1m-q8t1/read", 16*mib)
	p.Steps[0].Limit = Limit{Bytes: 32 * mib}
	all, other := strace(t, p, true)
	if o := all[len(all)-1]; !strings.Contains(o.flags, "O_DIRECT") || !strings.HasPrefix(o.flags, "O_RDONLY|") || len(o.calls) > 0 {
		t.Errorf("the file was opened with %s and has %d calls of its own", o.flags, len(o.calls))
	}
	submitted, rings := 0, 0
	enter := regexp.MustCompile(`io_uring_enter\(\d+<[^>]*>, (\d+), (\d+),`)
	for _, line := range other {
		if strings.Contains(line, "io_uring_setup(8,") {
			rings, submitted = rings+1, 0 // the first is that of the preparation
		}
		if m := enter.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			submitted += n
		}
	}
	if rings != 2 || submitted != 32 {
		t.Errorf("%d rings of depth 8, %d operations submitted to the last; want 2 and 32", rings, submitted)
	}
}

// sequence renders the calls on one open for comparison: "write 1048576 ×3".
func sequence(o *opened) string {
	var parts []string
	for i := 0; i < len(o.calls); {
		j := i
		for j < len(o.calls) && o.calls[j].name == o.calls[i].name && o.calls[j].result == o.calls[i].result {
			j++
		}
		count, result := j-i, o.calls[i].result
		if name := o.calls[i].name; name == "copy_file_range" || name == "sendfile" {
			// A signal of the Go runtime cuts a copy in the kernel short; it goes on.
			for count, j = 1, i+1; j < len(o.calls) && o.calls[j].name == name; j++ {
				result += o.calls[j].result
			}
		}
		parts = append(parts, fmt.Sprintf("%s %d ×%d", o.calls[i].name, result, count))
		i = j
	}
	if o.syncs > 0 {
		parts = append(parts, fmt.Sprintf("sync ×%d", o.syncs))
	}
	return strings.Join(parts, ", ")
}

// TestStraceCalls: patterns of plain calls, in full.
func TestStraceCalls(t *testing.T) {
	const size = 3*mib + mib/2
	for _, c := range []struct {
		pattern  string
		prepared bool
		want     []string // flags: calls
	}{
		{"dd/zero-buffered", false, []string{"O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC: write 1048576 ×3, sync ×1"}}, // the sync comes after the clock has stopped
		{"dd/zero-fdatasync", false, []string{"O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC: write 1048576 ×3, sync ×1"}},
		{"dd/zero-direct", false, []string{"O_WRONLY|O_CREAT|O_EXCL|O_DIRECT|O_NOFOLLOW|O_CLOEXEC: write 1048576 ×3"}},
		{"dd/zero-dsync", false, []string{"O_WRONLY|O_CREAT|O_EXCL|O_DSYNC|O_NOFOLLOW|O_CLOEXEC: write 1048576 ×3"}},
		{"dd/read-direct", true, []string{"O_RDONLY|O_DIRECT|O_NOFOLLOW|O_CLOEXEC: read 1048576 ×3"}},
		{"dd/read-buffered", true, []string{"O_RDONLY|O_NOFOLLOW|O_CLOEXEC: read 1048576 ×3"}},
		{"copy/loop-128k", true, []string{"O_RDONLY|O_NOFOLLOW|O_CLOEXEC: read 131072 ×28", "O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC: write 131072 ×28"}},
		{"copy/loop-256k", true, []string{"O_RDONLY|O_NOFOLLOW|O_CLOEXEC: read 262144 ×14", "O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC: write 262144 ×14"}},
		{"copy/loop-1m", true, []string{"O_RDONLY|O_NOFOLLOW|O_CLOEXEC: read 1048576 ×3", "O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC: write 1048576 ×3"}},
		{"copy/loop-1m-uncached", true, []string{"O_RDONLY|O_DIRECT|O_NOFOLLOW|O_CLOEXEC: read 1048576 ×3", "O_WRONLY|O_CREAT|O_EXCL|O_DIRECT|O_NOFOLLOW|O_CLOEXEC: write 1048576 ×3"}},
		{"copy/copy_file_range", true, []string{"O_RDONLY|O_NOFOLLOW|O_CLOEXEC: copy_file_range 3670016 ×1"}},
		{"copy/sendfile", true, []string{"O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC: sendfile 3670016 ×1"}},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			t.Parallel()
			all, _ := strace(t, straced(t, c.pattern, size), false)
			var got []string
			for _, o := range measured(all, c.prepared) {
				got = append(got, o.flags[:strings.IndexAny(o.flags+",", ",")]+": "+sequence(o))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("strace saw\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestStraceCopyAlternates: each block is written before the next one is read.
func TestStraceCopyAlternates(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("needs strace")
	}
	all, _ := strace(t, straced(t, "copy/loop-1m", 4*mib), false)
	seen := measured(all, true)
	if len(seen) != 2 || len(seen[0].calls) != 4 || len(seen[1].calls) != 4 {
		t.Fatalf("%d opens", len(seen))
	}
	last := 0
	for i, r := range seen[0].calls {
		w := seen[1].calls[i]
		if r.name != "read" || w.name != "write" || r.line <= last || w.line <= r.line {
			t.Errorf("block %d: line %d %s, line %d %s", i, r.line, r.text, w.line, w.text)
		}
		last = w.line
	}
}

// TestStraceFileSet: whole files of the sizes of the set, written in calls of
// 1 MiB, then read again.
func TestStraceFileSet(t *testing.T) {
	p := straced(t, "stibium/gold", 40*mib)
	for i := range p.Steps {
		f := *p.Steps[i].Files
		f.Rounds = 2
		f.Sizes = []int64{100_000, mib, 3*mib + 17}
		p.Steps[i].Files = &f
	}
	all, _ := strace(t, p, false)
	var wrote, read []string
	for _, o := range measured(all, false) {
		if strings.HasPrefix(o.flags, "O_WRONLY|O_CREAT|O_EXCL|") {
			wrote = append(wrote, sequence(o))
		} else {
			read = append(read, strings.ReplaceAll(strings.ReplaceAll(sequence(o), "preadv2", "write"), "read", "write"))
		}
	}
	want := []string{"write 1048576 ×1", "write 1048576 ×1", "write 1048576 ×3, write 17 ×1", "write 1048576 ×3, write 17 ×1", "write 100000 ×1", "write 100000 ×1"}
	slices.Sort(want)
	slices.Sort(wrote)
	slices.Sort(read)
	if !slices.Equal(wrote, want) || !slices.Equal(read, want) {
		t.Errorf("written %q\nread %q\nwant %q", wrote, read, want)
	}
}
