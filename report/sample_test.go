package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// A simulation makes profiles that look like real ones: events of a workload
// that never ran, aggregated the way a profile is. It exists so that reports
// are tested on many shapes of profile without a recording; the numbers need
// only be consistent with each other.
type simulation struct {
	end   int64
	lanes map[string][]simEvent
	order []string
}

type simEvent struct {
	start, dur, bytes, offset int64
	what                      string // as in profile.Timeline.What
	write, call               bool
	file                      int
}

func (s *simulation) add(lane string, e simEvent) {
	if s.lanes == nil {
		s.lanes = map[string][]simEvent{}
	}
	if _, known := s.lanes[lane]; !known {
		s.order = append(s.order, lane)
	}
	s.lanes[lane] = append(s.lanes[lane], e)
	s.end = max(s.end, e.start+e.dur)
}

// simulateCopy is a copy of one file from one device to another by 128 KiB
// reads and writes. The target takes data fast until its cache is full, then
// slowly, and the writer is throttled.
func simulateCopy(total int64, seed uint64) (s *simulation, exit int64) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	jitter := func(mean float64) int64 { return int64(mean * math.Exp(rnd.NormFloat64()*0.25)) }
	s = &simulation{}
	const call, readahead, request = 128 << 10, 512 << 10, 1 << 20
	now, dirty, flushed := int64(4e6), int64(0), int64(0)
	var device int64 = now
	for at := int64(0); at < total; at += call {
		read := jitter(22e3)
		if at%readahead == 0 {
			lat := jitter(310e3)
			s.add("device nvme0n1", simEvent{now + 9e3, lat, readahead, at + 1<<33, "request read", false, false, 0})
			read += lat
		}
		s.add("thread cp", simEvent{now, read, call, at, "read", false, true, 0})
		now += read + jitter(1.5e3)
		write := jitter(38e3)
		if dirty-flushed > 96<<20 {
			wait := jitter(4.5e6)
			s.add("waits", simEvent{start: now + 1e3, dur: wait, what: "wait throttle", file: -1})
			write += wait
		}
		s.add("thread cp", simEvent{now, write, call, at, "write", true, true, 1})
		now += write + jitter(1.5e3)
		if dirty += call; dirty%request == 0 {
			rate := 2.1e9
			if dirty > total*6/10 {
				rate = 0.62e9
			}
			lat := jitter(float64(request) / rate * 1e9 * 4)
			start := max(device, now)
			device = start + lat/4
			flushed = dirty - max(0, int64(float64(device-now)*rate/1e9))
			s.add("device sdb", simEvent{start, lat, request, dirty - request + 1<<30, "request write", true, false, 1})
		}
	}
	exit = now + 3e5
	s.add("device sdb", simEvent{device + 2e6, 9e6, 0, -1, "request flush", true, false, -1})
	s.end += 1e6
	return s, exit
}

func simDist(values []int64) profile.Dist {
	if len(values) == 0 {
		return profile.Dist{}
	}
	v := slices.Sorted(slices.Values(values))
	q := func(p float64) int64 { return v[min(len(v)-1, int(p*float64(len(v))))] }
	d := profile.Dist{Count: int64(len(v)), Min: v[0], P10: q(.1), P50: q(.5), P90: q(.9), P99: q(.99), P999: q(.999),
		Max: v[len(v)-1]}
	counts, bins := map[int64]int64{}, map[int]int64{}
	for _, x := range v {
		d.Sum += x
		counts[x]++
		bins[simOctave(x)]++
	}
	for _, b := range sortedKeys(bins) {
		d.Bins = append(d.Bins, profile.Bin{From: simEdge(b), To: simEdge(b + 1), Count: bins[b]})
	}
	if len(counts) < 16 {
		for _, x := range sortedKeys(counts) {
			d.Top = append(d.Top, profile.Value{Value: x, Count: counts[x]})
		}
	}
	return d
}

func sortedKeys[K int | int64, V any](m map[K]V) []K {
	var keys []K
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// simOctave and simEdge place values in bins, four per octave.
func simOctave(x int64) int {
	if x < 1 {
		return -1
	}
	return int(math.Floor(math.Log2(float64(x)) * 4))
}

func simEdge(b int) int64 {
	if b < 0 {
		return 0
	}
	return int64(math.Ceil(math.Exp2(float64(b) / 4)))
}

func (s *simulation) flow(events []simEvent, write bool, data bool) *profile.Flow {
	f := &profile.Flow{FirstNS: -1}
	var sizes, lats []int64
	var edges [][2]int64
	for _, e := range events {
		if e.write != write || (e.bytes == 0) == data {
			continue
		}
		if f.Count++; f.FirstNS < 0 {
			f.FirstNS = e.start
		}
		f.Bytes += e.bytes
		f.LastNS = max(f.LastNS, e.start+e.dur)
		sizes, lats = append(sizes, e.bytes), append(lats, e.dur)
		edges = append(edges, [2]int64{e.start, 1}, [2]int64{e.start + e.dur, -1})
	}
	if f.Count == 0 {
		return nil
	}
	f.Size, f.Latency, f.Depth = simDist(sizes), simDist(lats), simDepth(edges, s.end)
	return f
}

func simDepth(edges [][2]int64, end int64) profile.Depth {
	slices.SortStableFunc(edges, func(a, b [2]int64) int { return int(a[0] - b[0]) })
	var d profile.Depth
	var depth, sum int64
	for i, e := range edges {
		if i > 0 && depth > 0 {
			d.BusyNS += e[0] - edges[i-1][0]
			sum += depth * (e[0] - edges[i-1][0])
		}
		depth += e[1]
		d.Max = max(d.Max, int(depth))
	}
	d.MeanWall, d.MeanBusy = float64(sum)/float64(end), float64(sum)/float64(d.BusyNS)
	return d
}

// spread adds the part of [start, start+dur) that lies in each slot of width.
func spread(start, dur, width int64, slots int, add func(slot int, ns int64)) {
	for i := start / width; i <= (start+dur-1)/width && i < int64(slots); i++ {
		from, to := max(start, i*width), min(start+dur, (i+1)*width)
		add(int(i), to-from)
	}
}

// charts aggregates the simulation as the analyzer would.
func (s *simulation) charts(bins, tiles int) *profile.Charts {
	c := &profile.Charts{Bins: bins, BinNS: s.end/int64(bins) + 1}
	for _, lane := range s.order {
		for _, write := range []bool{false, true} {
			s.series(c, lane, write)
		}
	}
	c.Pipeline = simPipeline(c)
	c.Timeline = s.timeline(tiles)
	c.Offsets = []profile.Offsets{simOffsets(c.Timeline.EndNS)}
	return c
}

// simPipeline is what the curves tell of the only copy.
func simPipeline(c *profile.Charts) *profile.Pipeline {
	p := &profile.Pipeline{BinNS: c.BinNS, Read: make([]int64, c.Bins), Copied: make([]int64, c.Bins),
		Written: make([]int64, c.Bins), ReadFrom: []string{"nvme0n1"}, WrittenTo: []string{"sdb"}}
	for i := range c.Series {
		x, to := &c.Series[i], p.Read
		switch {
		case x.Direction == "write" && x.Layer == "calls":
			to = p.Copied
		case x.Direction == "write":
			to = p.Written
		case x.Layer == "calls":
			continue
		}
		for k, n := range x.Bytes {
			to[k] += n
		}
	}
	return p
}

// simOffsets is a file that is written from end to end, and jumped about in meanwhile.
func simOffsets(end int64) profile.Offsets {
	o := profile.Offsets{File: "/mnt/ext/big.gguf", BinNS: end/60 + 1, RowBytes: 16 << 20, Rows: 60}
	for i := range int64(60) {
		o.Cells = append(o.Cells, profile.Touch{i, i, profile.TouchWrite, 16 << 20}, profile.Touch{i, i * 37 % 60,
			profile.TouchRead, 4096})
	}
	return o
}

func (s *simulation) series(c *profile.Charts, lane string, write bool) {
	n := c.Bins
	r := profile.Series{
		Direction: map[bool]string{false: "read", true: "write"}[write], Layer: "calls",
		Bytes: make([]int64, n), Ops: make([]int64, n), Depth: make([]float64, n), SizeP50: make([]int64, n),
		SizeP90: make([]int64, n), LatP50: make([]int64, n), LatP99: make([]int64, n), LatMax: make([]int64, n),
	}
	if device, is := cutLane(lane, "device "); is {
		r.Layer, r.Device, r.Level = "requests", device, 1
	}
	sizes, lats := make([][]int64, n), make([][]int64, n)
	heat := map[string]map[[2]int]int64{"latency_ns": {}, "size_bytes": {}}
	any := false
	for _, e := range s.lanes[lane] {
		if e.write != write || e.bytes == 0 {
			continue
		}
		any = true
		at := int((e.start + e.dur - 1) / c.BinNS)
		r.Ops[at]++
		sizes[at], lats[at] = append(sizes[at], e.bytes), append(lats[at], e.dur)
		heat["latency_ns"][[2]int{at, simOctave(e.dur)}]++
		heat["size_bytes"][[2]int{at, simOctave(e.bytes)}]++
		spread(e.start, e.dur, c.BinNS, n, func(i int, ns int64) {
			r.Bytes[i] += e.bytes * ns / e.dur
			r.Depth[i] += float64(ns) / float64(c.BinNS)
		})
	}
	if !any {
		return
	}
	for i := range n {
		l, z := simDist(lats[i]), simDist(sizes[i])
		r.LatP50[i], r.LatP99[i], r.LatMax[i], r.SizeP50[i], r.SizeP90[i] = l.P50, l.P99, l.Max, z.P50, z.P90
	}
	c.Series = append(c.Series, r)
	for _, q := range []string{"latency_ns", "size_bytes"} {
		c.Heatmaps = append(c.Heatmaps, simHeat(r, q, heat[q]))
	}
}

func cutLane(lane, kind string) (string, bool) {
	if len(lane) > len(kind) && lane[:len(kind)] == kind {
		return lane[len(kind):], true
	}
	return lane, false
}

func simHeat(r profile.Series, quantity string, counts map[[2]int]int64) profile.Heat {
	h := profile.Heat{Quantity: quantity, Layer: r.Layer, Device: r.Device, Direction: r.Direction}
	low, high := math.MaxInt, -1
	var keys [][2]int
	for k := range counts {
		low, high = min(low, k[1]), max(high, k[1])
		keys = append(keys, k)
	}
	for b := low; b <= high; b++ {
		h.Rows = append(h.Rows, simEdge(b))
	}
	slices.SortFunc(keys, func(a, b [2]int) int { return (a[0]-b[0])*1000 + a[1] - b[1] })
	for _, k := range keys {
		h.Cells = append(h.Cells, profile.Cell{int64(k[0]), int64(k[1] - low), counts[k]})
	}
	return h
}

func (s *simulation) timeline(tiles int) profile.Timeline {
	t := simTimeline{}
	t.Timeline = profile.Timeline{EndNS: s.end, Tiles: tiles, TileNS: s.end/int64(tiles) + 1}
	t.Detail = []profile.Window{{FromNS: 0, ToNS: s.end / 12}, {FromNS: s.end / 2, ToNS: s.end * 7 / 12}}
	for _, name := range s.order {
		l := profile.Lane{Kind: "thread", Name: name, PID: 4242, TID: 4242}
		if device, is := cutLane(name, "device "); is {
			l = profile.Lane{Kind: "device", Name: device}
		}
		l.Tiles = simTiles(s.lanes[name], t.Timeline)
		for _, e := range s.lanes[name] {
			if !slices.ContainsFunc(t.Detail, func(w profile.Window) bool {
				return e.start < w.ToNS && e.start+e.dur > w.FromNS
			}) {
				continue
			}
			l.Items.Start = append(l.Items.Start, e.start)
			l.Items.Dur = append(l.Items.Dur, e.dur)
			l.Items.What = append(l.Items.What, t.index(e.what))
			l.Items.Bytes = append(l.Items.Bytes, e.bytes)
			l.Items.Offset = append(l.Items.Offset, e.offset)
			l.Items.File = append(l.Items.File, e.file)
		}
		t.Lanes = append(t.Lanes, l)
	}
	return t.Timeline
}

type simTimeline struct{ profile.Timeline }

func (t *simTimeline) index(what string) int {
	i := slices.Index(t.What, what)
	if i < 0 {
		i, t.What = len(t.What), append(t.What, what)
	}
	return i
}

func simTiles(events []simEvent, t profile.Timeline) profile.Tiles {
	type tile struct{ count, busy, read, write, longest int64 }
	tiles := map[int64]*tile{}
	get := func(i int64) *tile {
		if tiles[i] == nil {
			tiles[i] = &tile{}
		}
		return tiles[i]
	}
	for _, e := range events {
		b := get(e.start / t.TileNS)
		b.count++
		b.longest = max(b.longest, e.dur)
		if e.write {
			b.write += e.bytes
		} else {
			b.read += e.bytes
		}
		spread(e.start, e.dur, t.TileNS, t.Tiles, func(i int, ns int64) { get(int64(i)).busy += ns })
	}
	var out profile.Tiles
	for _, i := range sortedKeys(tiles) {
		b := tiles[i]
		out.At, out.Count, out.Busy = append(out.At, i), append(out.Count, b.count), append(out.Busy, b.busy)
		out.Read, out.Write, out.Max = append(out.Read, b.read), append(out.Write, b.write), append(out.Max, b.longest)
	}
	return out
}

var simStart = time.Date(2026, 11, 20, 9, 41, 7, 0, time.UTC)
