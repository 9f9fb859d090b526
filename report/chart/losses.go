package chart

import (
	"maps"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// muchLost is the share of the events of a stretch from which on their loss changes a picture.
const muchLost = 0.05

// lossBands are the stretches in which so much was lost that pictures of them mislead. Those that touch are one.
func lossBands(p *profile.Profile) (bands []mark) {
	began := eventsByTile(&p.Charts.Timeline)
	var counts map[string]uint64 // events of the last band
	for i := range p.Lost.Slices {
		s := &p.Lost.Slices[i]
		lost := lostWithin(p.Lost.Slices, s)
		if lost <= muchLost*(lost+began.within(s.FromNS, s.ToNS)) {
			continue
		}
		n := len(bands) - 1
		if n < 0 || bands[n].To < s.FromNS {
			n, counts = n+1, map[string]uint64{}
			bands = append(bands, mark{From: s.FromNS, Kind: "lost"})
		}
		bands[n].To = max(bands[n].To, s.ToNS)
		counts[s.Kind] += s.Count
		bands[n].Text = lostText(counts)
	}
	return bands
}

// lostText says how many events of each kind were lost.
func lostText(counts map[string]uint64) string {
	var list []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, unit.Things(int64(counts[kind]), visible.Text(kind)+" event"))
	}
	return unit.List(list) + " lost"
}

// lostWithin is how many events were lost in the time of a slice, as if those of each slice were spread evenly over it.
func lostWithin(all []profile.LostSlice, s *profile.LostSlice) (lost float64) {
	for i := range all {
		o := &all[i]
		lost += float64(o.Count) * overlap(o.FromNS, o.ToNS, s.FromNS, s.ToNS)
	}
	return lost
}

// tiled is how many events began in each tile of a timeline that any began in.
type tiled struct {
	width  int64
	at     []int64 // ascending
	counts map[int64]int64
}

// eventsByTile counts no events of files: those are the ones of threads.
func eventsByTile(t *profile.Timeline) tiled {
	counts := map[int64]int64{}
	for i := range t.Lanes {
		if l := &t.Lanes[i]; l.Kind != "file" {
			for k, at := range l.Tiles.At {
				counts[at] += l.Tiles.Count[k]
			}
		}
	}
	return tiled{max(t.TileNS, 1), slices.Sorted(maps.Keys(counts)), counts}
}

// within is how many events began in a stretch, as if those of a tile were spread evenly over it.
func (t *tiled) within(from, to int64) (n float64) {
	first, _ := slices.BinarySearch(t.at, from/t.width)
	for _, at := range t.at[first:] {
		if at*t.width > to {
			break
		}
		n += float64(t.counts[at]) * overlap(at*t.width, (at+1)*t.width, from, to)
	}
	return n
}

// overlap is the part of a stretch that lies within another one; that of an instant is all or nothing.
func overlap(from, to, first, last int64) float64 {
	to, last = max(to, from+1), max(last, first+1)
	return float64(max(min(to, last)-max(from, first), 0)) / float64(to-from)
}
