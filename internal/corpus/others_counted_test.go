//go:build linux

package corpus

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/testenv"
)

// witness is the kernel's own event log of a file system: what it has of one, and how much that says was written for a
// process, at least and at most. What two programs changed may count for either, and with it what a commit has besides.
type witness struct {
	start func(t *testing.T, device uint64) (lines func() []string)
	count func(lines []string, pid string) (least, most int64)
}

// witnesses are the file systems of which the log tells whose a write is.
var witnesses = map[string]*witness{"ext4": {logOfJournal, journalledFor}, "btrfs": {logOfTrees, takenBy}}

func onDevice(device uint64) string {
	return fmt.Sprintf("dev == %d", unix.Major(device)<<20|unix.Minor(device))
}

func logOfJournal(t *testing.T, device uint64) func() []string {
	return testenv.StartEventLog(t, onDevice(device), "jbd2/jbd2_handle_stats", "jbd2/jbd2_commit_flushing",
		"block/block_bio_queue").Lines
}

// The events of btrfs have no device: only the test's disks have such a file system.
func logOfTrees(t *testing.T, device uint64) func() []string {
	bios := testenv.StartEventLog(t, onDevice(device), "block/block_bio_queue")
	taken := testenv.StartEventLog(t, "flags & 6", "btrfs/btrfs_reserve_extent")
	return func() []string { return append(bios.Lines(), taken.Lines()...) }
}

// othersWitnessed holds what is said of others to what the kernel's own event log has of them in the same run.
func othersWitnessed(t *testing.T, top, theirs, own string, w *witness) {
	t.Helper()
	var st unix.Stat_t
	if err := unix.Stat(source(t, top), &st); err != nil {
		t.Fatal(err)
	}
	var lines func() []string
	p, pid := recordedBeside(t, top, theirs, own, func() { lines = w.start(t, st.Rdev) })
	least, most := w.count(lines(), pid)
	a := amountOf(t, p, strings.TrimPrefix(source(t, top), "/dev/"))
	said := a.Write.Of(profile.ByOther)
	t.Logf("others %d; the kernel's log says %d to %d", said, least, most)
	if 20*said < 19*least || 20*said > 21*most || least == 0 {
		t.Errorf("others are said to have written %d bytes, the kernel's log says %d to %d", said, least, most)
	}
}

var (
	bioOf     = regexp.MustCompile(`^ *(.+)-(\d+) +\(.*: block_bio_queue: \S+ (\S+) \d+ \+ (\d+) `)
	handleOf  = regexp.MustCompile(`^ *(.+)-(\d+) +\(.*: jbd2_handle_stats: dev \S+ tid (\d+) .* dirtied_blocks (\d+)`)
	commitOf  = regexp.MustCompile(`: jbd2_commit_flushing: dev \S+ transaction (\d+) `)
	reserveOf = regexp.MustCompile(`^ *(.+)-(\d+) +\(.*: btrfs_reserve_extent: .* len=(\d+) `)
)

func ofKernel(command string) bool {
	return strings.HasPrefix(command, "kworker/") || strings.HasPrefix(command, "jbd2/")
}

func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

// journalledFor is for ext4: what a process wrote itself, and its part of what the journal has. A commit of its changes
// alone is all for it. Of one with others' too it has at least the blocks that it changed first, and at most all but
// those of the others.
func journalledFor(lines []string, pid string) (least, most int64) {
	const block = 4096
	type commit struct{ theirs, own, bytes int64 }
	commits, now := map[string]*commit{}, ""
	of := func(number string) *commit {
		if commits[number] == nil {
			commits[number] = &commit{}
		}
		return commits[number]
	}
	for _, line := range lines {
		if m := handleOf.FindStringSubmatch(line); m != nil && m[2] == pid {
			of(m[3]).theirs += number(m[4])
		} else if m != nil && !ofKernel(m[1]) {
			of(m[3]).own += number(m[4])
		} else if m := commitOf.FindStringSubmatch(line); m != nil {
			now = m[1]
		} else if m := bioOf.FindStringSubmatch(line); m == nil || m[3][0] == 'R' {
			continue
		} else if n := 512 * number(m[4]); m[2] == pid {
			least, most = least+n, most+n
		} else if strings.HasPrefix(m[1], "jbd2/") {
			of(now).bytes += n
		}
	}
	for _, c := range commits {
		if c.theirs > 0 && c.own == 0 {
			least += c.bytes
		} else {
			least += block * c.theirs
		}
		if c.theirs > 0 || c.own == 0 { // what the kernel alone changed may be for either
			most += c.bytes - block*c.own
		}
	}
	return least, most
}

// takenBy is for btrfs: the data and the superblocks that a process wrote, and two copies of each block of a tree that
// it took room for. Those that workers of the kernel took room for may be for either.
func takenBy(lines []string, pid string) (least, most int64) {
	const superblock = 4096
	for _, line := range lines {
		if m := bioOf.FindStringSubmatch(line); m != nil {
			n := 512 * number(m[4])
			if m[2] == pid && m[3][0] != 'R' && (!strings.Contains(m[3], "M") || n == superblock) {
				least, most = least+n, most+n
			}
		} else if m := reserveOf.FindStringSubmatch(line); m != nil && m[2] == pid {
			least, most = least+2*number(m[3]), most+2*number(m[3])
		} else if m != nil && ofKernel(m[1]) {
			most += 2 * number(m[3])
		}
	}
	return least, most
}
