package answer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// did is what the workload did with data: its copies, or else the bytes that went through its calls.
func did(p *profile.Profile) (label, text string) {
	sure := slices.DeleteFunc(slices.Clone(p.Copies), func(c profile.Copy) bool { return c.Certainty == "same_size" })
	names := slices.DeleteFunc(slices.Clone(sure), func(c profile.Copy) bool { return !c.Method.Names() })
	data := slices.DeleteFunc(slices.Clone(sure), func(c profile.Copy) bool { return c.Method.Names() })
	if text = copies(p, data); text != "" && !marginal(p, data) {
		return Copied, strings.TrimSuffix(text+" · "+renamed(p, names), " · ")
	}
	_, written := p.ByCalls()
	named := renamed(p, names)
	if marginal(p, names) {
		named = ""
	}
	if named != "" && written == 0 {
		return Program, named + ": no data was copied"
	}
	if text = byName(p); text != "" {
		return Program, text
	}
	text = throughCalls(p)
	parts := overSockets(p)
	if named != "" {
		parts = append(parts, named)
	}
	if names := namesWorth(p); names != "" {
		parts = append(parts, names)
	}
	if len(parts) > 0 {
		if strings.HasPrefix(text, nothingMoved) {
			text = ""
		}
		text = strings.TrimPrefix(text+" · "+strings.Join(parts, " · "), " · ")
	}
	if n := int64(len(p.Copies) - len(sure)); n > 0 && text != "" {
		text += fmt.Sprintf(" · %s as large as a file read before, contents not compared", unit.Things(n, "file"))
	}
	return Program, text
}

// marginal reports whether copies moved less than a fifth of the bytes that calls wrote, or devices on their behalf, or
// hardly any of those that calls read. So it is where a program unpacks some files that it has itself, links what it
// has compiled through a mapping, or renames the old file that it writes anew.
func marginal(p *profile.Profile, list []profile.Copy) bool {
	if l := p.AtCalls(); l == nil || l.Write == nil {
		return false
	}
	bytes, clones := p.Omitted.CopyBytes, false
	for i := range list {
		if list[i].SizeUnknown {
			return false
		}
		bytes += list[i].Bytes
		clones = clones || list[i].Method.Clones() && list[i].Bytes > 0 // nothing had to be written for it
	}
	read, _ := p.ByCalls()
	return (bytes < p.Written()/5 || bytes < read/100) && !clones
}

// atLeast is said before a number of copies where more files may hold the same: some were found by that alone, and not
// all files were compared.
func atLeast(p *profile.Profile, list []profile.Copy) string {
	found := slices.ContainsFunc(list, func(c profile.Copy) bool { return c.Evidence == "content" })
	if p.Trace.Uncompared == 0 || !found {
		return ""
	}
	return "at least "
}

// copies sums up the copies that are sure: the one there is, or all of them.
func copies(p *profile.Profile, list []profile.Copy) string {
	if len(list) == 1 && p.Omitted.Copies == 0 {
		return one(&list[0])
	}
	files, bytes := p.Omitted.Copies+distinct(list), p.Omitted.CopyBytes
	if files == 0 {
		return ""
	}
	methods, unsized, interrupted := map[profile.Method]int{}, int64(0), 0
	for i := range list {
		bytes += list[i].Bytes
		methods[list[i].Method]++
		if list[i].Interrupted {
			interrupted++
		}
		if list[i].SizeUnknown {
			unsized++
		}
	}
	p.Verdict.Figures = map[string]float64{"copied_files": float64(files), "copied_bytes": float64(bytes)}
	parts := []string{atLeast(p, list) + unit.Things(files, "file"), unit.Bytes(bytes)}
	switch {
	case unsized == p.Omitted.Copies+int64(len(list)):
		parts[1] = "size unknown"
	case unsized > 0:
		parts[1] += fmt.Sprintf(" and %s, size unknown", unit.Things(unsized, "file"))
	}
	if interrupted > 0 {
		parts = append(parts, fmt.Sprintf("%d interrupted", interrupted))
	}
	if s := p.Observed("copied_again"); s != nil { // which says more than how it was done
		parts = append(parts, fmt.Sprintf("one source %s times", unit.Number(s.Figures["times"])))
	}
	text := strings.Join(append(parts, ranked(methods)), ", ") + mostCopied(p.Command, list)
	if len(p.CopyGroups) == 1 && int64(p.CopyGroups[0].Files) == files && p.CopyGroups[0].WallNS > 0 {
		g := &p.CopyGroups[0]
		var rates []string
		if g.BytesPerS > 0 {
			rates = append(rates, unit.Speed(g.BytesPerS))
		}
		if g.Files > 1 {
			rates = append(rates, unit.Number(g.FilesPerS)+" files/s")
		}
		if len(rates) > 0 {
			text += " · " + strings.Join(rates, ", ")
		}
		if g.BytesPerS > 0 && g.DurableNS > g.WallNS+g.WallNS/20 {
			text += fmt.Sprintf(" (%s durable)", unit.Speed(g.DurableBytesPerS))
		}
	}
	return text
}

// distinct is how many files were copied: what is appended to one file three times is not three, nor are three that
// became one.
func distinct(list []profile.Copy) int64 {
	sources, destinations := map[string]bool{}, map[string]bool{}
	for i := range list {
		sources[list[i].Source], destinations[list[i].Destination] = true, true
	}
	return int64(max(len(sources), len(destinations)))
}

// renamed says how many files got another name, or a further one, and how large they are; "" if none did.
func renamed(p *profile.Profile, list []profile.Copy) string {
	times, bytes := map[profile.Method]int64{profile.ByRename: p.Omitted.Renames}, int64(0)
	for i := range list {
		times[list[i].Method]++
		bytes += list[i].Bytes
	}
	var parts []string
	for _, x := range []struct {
		method profile.Method
		name   string
	}{{profile.ByRename, "rename"}, {profile.ByHardLink, "hard link"}} {
		if n := times[x.method]; n > 0 {
			parts = append(parts, unit.Things(n, x.name))
		}
	}
	if len(parts) == 0 || bytes == 0 {
		return unit.List(parts)
	}
	return fmt.Sprintf("%s (%s)", unit.List(parts), unit.Bytes(bytes))
}

// one is a copy that stands alone.
func one(c *profile.Copy) string {
	size := unit.Bytes(c.Bytes)
	if c.SizeUnknown {
		size = "size unknown"
	}
	if c.Interrupted {
		size += " of " + unit.Bytes(c.SourceSize) + " before it was interrupted"
	}
	file := "1 file"
	if c.PartFiles > 1 {
		file += fmt.Sprintf(" in %d parts", c.PartFiles)
	}
	text := fmt.Sprintf("%s, %s, %s", file, size, inWords(c.Method))
	if c.BufferBytes > 0 && c.Method.Loops() {
		text += " of " + unit.BlockSize(c.BufferBytes)
	}
	if c.Evidence == "memory" && c.Certainty == "likely" {
		text += " (contents not compared)"
	}
	if !c.Method.Moves() || c.WallNS <= 0 || c.SizeUnknown {
		return text
	}
	text += " · " + unit.Speed(c.BytesPerS)
	if n := c.IOPS(); n > 0 {
		text += " at " + unit.Number(n) + " IOPS"
	}
	if c.DurableNS > c.WallNS+c.WallNS/20 {
		text += fmt.Sprintf(" (%s durable)", unit.Speed(c.DurableBytesPerS))
	}
	return text
}

// tellingPauses is the share of a copy's time from which its pauses are told.
const tellingPauses = 0.02

// paused says how long the one copy that there is waited between its calls, and between which.
func paused(p *profile.Profile) string {
	if len(p.Copies) != 1 || p.Omitted.Copies > 0 {
		return ""
	}
	c := &p.Copies[0]
	if label, _ := did(p); label != Copied || c.Think == nil || c.Think.Count == 0 || c.ThinkShare < tellingPauses ||
		c.Gaps == nil {
		return ""
	}
	if t := c.Think; float64(t.P50*t.Count) < c.ThinkShare*float64(c.WallNS)/2 { // few of them are most of the time
		return fmt.Sprintf("%s: median %s between calls, longest %s", unit.Share(c.ThinkShare),
			unit.Nanoseconds(t.P50), unit.Nanoseconds(t.Max))
	}
	return fmt.Sprintf("%s: %s", unit.Share(c.ThinkShare), wording.Gaps(c.Gaps, c.Think))
}

// inWords names a copy method.
func inWords(method profile.Method) string {
	switch method {
	case profile.ByReadWrite:
		return "read/write"
	case profile.ByPositioned:
		return "pread/pwrite"
	case profile.ByReflink, profile.ByClonefile:
		return string(method) + " (shared blocks)"
	}
	return string(method)
}

// ranked lists copy methods by falling count: "copy_file_range and reflink".
func ranked(counts map[profile.Method]int) string {
	methods := slices.SortedFunc(maps.Keys(counts), func(a, b profile.Method) int {
		if d := counts[b] - counts[a]; d != 0 {
			return d
		}
		return cmp.Compare(a, b)
	})
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = inWords(m)
	}
	return unit.List(names)
}

// tellingFaults is what page faults have to read, beside what calls moved, to be told: each start of a program reads a
// few pages.
const tellingFaults = 0.1

// throughCalls is what the calls moved, the larger direction with its calls, and what page faults of mapped files read.
func throughCalls(p *profile.Profile) string {
	var parts []string
	read, written := p.ByCalls()
	moved := max(read, written)
	for i := range p.Layers {
		switch l := &p.Layers[i]; {
		case l.Level != 0:
		case l.Name == "faults":
			if float64(bytesOf(l.Read)) > tellingFaults*float64(moved) {
				parts = append(parts, "faults read "+unit.Bytes(l.Read.Bytes))
			}
		default:
			large := l.Read
			if bytesOf(l.Write) > bytesOf(l.Read) {
				large = l.Write
			}
			for _, d := range []struct {
				verb string
				flow *profile.Flow
				of   func(*profile.File) *profile.Flow
				op   trace.Op
			}{{"read", l.Read, reads, trace.OpRead}, {"wrote", l.Write, writes, trace.OpWrite}} {
				if bytesOf(d.flow) == 0 {
					continue
				}
				text := d.verb + " " + unit.Bytes(d.flow.Bytes)
				if why := received(p); d.op == trace.OpWrite && why != "" {
					text += why
				} else if d.flow == large {
					text += " in " + unit.Things(d.flow.Count, "call") + usual(&d.flow.Size) +
						from(p, d.op, d.of, d.flow.Bytes)
				}
				parts = append(parts, text)
			}
		}
	}
	if len(parts) == 0 && p.AtCalls() != nil && p.Trace.Sees(string(trace.LimitNoCalls)) {
		if !p.Trace.Sees(string(trace.LimitPartial)) {
			return nothingMoved + " there"
		}
		return cmp.Or(unnamed(p), nothingMoved)
	}
	return strings.Join(parts, " · ")
}

// unnamed is what calls moved by descriptors of which it is not known what they lead to, as in a log of strace without
// -y; "" if there is none.
func unnamed(p *profile.Profile) string {
	var read, written int64
	for i := range p.Calls {
		switch c := &p.Calls[i]; c.Op {
		case trace.OpRead:
			read += c.Bytes
		case trace.OpWrite:
			written += c.Bytes
		}
	}
	for i := range p.Files {
		read, written = read-bytesOf(p.Files[i].Read), written-bytesOf(p.Files[i].Write)
	}
	if p.Omitted.Files > 0 || read <= 0 && written <= 0 {
		return ""
	}
	return fmt.Sprintf("read %s · wrote %s; of which files the trace does not say", unit.Bytes(max(read, 0)),
		unit.Bytes(max(written, 0)))
}

// usual is the size of most calls, up to the size that moved the bytes, or their median.
func usual(d *profile.Dist) string {
	if len(d.Top) > 0 && d.Top[0].Count*2 > d.Count {
		return " of " + sizes(d)
	}
	return fmt.Sprintf(" (median %s)", unit.BlockSize(d.P50))
}
