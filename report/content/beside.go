package content

import (
	"strings"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// asked is what calls, or the requests that a drive was given, ask for in one direction; -1 is not known.
type asked struct {
	who, of            string
	block              float64 // half of the bytes are in operations of at most this size
	share, depth, most float64 // of the bytes in operations of this size
	rate               float64
}

// Beside sets the block sizes and queue depths of a workload beside those of a benchmark, in each direction of the
// benchmark: of calls, and of the drive that moved most.
func Beside(p *profile.Profile, b *gap.Reference) *table.Table {
	name := visible.Shorten(visible.Line(b.Name), longestName)
	t := &table.Table{ID: "benchmark", Title: "Beside a benchmark",
		Note: strings.Join(append([]string{halfOfBytes}, b.Warnings...), " ")}
	var rows []asked
	for _, write := range []bool{false, true} {
		if write && !b.Setting.Write || !write && !b.Setting.Read {
			continue
		}
		rows = append(rows, ofCalls(p, write), ofStep(b, name, write))
		if d := wording.Busiest(p, write); d != nil {
			x := ofFlow(p, d.Flow, verb(write)+" at "+visible.Text(d.Name))
			x.rate = none(wording.DiskRate(d.Flow))
			rows = append(rows, x)
			if x, ok := ofRequests(b, name, write); ok {
				rows = append(rows, x)
			}
		}
	}
	depth := table.Alike(table.Plain, rows,
		table.Of("queue depth", "operations in flight while there was one", 0, func(x asked) float64 { return x.depth }),
		table.Of("most", "in flight; of a benchmark as many as it is to keep", 0, func(x asked) float64 { return x.most }))
	return t.Fill(
		table.Labels("of", rows, func(x asked) string { return x.who }),
		table.Phrases("operations", "", 0, rows, func(x asked) string { return x.of }),
		table.Numbers("size", "half of the bytes move in operations of at most this", 0, table.Sizes, rows,
			func(x asked) float64 { return x.block }),
		table.Numbers("share", "of the bytes, in operations of exactly this size", 0, table.Shares, rows,
			func(x asked) float64 { return x.share }),
		depth[0], depth[1],
		table.Numbers("", "bytes over the time to return; of a drive over the time it was busy", 0, table.Rates, rows,
			func(x asked) float64 { return x.rate }),
	)
}

const halfOfBytes = "Half of the bytes move in operations of at most this size; the share of them in exactly it."

// longestName is what the name of a benchmark may take of a title.
const longestName = 60

// workload names the recording in a row.
const workload = "this workload"

func verb(write bool) string {
	if write {
		return "writes"
	}
	return "reads"
}

func ofCalls(p *profile.Profile, write bool) asked {
	var f *profile.Flow
	if l := LayerOf(p, 0, "calls"); l != nil {
		if f = l.Read; write {
			f = l.Write
		}
	}
	x := ofFlow(p, f, verb(write)+" by calls")
	if f != nil && p.WallNS > 0 {
		x.rate = none(int64(float64(f.Bytes) / float64(p.WallNS) * 1e9))
	}
	return x
}

// ofFlow is what a flow tells of sizes and depth; nothing if there was none.
func ofFlow(p *profile.Profile, f *profile.Flow, of string) asked {
	x := asked{workload, of, -1, -1, -1, -1, -1}
	if f == nil || f.Bytes == 0 {
		return x
	}
	x.block = none(f.Size.ByBytes)
	for _, v := range f.Size.Top {
		if v.Value == f.Size.ByBytes {
			x.share = float64(v.Count*v.Value) / float64(f.Bytes)
		}
	}
	if p.Trace.TellsDepth(f.Depth.BusyNS > 0) && f.Depth.BusyNS > 0 {
		x.depth, x.most = f.Depth.MeanBusy, float64(f.Depth.Max)
	}
	return x
}

// ofStep is what a benchmark asks for, and what of it was reached where it was run.
func ofStep(b *gap.Reference, name string, write bool) asked {
	x := asked{name, verb(write) + " by calls", none(b.Setting.Block), 1, float64(b.Setting.Depth),
		float64(b.Setting.Depth), none(int64(speedOf(b, write)))}
	if b.Setting.InKernel {
		x.block, x.share = -1, -1
	}
	if b.Result != nil && b.Result.Depth.Achieved > 0 {
		x.depth = b.Result.Depth.Achieved
	}
	return x
}

// speedOf is the rate of a benchmark in a direction, 0 if it is not known.
func speedOf(b *gap.Reference, write bool) float64 {
	switch {
	case b.Setting.Read && b.Setting.Write:
		return b.Speed.Copy.Value
	case write:
		return b.Speed.Write.Value
	}
	return b.Speed.Read.Value
}

// ofRequests is what the drive was given by the benchmark, if its runs were recorded.
func ofRequests(b *gap.Reference, name string, write bool) (asked, bool) {
	x := asked{who: name, most: -1}
	if b.Result == nil || b.Setting.Read && b.Setting.Write {
		return x, false
	}
	var bytes, busy, runs int64
	sizes := map[int64]int64{}
	for i := range b.Result.Runs {
		r := b.Result.Runs[i].Requests
		if r == nil || !b.Result.Runs[i].Counted {
			continue
		}
		x.of = verb(write) + " at " + visible.Text(r.Device)
		bytes, busy, runs = bytes+r.ReadBytes+r.WriteBytes, busy+r.BusyNS, runs+1
		x.depth += r.MeanDepth
		for _, s := range r.Sizes {
			sizes[s.Bytes] += s.Count
		}
	}
	var most, moved int64 // the size that moved most, and what it moved
	for size, n := range sizes {
		if n*size > moved || n*size == moved && size > most {
			most, moved = size, n*size
		}
	}
	if runs == 0 || moved == 0 {
		return x, false
	}
	x.block, x.share = float64(most), float64(moved)/float64(max(bytes, 1))
	x.depth, x.rate = x.depth/float64(runs), none(int64(float64(bytes)/float64(max(busy, 1))*1e9))
	return x, true
}
