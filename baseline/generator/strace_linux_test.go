package generator

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/testenv"
)

// What strace sees of a pattern must be the pattern: open flags, sizes, order,
// offsets, counts and syncs. The test runs itself as the traced process.

// TestStraceBlocks: patterns that work on one file block by block, with the
// queue depth kept by threads, so that strace sees each operation.
func TestStraceBlocks(t *testing.T) {
	for _, name := range []string{
		"cdm/seq1m-q8t1/read", "cdm/seq1m-q8t1/write", "cdm/rnd4k-q32t1/read", "cdm/rnd4k-q1t1/mix",
		"cdm/nvme/seq128k-q32t1/write", "kdm/seq1m-q1t1/write", "kdm/rnd4k-q1t1/read", "kdm/seq1m-q8t1/mix",
		"adm/rnd4k-qd64/write", "at/burst-seq/read", "at/mixed-rnd", "bmdst-like/h1-async", "bmdst-like/h2-bigwrite",
		"fio/ssd-test/rand-write", "fio/ssd-test/seq-read",
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
func checkBlocks(t *testing.T, s baseline.Step, o *opened) {
	t.Helper()
	mode := map[baseline.Op]string{baseline.Read: "O_RDONLY", baseline.Write: "O_WRONLY", baseline.Mixed: "O_RDWR"}[s.Op]
	if !strings.HasPrefix(o.flags, mode+"|") || strings.Contains(o.flags, "O_DIRECT") != (s.Cache == baseline.Direct) ||
		strings.Contains(o.flags, "SYNC") {
		t.Errorf("step %s opened its file with %s", s.Name, o.flags)
	}
	wantSyncs := 0
	if s.Writes() && s.Sync == baseline.SyncEnd {
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
		if s.Access == baseline.Sequential && s.Nominal() == 1 {
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
func checkMix(t *testing.T, s baseline.Step, reads, writes int) {
	t.Helper()
	n := reads + writes
	switch s.Op {
	case baseline.Read:
		if writes > 0 || reads == 0 {
			t.Errorf("step %s: %d reads, %d writes", s.Name, reads, writes)
		}
	case baseline.Write:
		if reads > 0 || writes == 0 {
			t.Errorf("step %s: %d reads, %d writes", s.Name, reads, writes)
		}
	case baseline.Mixed:
		share := float64(s.ReadShare) / 100
		if d := float64(reads) - share*float64(n); d*d > 25*float64(n)*share*(1-share)+1 {
			t.Errorf("step %s: %d of %d operations are reads, want %d %%", s.Name, reads, n, s.ReadShare)
		}
	}
}

// checkSpread: each block as often as any other where the order promises that,
// and all bytes of a limit.
func checkSpread(t *testing.T, s baseline.Step, times map[int64]int, n int) {
	t.Helper()
	if s.Limit.Bytes > 0 && s.Limit.Time == 0 || s.Limit == (baseline.Limit{}) {
		want, _ := s.Moves(s.FileSize)
		if int64(n)*s.Block != want {
			t.Errorf("step %s: %d operations of %d bytes, want %d bytes", s.Name, n, s.Block, want)
		}
	}
	if s.Access == baseline.Random || s.SplitMix {
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
		testenv.Missing(t, "io_uring: %v", err)
	}
	p := straced(t, "cdm/seq1m-q8t1/read", 16*mib)
	p.Steps[0].Limit = baseline.Limit{Bytes: 32 * mib}
	all, other := strace(t, p, true)
	if o := all[len(all)-1]; !strings.Contains(o.flags, "O_DIRECT") || !strings.HasPrefix(o.flags, "O_RDONLY|") ||
		len(o.calls) > 0 {
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
		// the sync comes after the clock has stopped
		{"dd/zero-buffered", false, []string{"O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC: write 1048576 ×3, sync ×1"}},
		{"dd/zero-fdatasync", false, []string{"O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC: write 1048576 ×3, sync ×1"}},
		{"dd/zero-direct", false, []string{"O_WRONLY|O_CREAT|O_EXCL|O_DIRECT|O_NOFOLLOW|O_CLOEXEC: write 1048576 ×3"}},
		{"dd/zero-dsync", false, []string{"O_WRONLY|O_CREAT|O_EXCL|O_DSYNC|O_NOFOLLOW|O_CLOEXEC: write 1048576 ×3"}},
		{"dd/read-direct", true, []string{"O_RDONLY|O_DIRECT|O_NOFOLLOW|O_CLOEXEC: read 1048576 ×3"}},
		{"dd/read-buffered", true, []string{"O_RDONLY|O_NOFOLLOW|O_CLOEXEC: read 1048576 ×3"}},
		{"copy/loop-128k", true, []string{"O_RDONLY|O_NOFOLLOW|O_CLOEXEC: read 131072 ×28",
			"O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC: write 131072 ×28"}},
		{"copy/loop-256k", true, []string{"O_RDONLY|O_NOFOLLOW|O_CLOEXEC: read 262144 ×14",
			"O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC: write 262144 ×14"}},
		{"copy/loop-1m", true, []string{"O_RDONLY|O_NOFOLLOW|O_CLOEXEC: read 1048576 ×3",
			"O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC: write 1048576 ×3"}},
		{"copy/loop-1m-uncached", true, []string{"O_RDONLY|O_DIRECT|O_NOFOLLOW|O_CLOEXEC: read 1048576 ×3",
			"O_WRONLY|O_CREAT|O_EXCL|O_DIRECT|O_NOFOLLOW|O_CLOEXEC: write 1048576 ×3"}},
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
	want := []string{"write 1048576 ×1", "write 1048576 ×1", "write 1048576 ×3, write 17 ×1",
		"write 1048576 ×3, write 17 ×1", "write 100000 ×1", "write 100000 ×1"}
	slices.Sort(want)
	slices.Sort(wrote)
	slices.Sort(read)
	if !slices.Equal(wrote, want) || !slices.Equal(read, want) {
		t.Errorf("written %q\nread %q\nwant %q", wrote, read, want)
	}
}
