package usage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

const (
	// maxFiles is how many files are listed.
	maxFiles = 100
	// A file is listed from a difference of leastDifference bytes on, and of one in leastShare of all that was moved.
	leastDifference = 4096
	leastShare      = 1000
)

// summary is what was moved of a device, or of a file system.
type summary struct {
	name, device, fsType string
	side                 [2]struct {
		asked, moved, bytes, packed, shared int64
		reasons, spared                     parts
	}
}

func (s *summary) add(m [2]*profile.Moved) {
	for i := range m {
		x := &s.side[i]
		x.asked += m[i].Asked
		x.moved += m[i].Moved
		spared := parts(m[i].Spared)
		x.spared.all(&spared)
	}
}

// amount is the summary as the profile shows it.
func (s *summary) amount() profile.Amount {
	var m [2]profile.Moved
	for i := range m {
		x := &s.side[i]
		m[i] = profile.Moved{Asked: x.asked, Moved: x.moved, Device: x.bytes, Packed: x.packed, Shared: x.shared,
			Reasons: x.reasons.list(), Spared: x.spared.list()}
		m[i].Factor = factor(&m[i])
	}
	return profile.Amount{Name: s.name, Device: s.device, FSType: s.fsType, Read: m[reading], Write: m[writing]}
}

// factor is how many bytes devices did for the workload for each byte that calls moved. What was read and written
// through mappings is left out: how much of it was asked for is not known.
func factor(m *profile.Moved) float64 {
	if m.Moved == 0 || m.Of(profile.Untold) > 0 {
		return float64(profile.Unknown)
	}
	return float64(own(m)-m.Of(profile.Mapped)) / float64(m.Moved)
}

// own is what the device did for files of its own, and for the workload.
func own(m *profile.Moved) int64 {
	return m.Device - m.Of(profile.ByOther) - m.Of(profile.ByRecorder) - m.Of(profile.Above) - m.Of(profile.Swap)
}

// Finish divides what is known of each file, and adds it up by file system and device.
func (c *Amounts) Finish(p *profile.Profile) {
	c.unclaimed()
	c.droppedByOthers()
	devices := make([]summary, len(c.devices.All))
	c.othersAbove(devices)
	systems := map[system]*summary{}
	home := c.homes()
	sums, durable := c.pages.sums(), p.DurableNS >= 0
	slices.SortStableFunc(c.all, func(a, b *fileAmounts) int { return cmp.Compare(a.Number, b.Number) })
	var order []*summary
	p.Amounts.Files = make([]profile.Amount, 0, len(c.all))
	for _, f := range c.all {
		read, write, each := f.account(c.pages, sums[f.Number], durable)
		both := [2]*profile.Moved{&read, &write}
		lies := home[f.fileSystem()]
		if len(f.at) > 0 {
			lies = f.at[0].device
		}
		key := f.fileSystem()
		s := systems[key]
		if s == nil {
			s = &summary{name: f.Mount, fsType: f.FSType}
			systems[key] = s
			order = append(order, s)
		}
		if s.add(both); lies != nil {
			s.device = lies.Name
			devices[lies.Number].add(both)
		}
		for i, at := range f.at {
			for direction := range 2 {
				devices[at.device.Number].side[direction].reasons.all(&each[i][direction])
				devices[at.device.Number].side[direction].bytes += at.bytes[direction]
				devices[at.device.Number].side[direction].packed += at.packed[direction]
				s.side[direction].packed += at.packed[direction]
				s.side[direction].reasons.all(&each[i][direction])
				s.side[direction].bytes += at.bytes[direction]
			}
		}
		p.Amounts.Files = append(p.Amounts.Files, f.amount(read, write, lies))
	}
	c.overhead(devices, order)
	for _, s := range order {
		if s.name != "" && s.size() > 0 {
			p.Amounts.Filesystems = append(p.Amounts.Filesystems, s.amount())
		}
	}
	for _, d := range c.devices.All {
		s, freed := &devices[d.Number], int64(0)
		if r := c.requests.Known(d.Number); r != nil {
			freed = r.freed
			s.side[writing].shared = c.shared(d, &r.changed)
		}
		if s.size() > 0 || freed > 0 {
			s.name = d.Name
			a := s.amount()
			a.Discarded = freed
			p.Amounts.Devices = append(p.Amounts.Devices, a)
		}
	}
	arrange(&p.Amounts)
}

func (s *summary) size() int64 {
	return s.side[reading].bytes + s.side[writing].bytes + s.side[reading].moved + s.side[writing].moved
}

// othersAbove begins with what was moved of no file. What a loop device moves its file's device does for the kernel,
// which looks like others.
func (c *Amounts) othersAbove(devices []summary) {
	for _, d := range c.devices.All {
		s, own := &devices[d.Number], c.requests.Known(d.Number)
		if own == nil {
			continue
		}
		for direction := range 2 {
			x := &s.side[direction]
			x.reasons.all(&own.parts[direction])
			above, left := int64(0), own.other[direction]
			for _, u := range d.Uppers() {
				if r := c.requests.Known(u.Number); r != nil && u.Backing != "" {
					above += r.bytes[direction]
				}
			}
			n := take(&left, above)
			x.reasons.add(profile.Above, n)
			x.reasons.add(profile.ByOther, left)
			x.bytes += own.other[direction]
			for _, part := range own.parts[direction] {
				x.bytes += part.Bytes
			}
		}
	}
}

// amount is the file as the profile shows it.
func (f *fileAmounts) amount(read, write profile.Moved, d *world.Device) profile.Amount {
	read.Factor, write.Factor = factor(&read), factor(&write)
	a := profile.Amount{Name: f.Path, FSType: f.FSType, Read: read, Write: write}
	if d != nil {
		a.Device = d.Name
	}
	return a
}

// difference is by how much devices moved more than calls, or less.
func difference(a *profile.Amount) (n int64) {
	for _, m := range []*profile.Moved{&a.Read, &a.Write} {
		did := own(m) - m.Of(profile.Mapped)
		n += max(did-m.Moved, m.Moved-did)
	}
	return n
}

func moved(a *profile.Amount) int64 {
	return max(a.Read.Device, a.Read.Moved) + max(a.Write.Device, a.Write.Moved)
}

// arrange puts what matters most first.
func arrange(a *profile.Amounts) {
	most := func(x, y profile.Amount) int {
		return cmp.Or(cmp.Compare(moved(&y), moved(&x)), strings.Compare(x.Name, y.Name))
	}
	sorting.Stably(a.Devices, most)
	sorting.Stably(a.Filesystems, most)
	all := int64(0)
	for i := range a.Filesystems {
		all += moved(&a.Filesystems[i])
	}
	a.Files = slices.DeleteFunc(a.Files, func(x profile.Amount) bool {
		return difference(&x) < max(leastDifference, all/leastShare)
	})
	sorting.Stably(a.Files, func(x, y profile.Amount) int {
		return cmp.Or(cmp.Compare(difference(&y), difference(&x)), strings.Compare(x.Name, y.Name))
	})
	a.Files = a.Files[:min(len(a.Files), maxFiles)]
}

// shared is how much of what a file system wrote of its own was divided by an estimate. A block of btrfs is that of who
// took room for it: others may have changed it since, of which nothing tells.
func (c *Amounts) shared(d *world.Device, by *changed) int64 {
	btrfs := slices.ContainsFunc(c.end.Mounts, func(m trace.Mount) bool {
		return m.FSType == "btrfs" && m.Disk != 0 && c.devices.Serving(m.Disk) == d
	})
	if btrfs && by.own > 0 && by.others > 0 {
		return by.own + by.others
	}
	return by.both
}
