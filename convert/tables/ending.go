package tables

import (
	"strings"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// What is known of a trace when it was read to its end.

// version is that of the tables. New columns do not change it.
const version = 1

// copies are the rows of the copies that the analyzer found.
func (f *filler) copies(p *profile.Profile) []copyRow {
	rows := make([]copyRow, len(p.Copies))
	for i := range p.Copies {
		c, r := &p.Copies[i], &rows[i]
		*r = copyRow{Trace: f.trace, Method: string(c.Method), Source: utf8(c.Source), Destination: utf8(c.Destination),
			Certainty: c.Certainty, Evidence: c.Evidence, Via: utf8(c.Via), Interrupted: c.Interrupted,
			Threads: int32(c.Threads), Start: c.StartNS, Wall: unless(&c.WallNS, profile.Unknown),
			Durable:   unless(&c.DurableNS, profile.Unknown),
			BytesPerS: unless(&c.BytesPerS, profile.Unknown), Buffer: c.BufferBytes,
			ReadDepth: depth(c.Read), WriteDepth: depth(c.Write)}
		if !c.SizeUnknown {
			r.Bytes, r.SourceSize = &c.Bytes, &c.SourceSize
		}
		r.Serial, r.Overlapped, r.OneCall = bound(c, "serial"), bound(c, "overlapped"), bound(c, "little")
	}
	return rows
}

// bound is the rate that a model allows for a copy.
func bound(c *profile.Copy, code string) *int64 {
	for i := range c.Bounds {
		if b := &c.Bounds[i]; b.Code == code {
			return &b.Rate
		}
	}
	return nil
}

// causes are the rows of what held the workload back.
func (f *filler) causes(p *profile.Profile) []causeRow {
	rows := make([]causeRow, len(p.Verdict.Causes))
	for i, c := range p.Verdict.Causes {
		rows[i] = causeRow{Trace: f.trace, Cause: c.Code, Time: c.TimeNS, Share: c.Share, Certainty: c.Certainty}
	}
	return rows
}

// amounts are the rows of what devices did for what calls moved.
func (f *filler) amounts(p *profile.Profile) (rows []amountRow) {
	for _, of := range []struct {
		scope string
		list  []profile.Amount
	}{{"device", p.Amounts.Devices}, {"filesystem", p.Amounts.Filesystems}, {"file", p.Amounts.Files}} {
		for i := range of.list {
			a := &of.list[i]
			row := amountRow{Trace: f.trace, Scope: of.scope, Name: utf8(a.Name), Device: utf8(a.Device)}
			if of.scope == "device" {
				row.Device = row.Name
			}
			rows = direction(direction(rows, row, "read", &a.Read), row, "write", &a.Write)
		}
	}
	return rows
}

// direction adds the rows of one direction; what there is nothing of has none.
func direction(rows []amountRow, row amountRow, op string, m *profile.Moved) []amountRow {
	row.Op = op
	add := func(kind, reason string, bytes int64) {
		if bytes > 0 {
			row.Kind, row.Reason, row.Bytes = kind, reason, bytes
			rows = append(rows, row)
		}
	}
	add("asked", "", m.Asked)
	add("moved", "", m.Moved)
	for _, part := range m.Reasons {
		add("reason", part.Code, part.Bytes)
	}
	for _, part := range m.Spared {
		add("spared", part.Code, part.Bytes)
	}
	return rows
}

// depth is how many operations were in flight on average while any was.
func depth(f *profile.Flow) *float64 {
	if f == nil || f.Depth.BusyNS == 0 {
		return nil
	}
	return &f.Depth.MeanBusy
}

// trailer is the row of a trace that was read to its end.
func (f *filler) trailer(r *tracefile.Reader, events int64, digest string) traceRow {
	h := f.header
	row := traceRow{Trace: f.trace, Schema: version, Tool: utf8(h.Tool), Backend: utf8(h.Backend), OS: utf8(h.OS),
		Kernel: utf8(h.Kernel), Arch: utf8(h.Arch), HostName: utf8(h.Host), WallStart: unless(&h.WallStart, time.Time{}),
		CPUs: int32(h.CPUs), Memory: h.Memory, Command: utf8(visible.Command(h.Command)), Dir: utf8(h.Dir),
		Scope: utf8(h.Scope), UID: h.UID, Limits: limits(h), Damaged: int32(len(r.Damage())), Events: events,
		SHA256: digest}
	end, complete := r.End()
	if !complete {
		return row
	}
	code := int32(end.ExitCode)
	row.Complete, row.Reason, row.Duration = true, utf8(end.Reason), &end.Duration
	row.CommandEnd, row.Durable, row.ExitCode = unless(&end.CommandEnd, -1), unless(&end.Durable, -1), unless(&code, -1)
	row.ProbeCPU, row.ReaderCPU = &end.Recorder.ProbeCPU, &end.Recorder.ReaderCPU
	for _, n := range end.Lost {
		row.Lost += int64(n)
	}
	return row
}

func limits(h trace.Header) string {
	var all []string
	for _, l := range h.Limits {
		all = append(all, utf8(string(l.Code)))
	}
	return strings.Join(all, ",")
}
