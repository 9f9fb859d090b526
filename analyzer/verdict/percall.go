package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// A call that moves data costs what does not depend on how much it moves, and so much a byte. The former is its entry,
// locks, the handle of a journal and the look-up of a page; the latter is what large calls cost, of 64 KiB or more. The
// former is as much as so many KiB cost, by calls of 4 KiB on Linux 6.18:
//
//	              read   overwrite   append
//	ext4           5.4         9.4      8.9
//	xfs            6.5          14       20
//	btrfs          2.9         1.5      1.5
//	tmpfs          1.7         1.2      1.2
//
// Up to that size most of a call is the call: a block of those that keep files in large folios. File systems that keep
// a file in pages do most of it anew for each page of a larger call; of theirs it is this.
const smallOfPages = 1 << 10

// folios are file systems that keep files in large folios for reads and writes, and since which version of Linux.
var folios = map[string][2]int{"ext4": {6, 16}, "xfs": {6, 6}}

// PerCall is data of files that went, in order, through calls whose number is their cost.
type PerCall struct {
	Verb  string // of the direction with more calls
	Count int64
	Flow  *profile.Flow // of the file with most of the calls
	File  int           // its index
	NS    int64         // in those that were quick
}

// Text words them; of is what to say of their files.
func (x *PerCall) Text(of string) string {
	return fmt.Sprintf("%s of %s%s, %s each: more than half of that is the call, whatever it moves",
		unit.Things(x.Count, x.Verb), wording.Sizes(&x.Flow.Size), of, unit.Nanoseconds(x.Flow.Latency.P50))
}

// SmallCalls are those of the workload; nil if there are few.
func SmallCalls(p *profile.Profile) *PerCall {
	var reads, writes PerCall
	for i := range p.Files {
		f := &p.Files[i]
		if f.Type != trace.FileRegular {
			continue
		}
		most := int64(smallOfPages)
		if inFolios(f.FSType, p.Trace.Kernel) {
			most = usualBlock
		}
		reads.add(i, f, f.Read, f.ReadPattern, most)
		writes.add(i, f, f.Write, f.WritePattern, most)
	}
	x, y := &reads, &writes
	x.Verb, y.Verb = "read", "write"
	if y.Count > x.Count {
		x, y = y, x
	}
	x.NS += y.NS
	if x.Count < manyCalls {
		return nil
	}
	return x
}

// add adds what was moved of a file, if it was moved by small, quick calls, and larger ones would be fewer by half: no
// call is for two opens of the file.
func (x *PerCall) add(index int, of *profile.File, f *profile.Flow, order *profile.AccessPattern, most int64) {
	if f == nil || f.Size.P50 == 0 || max(f.Size.P50, f.Size.ByBytes) > most ||
		order == nil || order.Class != "sequential" && order.Class != "mostly_sequential" {
		return
	}
	opens := int64(0)
	for _, c := range of.Ops {
		if c.Op == trace.OpOpen {
			opens += c.Count - c.Errors
		}
	}
	if f.Size.Count < 2*max(opens, (f.Bytes+wording.SmallRequest-1)/wording.SmallRequest) {
		return
	}
	count, ns := quick(&f.Latency)
	if 2*count < f.Count {
		return
	}
	x.Count += f.Count
	x.NS += ns
	if x.Flow == nil || f.Count > x.Flow.Count {
		x.Flow, x.File = f, index
	}
}

// quick is how many calls copied from memory to memory and did nothing else, and how long they took. Where one takes
// more than half of what calls have that follow each other closely, it did more: a virtual machine uses memory for the
// first time, or something is waited for. Larger calls cost as much then.
func quick(d *profile.Dist) (count, sum int64) {
	for _, b := range d.Bins {
		if 2*b.To <= closely {
			count += b.Count
			sum += b.Count * (b.From/2 + b.To/2)
		}
	}
	return count, sum
}

// inFolios reports whether a file system keeps files in large folios. That of a kernel that is not known may not.
func inFolios(fs, kernel string) bool {
	since, ok := folios[fs]
	var major, minor int
	if _, err := fmt.Sscanf(kernel, "%d.%d", &major, &minor); !ok || err != nil {
		return false
	}
	return major > since[0] || major == since[0] && minor >= since[1]
}
