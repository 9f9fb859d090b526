package replay

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/program"
)

// Every method makes copies that are what their sources are, of files that end
// within a page, and of many files.
func TestMethodsCopy(t *testing.T) {
	few := []TrialCopy{{Bytes: 9<<20 + 4097}, {Bytes: 1 << 20, Warm: true}, {Bytes: 0}}
	many := make([]TrialCopy, 40)
	for i := range many {
		many[i].Bytes = int64(i) * 3001
	}
	for name, copies := range map[string][]TrialCopy{"few": few, "many": many} {
		t.Run(name, func(t *testing.T) {
			list := []Variant{Methods()[0].Variant(copies)}
			for _, m := range Methods() {
				list = append(list, m.Variant(copies))
			}
			dir := t.TempDir()
			got, err := Try(t.Context(), list, TrialOptions{Dir: dir, Rounds: 2})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Results)+len(got.LeftOut) != len(list) || len(got.Results) < 5 || !got.Writes {
				t.Errorf("%d ways, %d ran, left out are %v", len(list), len(got.Results), got.LeftOut)
			}
			bytes := int64(0)
			for _, c := range copies {
				bytes += c.Bytes
			}
			if want := bytes * int64(len(got.Results)); got.ComparedBytes != want {
				t.Errorf("%d bytes were compared, want %d", got.ComparedBytes, want)
			}
			for _, r := range got.Results {
				if len(r.Wall) != 2 || len(r.Safe) != 2 || r.Low != 0 {
					t.Errorf("%+v: an interval of two rounds, or a round is missing", r)
				}
			}
			if left, _ := os.ReadDir(dir); len(left) != 0 {
				t.Error("left behind:", left)
			}
		})
	}
}

// Six rounds have an interval; what is read only is kept in another directory.
func TestTrial(t *testing.T) {
	dir, from := t.TempDir(), t.TempDir()
	p := loop(16, 64<<10)
	q := apply(t, program.Change{Block: 256 << 10, Depth: 2}, p)
	seen := false
	got, err := Try(t.Context(), []Variant{{"as recorded", p}, {"changed", q}}, TrialOptions{
		Dir: dir, From: from, Rounds: 6,
		Progress: func(round int, _ string) {
			kept, _ := os.ReadDir(from)
			seen = seen || round > 1 && len(kept) == 1
		}})
	if err != nil {
		t.Fatal(err)
	}
	if r := got.Results[1]; r.Low <= 0 || r.High < r.Faster || r.Faster < r.Low {
		t.Errorf("%+v", r)
	}
	if want := int64(10 * 35); got.PausedNS != want {
		t.Errorf("paused for %d ns, want %d", got.PausedNS, want)
	}
	if !seen {
		t.Error("the source was not kept in the other directory")
	}
	for _, d := range []string{dir, from} {
		if left, _ := os.ReadDir(d); len(left) != 0 {
			t.Errorf("left in %s: %v", d, left)
		}
	}
}

// A copy that is none is noticed, and an end comes in time; nothing is left.
func TestTrialsThatFail(t *testing.T) {
	dir := t.TempDir()
	p := loop(4, 4096)
	p.Copies = []Copy{{From: 0, To: 1}} // but what is written is not what was read
	if _, err := Try(t.Context(), []Variant{{"wrong", p}}, TrialOptions{Dir: dir, Rounds: 1}); !errors.Is(err,
		ErrDiffers) {
		t.Error("a copy with other data:", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Try(ctx, []Variant{{"as recorded", loop(4, 4096)}}, TrialOptions{Dir: dir, Rounds: 5,
		Progress: func(round int, _ string) {
			if round == 3 {
				cancel()
			}
		}})
	if !errors.Is(err, context.Canceled) {
		t.Error("interrupted:", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Error("left behind:", left)
	}
}

// What would not fit into memory, and what a ring is no use for, is left out with
// the reason.
func TestUnfit(t *testing.T) {
	large, small := []TrialCopy{{Bytes: 1 << 40}}, []TrialCopy{{Bytes: 1 << 20}}
	for _, m := range Methods() {
		ring := strings.HasPrefix(m.Name, "io_uring")
		blocks := !ring && m.Name != "copy_file_range" && m.Name != "clone"
		if why := m.Unfit(large); (why != "") != blocks {
			t.Errorf("%s of 1 TiB: %q", m.Name, why)
		}
		if why := m.Unfit(small); (why != "") != ring {
			t.Errorf("%s of 1 MiB: %q", m.Name, why)
		}
	}
}
