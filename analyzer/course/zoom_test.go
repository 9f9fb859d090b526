package course

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
)

// TestFinerCurvesAgree draws operations and compares each finer level with the
// plain curve over bins of the same width.
func TestFinerCurvesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const end = 10_000_000
		type op struct{ start, end, bytes int64 }
		ops := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) op {
			start := rapid.Int64Range(0, end).Draw(t, "start")
			return op{start, rapid.Int64Range(start, end).Draw(t, "end"), rapid.Int64Range(0, 1<<22).Draw(t, "bytes")}
		}), 0, 40).Draw(t, "ops")
		slices.SortFunc(ops, func(a, b op) int { return int(a.start - b.start) })
		detail := []profile.Window{{FromNS: rapid.Int64Range(0, end/2).Draw(t, "from"),
			ToNS: rapid.Int64Range(end/2, end+1).Draw(t, "to")}}
		windowsOnly := rapid.Bool().Draw(t, "windows only")
		for _, z := range newZooms(20_000, end, detail) {
			z.whole = !windowsOnly
			fine, plain := z.curve(), newSeries("calls", "", "read", 0, z.width, int(end/z.width)+1)
			for _, o := range ops {
				fine.add(o.start, o.end, o.bytes)
				plain.add(o.start, o.end, o.bytes)
			}
			s, want := fine.profile(plain), plain.profile()
			row := -1
			for bin := range want.Bytes {
				for row+1 < len(s.At) && s.At[row+1] <= int64(bin) {
					row++
				}
				inside := int64(bin) >= detail[0].FromNS/z.width && int64(bin)*z.width < detail[0].ToNS
				if windowsOnly && (row < 0 || s.Bytes[row] == profile.Unknown) {
					if inside {
						t.Fatalf("%d ns: nothing is known of bin %d, inside of the window", z.width, bin)
					}
					continue
				}
				got := []float64{float64(s.Bytes[row]), s.Depth[row], float64(s.SizeP50[row]), float64(s.SizeP90[row]),
					float64(s.LatP50[row]), float64(s.LatP99[row])}
				exp := []float64{float64(want.Bytes[bin]), want.Depth[bin], float64(want.SizeP50[bin]), float64(want.SizeP90[bin]),
					float64(want.LatP50[bin]), float64(want.LatP99[bin])}
				for i := range got {
					slack := 1e-9
					if i == 0 {
						slack = float64(2*len(ops) + 2) // each operation's share is rounded to bytes
					}
					if math.Abs(got[i]-exp[i]) > slack {
						t.Fatalf("%d ns, bin %d of %d, column %d: %g, want %g", z.width, bin, len(want.Bytes), i, got[i], exp[i])
					}
				}
			}
		}
	})
}

// TestFinerStackAddsUp checks that a finer time stack holds every nanosecond.
func TestFinerStackAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const end = 3_000_000
		zooms := newZooms(20_000, end, []profile.Window{{FromNS: 0, ToNS: end + 1}})
		var want [timeline.NumKinds]int64
		for at := rapid.Int64Range(0, 1000).Draw(t, "first"); at < end; {
			k := timeline.Kind(rapid.IntRange(0, int(timeline.NumKinds)-1).Draw(t, "kind"))
			to := min(end, at+rapid.Int64Range(1, 100_000).Draw(t, "length"))
			for _, z := range zooms {
				z.stack.label(k, at, to)
			}
			want[k] += to - at
			at = to
		}
		for _, z := range zooms {
			p := z.profile(nil, nil)
			var got [timeline.NumKinds]int64
			for i, at := range p.StackAt {
				next := z.bins
				if i+1 < len(p.StackAt) {
					next = p.StackAt[i+1]
				}
				for _, l := range p.Stack {
					k, _ := timeline.KindNamed(l.Label, l.Within)
					got[k] += l.NS[i] * (next - at)
				}
			}
			if got != want {
				t.Fatalf("%d ns: %v, want %v", z.width, got, want)
			}
		}
	})
}

// TestBusyLevelsAreGivenUp checks the bounds: a level that changes too often is
// kept in the windows only, or not at all.
func TestBusyLevelsAreGivenUp(t *testing.T) {
	const n, end = 200_000, 2_000_000_000
	feed := func(detail []profile.Window) []*zoom {
		zooms := newZooms(5_000_000, end, detail)
		for _, z := range zooms {
			c := z.curve()
			for i := range int64(n) {
				c.add(i*10_000, i*10_000+3000+i%1009, 4096)
			}
			c.finish(z.bins)
		}
		return zooms
	}
	zooms := feed([]profile.Window{{FromNS: 1e9, ToNS: 1e9 + 1e6}})
	for i, z := range zooms {
		if rows := len(z.curves[0].steps.kept(z).at); z.dead || z.whole != (i < 3 && z.bins <= zoomRows) ||
			rows > zoomRows+1 {
			t.Errorf("level of %d ns: whole %v, given up %v, %d rows", z.width, z.whole, z.dead, rows)
		}
	}
	for _, z := range feed([]profile.Window{{FromNS: 0, ToNS: end + 1}}) {
		if z.dead != (z.bins > zoomRows) {
			t.Errorf("level of %d ns with everything in windows: given up %v", z.width, z.dead)
		}
	}
}
