package content

import (
	"cmp"
	"path"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// An amountRow is one direction of a device, a file system or a file.
type amountRow struct {
	of, op  string
	moved   *profile.Moved
	journal bool // some of it may be one's
}

// fewAmounts is how many files the table of amounts has.
const fewAmounts = 20

// amountRows are those of devices, file systems and the files that differ most.
func amountRows(p *profile.Profile) (rows []amountRow) {
	add := func(of string, m *profile.Moved, op string, journal bool) {
		if m.Device > 0 || m.Moved > 0 {
			rows = append(rows, amountRow{visible.Text(of), op, m, journal})
		}
	}
	both := func(of string, a *profile.Amount) {
		add(of, &a.Read, "read", false)
		add(of, &a.Write, "write", p.Trace.Journals(cmp.Or(a.Device, a.Name)))
	}
	a := &p.Amounts
	for i := range a.Devices {
		both(a.Devices[i].Name, &a.Devices[i])
	}
	for i := range a.Filesystems {
		both(a.Filesystems[i].Name, &a.Filesystems[i])
	}
	for i := range a.Files {
		for _, x := range []struct {
			op string
			m  *profile.Moved
		}{{"read", &a.Files[i].Read}, {"write", &a.Files[i].Write}} {
			if x.m.Factor >= 0 && tellsFactor(x.m) && len(rows) < fewAmounts {
				add(path.Base(a.Files[i].Name), x.m, x.op, false)
			}
		}
	}
	return rows
}

// Amounts sets what calls moved against what devices did, with the reasons.
func Amounts(p *profile.Profile) *table.Table {
	t := &table.Table{ID: "amounts", Title: "Amplification",
		Note: "What devices did for what calls moved, by device, file system and file. “Per byte” leaves out what " +
			"mappings, swap, others and devices above caused."}
	if len(p.Amounts.Devices) == 0 {
		return t
	}
	rows := amountRows(p)
	bytes := table.Alike(table.Amounts, rows,
		table.Of("asked", "asked for by calls", 3, func(r amountRow) float64 { return none(r.moved.Asked) }),
		table.Of("calls", "moved by calls", 0, func(r amountRow) float64 { return none(r.moved.Moved) }),
		table.Of("device", "moved by requests", 0, func(r amountRow) float64 { return none(r.moved.Device) }))
	why := table.Labels("why", rows, func(r amountRow) string { return amountReasons(&r) })
	why.Prose = true
	return t.Fill(
		table.Words("of", "device, file system or file", 0, rows, func(r amountRow) string { return r.of }),
		table.Words("op", "", 0, rows, func(r amountRow) string { return r.op }),
		bytes[0], bytes[1], bytes[2],
		table.Numbers("per byte", "bytes of requests for each byte that calls moved", 1, table.Plain, rows,
			func(r amountRow) float64 { return r.moved.Factor }),
		why,
	)
}

// AmountLines is the table of amounts as sentences: a terminal has no room for the reasons.
func AmountLines(p *profile.Profile) (lines []string) {
	for _, r := range amountRows(p) {
		line := visible.Shorten(r.of, 40) + " " + r.op + ": " + unit.Bytes(r.moved.Device) + " for " +
			unit.Bytes(r.moved.Moved)
		if tellsFactor(r.moved) && r.moved.Factor > 0 {
			line += ", " + unit.Significant(r.moved.Factor, 3) + " for each byte"
		}
		if why := amountReasons(&r); why != "" {
			line += ": " + why
		}
		lines = append(lines, line)
	}
	for i := range p.Amounts.Devices {
		if a := &p.Amounts.Devices[i]; a.Discarded > 0 {
			lines = append(lines, visible.Text(a.Name)+" discard: told of "+unit.Bytes(a.Discarded)+" that they are free")
		}
	}
	return lines
}

// leastPart is the share of what a device did, or calls moved, that a reason has to make to be told of.
const leastPart = 0.005

// amountReasons are the reasons in words, with a minus where requests were spared. What belongs to others is an
// estimate where a journal has changes of them and of the workload.
func amountReasons(r *amountRow) string {
	m := r.moved
	var words []string
	for i, list := range [][]profile.Part{m.Reasons, m.Spared} {
		for _, part := range list {
			name := wording.Reason(part.Code, r.journal)
			if name == "" || float64(part.Bytes) < leastPart*float64(max(m.Device, m.Moved)) {
				continue
			}
			sign := "+"
			switch {
			case i == 1:
				sign = "−"
			case m.Shared > 0 && (part.Code == profile.ByOther || part.Code == profile.Metadata):
				sign = "≈"
			}
			words = append(words, name+" "+sign+unit.Bytes(part.Bytes))
		}
	}
	return strings.Join(words, ", ")
}

// Amplification is worth telling from leastFactor either way, of leastAmount and more.
const (
	leastFactor = 1.05
	leastAmount = 64 << 10
)

// tellsFactor reports whether devices did other than calls.
func tellsFactor(m *profile.Moved) bool {
	did := int64(m.Factor * float64(m.Moved))
	return m.Factor >= 0 && max(did, m.Moved) >= leastAmount && (m.Factor > leastFactor || m.Factor < 1/leastFactor)
}

// factorOf is how many bytes a device did for each that calls moved, where that is not one; -1 otherwise.
func factorOf(p *profile.Profile, device, op string) float64 {
	for i := range p.Amounts.Devices {
		a := &p.Amounts.Devices[i]
		if a.Name != device {
			continue
		}
		m := &a.Read
		if op == "write" {
			m = &a.Write
		}
		if tellsFactor(m) {
			return m.Factor
		}
	}
	return -1
}
