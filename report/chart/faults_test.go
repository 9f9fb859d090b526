package chart

import (
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// However many copies there are, the lane reaches from the first to the last.
func TestLaneOfManyCopies(t *testing.T) {
	for _, n := range []int{1, 999, 1000, 1001, 5003} {
		p := &profile.Profile{}
		for i := range n {
			p.Copies = append(p.Copies, profile.Copy{StartNS: int64(i) * 100, WallNS: 50, Destination: "x"})
		}
		var spans int
		l, any := copyLane(p, 0, func(string) int64 { spans++; return int64(spans) })
		if !any || spans > maxCopy || spans < min(n, maxCopy)/2 {
			t.Errorf("%d copies are %d spans", n, spans)
		}
		starts, lengths := varints(t, l.Items.Start, true), varints(t, l.Items.Dur, false)
		if end := starts[len(starts)-1] + lengths[len(lengths)-1]; starts[0] != 0 || end != int64(n-1)*100+50 {
			t.Errorf("%d copies reach from %d to %d", n, starts[0], end)
		}
	}
}

// A direction in which nothing ended has neither sizes nor times to tell.
func TestNothingIsToldOfNothing(t *testing.T) {
	p := load(t, "copy")
	for i := range p.Charts.Series {
		s := &p.Charts.Series[i]
		if s.Direction == "write" {
			clear(s.SizeP50)
			clear(s.SizeP90)
			clear(s.LatMax)
		}
	}
	for _, g := range placeSection(p).Groups {
		for _, c := range g.Charts {
			if strings.Contains(c.Summary, "at most 0 ") || strings.Contains(c.Summary, "slowest 0") {
				t.Error(c.Summary)
			}
		}
	}
}

// Losses that change no picture are not drawn across it.
func TestFewLossesAreNoBand(t *testing.T) {
	for lost, drawn := range map[uint64]int{6: 0, 6_000_000: 1} {
		p := load(t, "copy")
		end := p.Charts.Timeline.EndNS
		p.Lost = profile.Lost{Total: lost, Slices: []profile.LostSlice{{FromNS: 0, ToNS: end, Count: lost, Kind: "syscall"}}}
		p.Charts.Timeline.Marks = []profile.Marker{{FromNS: 0, ToNS: end, Kind: "lost"}}
		if got := len(Draw(p).Data.Marks); got != drawn {
			t.Errorf("%d lost events are %d bands", lost, got)
		}
	}
}

// A stretch is drawn as one of losses from a twentieth of its events on.
func TestLossesOfATwentieth(t *testing.T) {
	p := load(t, "copy")
	end := p.Charts.Timeline.EndNS
	var seen uint64
	for i := range p.Charts.Timeline.Lanes {
		if l := &p.Charts.Timeline.Lanes[i]; l.Kind != "file" {
			for k, at := range l.Tiles.At {
				if at*p.Charts.Timeline.TileNS < end {
					seen += uint64(l.Tiles.Count[k])
				}
			}
		}
	}
	p.Charts.Timeline.Marks = []profile.Marker{{FromNS: 0, ToNS: end, Kind: "lost"}}
	for lost, drawn := range map[uint64]int{seen / 20: 0, seen/19 + 1: 1} {
		p.Lost = profile.Lost{Total: lost, Slices: []profile.LostSlice{{FromNS: 0, ToNS: end, Count: lost, Kind: "syscall"}}}
		if got := len(Draw(p).Data.Marks); got != drawn || seen == 0 {
			t.Errorf("%d lost events beside %d are %d bands, want %d", lost, seen, got, drawn)
		}
	}
}

// A second of 190 in which half was lost is drawn, and it alone: neither the second beside it, nor all of the time,
// of which less than a hundredth was lost at no known moment. That says nothing of the second either.
func TestLossesOfAShortSlice(t *testing.T) {
	const second, each = 1_000_000_000, 1000
	lane := profile.Lane{Kind: "thread"}
	for at := range int64(190) {
		lane.Tiles.At, lane.Tiles.Count = append(lane.Tiles.At, at), append(lane.Tiles.Count, each)
	}
	none := make([]int64, len(lane.Tiles.At))
	lane.Tiles.Busy, lane.Tiles.Wait, lane.Tiles.Lead, lane.Tiles.Max = none, none, none, none
	lane.Tiles.Read, lane.Tiles.Write, lane.Tiles.What = none, none, make([]int, len(none))
	whole := profile.LostSlice{ToNS: 190 * second, Count: 1140, Kind: "syscall"}
	short := profile.LostSlice{FromNS: 100 * second, ToNS: 101 * second, Count: each, Kind: "syscall"}
	beside := profile.LostSlice{FromNS: 101 * second, ToNS: 102 * second, Count: each / 100, Kind: "syscall"}
	after := profile.LostSlice{FromNS: 101 * second, ToNS: 102 * second, Count: each / 10, Kind: "syscall"}
	dense := mark{100 * second, 101 * second, "lost", "1,000 syscall events lost"}
	for _, test := range []struct {
		name  string
		lost  []profile.LostSlice
		bands []mark
	}{
		{"the whole time", []profile.LostSlice{whole}, nil},
		{"a short slice", []profile.LostSlice{short}, []mark{dense}},
		{"a little in a short slice", []profile.LostSlice{beside}, nil},
		{"a little in a short slice of the whole time", []profile.LostSlice{whole, beside}, nil},
		{"all of them", []profile.LostSlice{whole, short, beside}, []mark{dense}},
		{"two that touch", []profile.LostSlice{short, after},
			[]mark{{100 * second, 102 * second, "lost", "1,100 syscall events lost"}}},
		{"of two kinds", []profile.LostSlice{short, {FromNS: short.FromNS, ToNS: short.ToNS, Count: 1, Kind: "wait"}},
			[]mark{{100 * second, 101 * second, "lost", "1,000 syscall events and 1 wait event lost"}}},
		{"an instant", []profile.LostSlice{{FromNS: 5, ToNS: 5, Count: 9, Kind: "request"}},
			[]mark{{5, 5, "lost", "9 request events lost"}}},
	} {
		line := profile.Timeline{EndNS: 190 * second, TileNS: second, What: []string{"read"}, Lanes: []profile.Lane{lane}}
		for _, l := range test.lost {
			line.Marks = append(line.Marks, profile.Marker{FromNS: l.FromNS, ToNS: l.ToNS, Kind: "lost"})
		}
		p := &profile.Profile{Lost: profile.Lost{Slices: test.lost},
			Charts: &profile.Charts{Bins: 1, BinNS: 190 * second, Timeline: line}}
		if got := Draw(p).Data.Marks; !slices.Equal(got, test.bands) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.bands)
		}
	}
}

// Where in libraries a program read is drawn only if there is nothing else.
func TestOffsetsOfItsOwnFiles(t *testing.T) {
	library, own := "/usr/lib/x86_64-linux-gnu/libpcre2-8.so.0.11.2", "/srv/big"
	for _, test := range []struct {
		files []string
		want  string
	}{{[]string{library, own}, own}, {[]string{library}, library}} {
		p := &profile.Profile{Charts: &profile.Charts{}}
		for _, f := range test.files {
			p.Charts.Offsets = append(p.Charts.Offsets, profile.Offsets{File: f, BinNS: 1, RowBytes: 1, Rows: 1})
		}
		if s := offsetSection(p); len(s.Groups) != 1 || s.Groups[0].Name != test.want {
			t.Errorf("of %v are drawn %+v, want %s alone", test.files, s.Groups, test.want)
		}
	}
}
