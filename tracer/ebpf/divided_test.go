//go:build linux

package ebpf

import (
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
)

// What XFS and btrfs write of their own is divided by who changed it: as the kernel's own event log counts it.
func TestLogsAreDivided(t *testing.T) {
	needBPF(t)
	for _, c := range []struct {
		fstype string
		events []string
		share  sharer
	}{
		{"xfs", []string{"xfs/xfs_log_ticket_ungrant", "xfs/xfs_log_ticket_regrant", "xfs/xlog_iclog_write",
			"xfs/xfs_update_time", "xfs/xfs_iext_insert", "xfs/xfs_bmap_post_update", "xfs/xfs_unwritten_convert",
			"xfs/xfs_setfilesize", "block/block_bio_queue"}, shareOfLog},
		{"btrfs", []string{"btrfs/btrfs_reserve_extent"}, shareOfTrees},
	} {
		for _, alone := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s alone=%t", c.fstype, alone), func(t *testing.T) {
				if _, err := exec.LookPath("mkfs." + c.fstype); err != nil {
					t.Skip(err)
				}
				checkDivided(t, c.fstype, alone, c.events, c.share)
			})
		}
	}
}

// sharer says by the kernel's log how much of what is written programs with some numbers changed, and how much no
// program did.
type sharer func(lines []string, own map[string]bool) (mine, nobodys float64)

func checkDivided(t *testing.T, fstype string, alone bool, events []string, share sharer) {
	d := newDisk(t, imageSize)
	d.format(fstype)
	dir := d.mount(fstype, "")
	filter := fmt.Sprintf("dev == %d", d.id)
	if fstype == "btrfs" {
		filter = "flags & 6" // its events have no device: only the test's disks have such a file system
	}
	log := startFtrace(t, filter, events...)
	stop := func() {}
	if !alone {
		stop = keepWriting(t, dir)
	}
	s, w := launch(t, Options{}, workload.Args("write", dir, "0", "1048576", "16384", "fsync")...)
	wait(t, w)
	rec := s.finish()
	stop()
	recorded := map[string]bool{}
	for _, p := range rec.Processes {
		if p.Action != trace.ProcessHelper {
			recorded[strconv.Itoa(int(p.TID))] = true
		}
	}
	own, all := int64(0), int64(0)
	for _, q := range rec.requests(d.id) {
		if q.File != 0 || q.Op != trace.ReqWrite || q.Flags&trace.ReqMeta == 0 || fstype == "btrfs" && q.Bytes < 16384 {
			continue // a superblock, of which the kernel's log has nothing
		}
		if all += q.Bytes; q.Flags&trace.ReqForeign == 0 {
			own += q.Own()
		}
	}
	want, nobodys := share(log.lines(), recorded)
	t.Logf("%d of %d bytes are the program's; the kernel's log says %.0f to %.0f", own, all, want, want+nobodys)
	if all == 0 || alone && own != all || float64(own) < 0.9*want || float64(own) > 1.1*(want+nobodys) {
		t.Error("that is not the same")
	}
}

// Checksums take room in proportion to data, whoever else takes many small extents meanwhile, and also where a thread
// of the kernel writes back what was written before.
func TestSumsAreDividedByData(t *testing.T) {
	needBPF(t)
	const data = 192 << 20
	d := newDisk(t, imageSize)
	d.format("btrfs")
	dir := d.mount("btrfs", "")
	stop := keepWriting(t, dir)
	defer stop()
	command := strings.Join(workload.Args("write", dir, "0", strconv.Itoa(data), "1048576", "buffered"), " ")
	s, w := launch(t, Options{}, "sh", "-c", command+" && sync -f "+dir)
	wait(t, w)
	rec := s.finish()
	own, all := int64(0), int64(0)
	for _, q := range rec.requests(d.id) {
		if q.File != 0 || q.Op != trace.ReqWrite || q.Flags&trace.ReqMeta == 0 {
			continue
		}
		if all += q.Bytes; q.Flags&trace.ReqForeign == 0 {
			own += q.Own()
		}
	}
	const sums = 2 * data / 4096 * 4 // two copies of four bytes each
	t.Logf("%d of %d bytes are the program's; its checksums have %d", own, all, sums)
	if own < sums || 2*own > all {
		t.Error("that is not what it changed")
	}
}

var (
	ticketLine = regexp.MustCompile(`-(\d+) +\(.*: xfs_log_ticket_(\w+): .* t_curr_res (\d+) t_unit_res (\d+) `)
	fileLine   = regexp.MustCompile(`-(\d+) +\(.*: xfs_(?:update_time|iext_insert|bmap_post_update|` +
		`unwritten_convert|setfilesize): dev \S+ ino (0x[0-9a-f]+)`)
	bufferLine  = regexp.MustCompile(`-(\d+) +\(.*: xlog_iclog_write: `)
	logBioLine  = regexp.MustCompile(`-(\d+) +\(.*: block_bio_queue: \S+ \S+ \d+ \+ (\d+) `)
	reserveLine = regexp.MustCompile(`-(\d+) +\(.*: btrfs_reserve_extent: .* len=(\d+) `)
)

// changers says for whom a transaction of XFS is by the kernel's log: for the program that makes it, or, of a thread of
// the kernel, for the one that changed last the file that the thread changes.
type changers struct {
	own             map[string]bool
	files, workerOf map[string]string // by inode, by thread: the thread of a program
}

func (c changers) file(tid, inode string) {
	if !ofKernel(tid) {
		c.files[inode] = tid
	} else {
		c.workerOf[tid] = c.files[inode]
	}
}

// transaction returns whether it is for the program, and whether that is known.
func (c changers) transaction(tid, event string) (mine, known bool) {
	who := tid
	if ofKernel(tid) {
		who = c.workerOf[tid]
		if event == "ungrant" {
			delete(c.workerOf, tid)
		}
	}
	return c.own[who], who != ""
}

// shareOfLog is how much is the program's of what is written to the log of XFS, by what its transactions had added to
// it since the last write. What only threads of the kernel had added to, for nobody, counts between the program's.
func shareOfLog(lines []string, own map[string]bool) (written, nobodys float64) {
	var mine, others, since float64
	share, writes := map[string]float64{}, map[string]bool{}
	c := changers{own, map[string]string{}, map[string]string{}}
	for _, line := range lines {
		if m := fileLine.FindStringSubmatch(line); m != nil {
			c.file(m[1], m[2])
		} else if m := ticketLine.FindStringSubmatch(line); m != nil {
			left, _ := strconv.ParseFloat(m[3], 64)
			whole, _ := strconv.ParseFloat(m[4], 64)
			switch ours, known := c.transaction(m[1], m[2]); {
			case ours:
				mine += whole - left
			case known:
				others += whole - left
			}
		} else if m := bufferLine.FindStringSubmatch(line); m != nil {
			writes[m[1]], share[m[1]] = true, -1
			if mine+others > 0 {
				share[m[1]], mine, others = mine/(mine+others), 0, 0
			}
		} else if m := logBioLine.FindStringSubmatch(line); m != nil && writes[m[1]] {
			delete(writes, m[1])
			sectors, _ := strconv.ParseFloat(m[2], 64)
			switch {
			case share[m[1]] > 0:
				written, nobodys, since = written+512*sectors*share[m[1]], nobodys+since, 0
			case share[m[1]] < 0 && written > 0:
				since += 512 * sectors
			}
		}
	}
	return written, nobodys + since
}

// shareOfTrees is the room that the program took for blocks of trees, of which there are two copies.
func shareOfTrees(lines []string, own map[string]bool) (mine, nobodys float64) {
	for _, line := range lines {
		if m := reserveLine.FindStringSubmatch(line); m != nil && own[m[1]] {
			n, _ := strconv.ParseFloat(m[2], 64)
			mine += 2 * n
		}
	}
	return mine, 0
}
