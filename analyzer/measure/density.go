package measure

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
)

// Density counts events per stretch of time before it is known how long the
// recording is: when it gets longer, the stretches get wider.
type Density struct {
	Width  int64
	counts [densityBins]uint32
}

const densityBins = 8192

func (d *Density) Add(at int64) {
	i := max(at, 0) / d.Width
	for i >= densityBins {
		d.widen()
		i = max(at, 0) / d.Width
	}
	d.counts[i]++
}

func (d *Density) widen() {
	for i := range densityBins / 2 {
		d.counts[i] = d.counts[2*i] + d.counts[2*i+1]
	}
	clear(d.counts[densityBins/2:])
	d.Width *= 2
}

// denseWindows is how many stretches of a busy recording are shown in detail.
const denseWindows = 16

// Windows chooses the stretches of time in which every event is shown singly,
// so that about room events are: first where events are sparse, then short
// stretches spread over where they are dense.
func (d *Density) Windows(room int, end int64) []profile.Window {
	type stretch struct {
		index int
		count int
	}
	var list []stretch
	total := 0
	for i, n := range d.counts {
		if n > 0 {
			list = append(list, stretch{i, int(n)})
			total += int(n)
		}
	}
	if total <= room {
		return []profile.Window{{FromNS: 0, ToNS: end + 1}}
	}
	sorting.Stably(list, func(a, b stretch) int { return cmp.Compare(a.count, b.count) })
	var w []profile.Window
	sparse := room / 2
	for len(list) > 0 && list[0].count <= sparse && list[0].count <= room/denseWindows {
		w = append(w, d.stretch(list[0].index, 1))
		sparse -= list[0].count
		room -= list[0].count
		list = list[1:]
	}
	sorting.Stably(list, func(a, b stretch) int { return cmp.Compare(a.index, b.index) })
	n := min(denseWindows, len(list))
	for i := range n {
		s := list[i*len(list)/n]
		w = append(w, d.stretch(s.index, min(1, float64(room)/float64(n*s.count))))
	}
	return JoinWindows(w)
}

// stretch is the first part of one of the stretches that events are counted in.
func (d *Density) stretch(i int, part float64) profile.Window {
	from := int64(i) * d.Width
	return profile.Window{FromNS: from, ToNS: from + max(int64(float64(d.Width)*part), 1)}
}

// JoinWindows sorts windows and joins those that touch.
func JoinWindows(w []profile.Window) []profile.Window {
	sorting.Stably(w, func(a, b profile.Window) int { return cmp.Compare(a.FromNS, b.FromNS) })
	var out []profile.Window
	for _, x := range w {
		if n := len(out) - 1; n >= 0 && x.FromNS <= out[n].ToNS {
			out[n].ToNS = max(out[n].ToNS, x.ToNS)
			continue
		}
		out = append(out, x)
	}
	return out
}
