package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// A device is told of if it moved so much: every program is read from some disk. Of less it is told if it is no less
// than half of what the program moved.
const (
	worthALine = 1 << 20
	alike      = 64 << 10
)

// part stands between the parts of a line.
const part = " · "

// drives says what the devices did for the workload: the one that read most, and the one that wrote most. What was busy
// for less than a tenth of the time of the other comes last: an answer may have no room for it.
func drives(p *profile.Profile) (list []profile.AnswerLine) {
	order := []bool{false, true}
	if r, w := wording.Busiest(p, false), wording.Busiest(p, true); r != nil && w != nil &&
		10*r.Flow.Depth.BusyNS < w.Flow.Depth.BusyNS {
		order = []bool{true, false}
	}
	read, written := p.ByCalls()
	for _, write := range order {
		moved := map[bool]int64{false: read, true: written}[write]
		d := wording.Busiest(p, write)
		if d == nil || d.Flow.Bytes < worthALine && (d.Flow.Bytes < alike || 2*d.Flow.Bytes < moved) {
			continue
		}
		list = append(list, profile.AnswerLine{Label: d.Name + map[bool]string{false: " read", true: " write"}[write],
			Text: strings.Join(flow(p, d.Flow, amplified(p, d.Name, write)), part)})
	}
	if len(list) == 0 {
		return counted(p)
	}
	return list
}

// Amplification is told from so much on in either direction. Less is read than calls read wherever some of it is in
// memory: that is not told.
// Where calls moved next to nothing, how many times as much it was says nothing.
const (
	more = 1.1
	less = 0.9
	vast = 100
)

// amplified is how many bytes a device moved for each one that calls moved, and most of it for what reason, if it is
// not about one: " (×5.1, metadata and journal)".
func amplified(p *profile.Profile, device string, write bool) string {
	for i := range p.Amounts.Devices {
		d := &p.Amounts.Devices[i]
		m := &d.Read
		if write {
			m = &d.Write
		}
		if d.Name != device || m.Factor <= 0 || m.Factor < more && (m.Factor > less || !write) {
			continue
		}
		return times(m, write && p.Trace.Journals(device))
	}
	return ""
}

// times is how many times as much was moved, and why. The factor leaves out what was mapped: where that is much, it is
// none of all the bytes. A reason alone is told if it is that of most of them.
func times(m *profile.Moved, journal bool) string {
	why, factor := m.Why(), "×"+unit.Significant(m.Factor, 2)
	own := int64(0)
	for _, r := range m.Reasons {
		switch r.Code {
		case profile.ByOther, profile.ByRecorder, profile.Above, profile.Swap:
		default:
			own += r.Bytes
		}
	}
	plain := 10*m.Of(profile.Mapped) <= own
	switch {
	case plain && (m.Factor < more || why == nil && m.Factor < vast):
		return " (" + factor + ")"
	case plain && why != nil && m.Factor < vast:
		return " (" + factor + ", " + wording.Reason(why.Code, journal) + ")"
	case why != nil && 2*why.Bytes > own:
		return " (" + wording.Reason(why.Code, journal) + ")"
	}
	return ""
}

// flow is bytes, size of a request, requests a second and queue depth of what a device did in one direction.
func flow(p *profile.Profile, f *profile.Flow, amplified string) []string {
	parts := []string{unit.Bytes(f.Bytes) + amplified, "requests " + sizes(&f.Size)}
	if p.Trace.TellsDepth(f.Depth.BusyNS > 0) && f.Depth.BusyNS > 0 {
		parts = append(parts, "QD "+unit.Significant(max(f.Depth.MeanBusy, 1), 2),
			"busy "+unit.Share(float64(f.Depth.BusyNS)/float64(max(p.TimeStack.TotalNS, 1))))
	}
	return parts
}

// sizes are those of most requests, up to the size that moved the bytes: many small ones may move little.
func sizes(d *profile.Dist) string {
	if len(d.Top) > 0 && d.Top[0].Count*2 > d.Count && d.ByBytes > 2*d.Top[0].Value {
		return unit.BlockSize(d.Top[0].Value) + " to " + unit.BlockSize(d.ByBytes)
	}
	return wording.Sizes(d)
}

// counted is what the kernel's counters say of drives whose requests were not recorded. Where requests are recorded and
// there is none, the workload used no drive, whatever others did with them.
func counted(p *profile.Profile) (list []profile.AnswerLine) {
	deep := func(l profile.Layer) bool { return l.Level > 0 }
	if p.Trace.Sees(string(trace.LimitNoRequests)) || slices.ContainsFunc(p.Layers, deep) {
		return nil
	}
	for _, d := range p.Trace.Drives {
		if d.ReadBytes+d.WrittenBytes >= worthALine && len(list) < 2 {
			text := fmt.Sprintf("read %s · wrote %s · busy %s (of all programs)", unit.Bytes(d.ReadBytes),
				unit.Bytes(d.WrittenBytes), unit.Nanoseconds(d.BusyNS))
			list = append(list, profile.AnswerLine{Label: d.Name, Text: text})
		}
	}
	if text := verdict.Charged(p.Trace.Charged); text != "" && len(list) > 0 {
		list = append(list, profile.AnswerLine{Label: "for it", Text: text})
	}
	return list
}
