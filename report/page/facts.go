package page

import (
	"math"
	"strconv"

	"github.com/iotrace/iotrace/analyzer/answer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/trace"
)

// facts are the large numbers at the top of the page.
func facts(p *profile.Profile) []fact {
	var fs []fact
	if p.Trace.Sees(string(trace.LimitNoTimes)) {
		fs = append(fs, fact{"Took", unit.Nanoseconds(p.WallNS), exit(p)})
	}
	calls := p.Trace.Sees(string(trace.LimitNoCalls))
	if p.Written() > 0 && calls {
		f := fact{"Durable after", "not seen", "all of its data"}
		if answer.Apart(p) {
			f.More = "but for what is told apart above"
		}
		if p.DurableNS >= 0 {
			f.Value = unit.Nanoseconds(p.DurableNS)
		}
		fs = append(fs, f)
	}
	if l := content.LayerOf(p, 0, "calls"); l != nil && calls {
		fs = append(fs, flowFact("Program I/O", l.Read, l.Write))
	}
	if l := busiest(p); l != nil {
		fs = append(fs, flowFact("By "+content.LayerName(l), l.Read, l.Write))
	}
	for _, l := range content.Beneath(p) {
		own := [2]profile.Flow{{Bytes: l.DirectRead}, {Bytes: l.DirectWrite}}
		fs = append(fs, flowFact("By "+content.LayerName(l)+" beneath", &own[0], &own[1]))
	}
	if len(p.Copies) == 1 && p.Copies[0].Method.Moves() && p.Copies[0].WallNS != profile.Unknown {
		f := fact{"Copy speed", unit.Speed(p.Copies[0].BytesPerS), ""}
		if d := p.Copies[0].DurableBytesPerS; d > 0 {
			f.More = unit.Speed(d) + " until on the disk"
		}
		fs = append(fs, f)
	} else if len(p.CopyGroups) == 1 && p.CopyGroups[0].WallNS != profile.Unknown {
		g := p.CopyGroups[0]
		f := fact{"Copy speed", unit.Speed(g.BytesPerS), ""}
		if g.Files > 1 {
			f.More = unit.Number(math.Round(g.FilesPerS)) + " files/s"
		}
		fs = append(fs, f)
	}
	if p.Lost.Total > 0 {
		fs = append(fs, fact{"Lost", unit.Count(int64(p.Lost.Total)), "events: marked numbers are too low"})
	}
	return fs
}

// busiest is the topmost layer of devices that moved most.
func busiest(p *profile.Profile) *profile.Layer {
	var top *profile.Layer
	for i := range p.Layers {
		l := &p.Layers[i]
		if l.Level == 1 && (top == nil || layerBytes(l) > layerBytes(top)) {
			top = l
		}
	}
	return top
}

func layerBytes(l *profile.Layer) (n int64) {
	for _, f := range []*profile.Flow{l.Read, l.Write} {
		if f != nil {
			n += f.Bytes
		}
	}
	return n
}

func exit(p *profile.Profile) string {
	switch {
	case p.Trace.Reason == "interrupted":
		return "recording was cut off"
	case len(p.Command) == 0 || p.ExitStatus == -1:
		return "recording"
	case p.Signal() > 0:
		return "ended by signal " + strconv.Itoa(p.Signal())
	}
	return "exit status " + strconv.Itoa(p.ExitStatus)
}

func flowFact(name string, read, write *profile.Flow) fact {
	f := fact{Name: name}
	switch {
	case read != nil && write != nil && read.Bytes > 0 && write.Bytes > 0:
		f.Value, f.More = unit.Bytes(read.Bytes)+" read", unit.Bytes(write.Bytes)+" written"
	case read != nil && read.Bytes > 0:
		f.Value, f.More = unit.Bytes(read.Bytes), "read, nothing written"
	case write != nil && write.Bytes > 0:
		f.Value, f.More = unit.Bytes(write.Bytes), "written, nothing read"
	default:
		f.Value, f.More = "0 B", "no data moved"
	}
	return f
}

// recording says how the numbers came about.
func recording(p *profile.Profile) []string {
	lines := []string{"Recorded by " + content.RecordedBy(p) + ".", content.RecorderCost(p)}
	lines = append(lines, content.IOLimits(p)...)
	lines = append(lines, content.MemoryLimits(p)...)
	if p.Lost.Total == 0 && p.Trace.Damaged == 0 {
		lines = append(lines, "No event was lost.")
	} else if p.Lost.Total > 0 {
		lines = append(lines, content.Lost(p)+".")
	}
	return lines
}
