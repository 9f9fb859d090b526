package experiment

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/testenv"
)

// TestAblationCells runs the corners of a copy and checks what they moved and
// that nothing is left behind.
func TestAblationCells(t *testing.T) {
	const payload = 1<<20 + 5000 // does not end at a sector
	cells := map[string]gap.Setting{
		"direct writes": {Write: true, Depth: 8, Block: 128 << 10},
		"copy":          {Read: true, Write: true, Depth: 2, Block: 100, Buffered: true, Fresh: true},
		"warm reads":    {Read: true, Depth: 4, Block: 64 << 10, Buffered: true, Warm: true},
		"random writes": {Write: true, Depth: 1, Block: 4096, Random: true, Buffered: true},
		"small files": {Read: true, Write: true, Depth: 3, Block: 1 << 20, Buffered: true, Fresh: true, FileSize: 10_000,
			Looks: 2, Changes: 1},
		"small, direct": {Read: true, Write: true, Depth: 1, Block: 512, FileSize: 100_000},
		"synced":        {Write: true, Depth: 1, Block: 64 << 10, Buffered: true, Fresh: true, SyncEvery: 256 << 10},
		"synced within": {Write: true, Depth: 1, Block: 1 << 20, Buffered: true, Fresh: true, SyncEvery: 256 << 10},
		"files synced": {Write: true, Depth: 1, Block: 64 << 10, Buffered: true, Fresh: true, FileSize: 250_000,
			SyncEvery: 250_000},
		"by the kernel": {Read: true, Write: true, Depth: 1, Block: 64 << 10, Buffered: true, Fresh: true, InKernel: true},
		"kernel, files": {Read: true, Write: true, Depth: 2, Block: 64 << 10, Buffered: true, Fresh: true, InKernel: true,
			FileSize: 99_999, SyncEvery: 99_999},
		"zeros":          {Write: true, Depth: 1, Block: 1000, Buffered: true, Fresh: true, Compressible: 1},
		"half zeros":     {Read: true, Write: true, Depth: 1, Block: 64 << 10, Buffered: true, Compressible: 0.5},
		"mapped":         {Read: true, Depth: 1, Block: 64 << 10, Buffered: true, Mapped: true},
		"mapped, random": {Read: true, Depth: 2, Block: 4096, Random: true, Buffered: true, Mapped: true},
		"mapped, copied": {Read: true, Write: true, Depth: 1, Block: 5000, Buffered: true, Mapped: true, FileSize: 99_999},
		"pauses":         {Write: true, Depth: 2, Block: 64 << 10, Buffered: true, ThinkPerGB: 10 * time.Second},
		"everything, deep": {Read: true, Write: true, Depth: 8, Block: 1000, Random: true, Buffered: true, Fresh: true,
			FileSize: 99_999, SyncEvery: 50_000, Looks: 1},
	}
	syncs := map[string]int64{"synced": 5, "synced within": 5, "files synced": 5}
	dir := t.TempDir()
	var all []gap.Setting
	for _, c := range cells {
		all = append(all, c)
	}
	a, err := newAblation(dir, payload, all, 1)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time prepared files exist
		for name, c := range cells {
			r, err := a.Run(t.Context(), c)
			if errors.Is(err, storage.ErrUnsupported) {
				continue // no direct I/O on this file system
			}
			if err != nil {
				t.Fatal(name, err)
			}
			if r.Bytes != payload || r.ActiveNS <= 0 || r.Depth <= 0 || r.Depth > float64(c.Depth)+1e-6 {
				t.Errorf("%s: %+v", name, r)
			}
			if want, ok := syncs[name]; ok && r.Syncs != want {
				t.Errorf("%s: %d syncs, want %d", name, r.Syncs, want)
			}
			if c.ThinkPerGB > 0 && r.ActiveNS < 10e9*payload/1e9 {
				t.Errorf("%s: %d ns are less than its pauses", name, r.ActiveNS)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Run(ctx, cells["copy"]); !errors.Is(err, context.Canceled) {
		t.Error("a cancelled run gave", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Error("left behind:", left)
	}
}

// TestCellsEndInTime: a run that takes long moves a part of the payload and counts that, unless its one sync is the
// end.
func TestCellsEndInTime(t *testing.T) {
	const payload = 1 << 20
	slow := gap.Setting{Write: true, Depth: 2, Block: 64 << 10, Buffered: true, CallGap: 20 * time.Millisecond}
	files, synced := slow, slow
	files.FileSize, synced.SyncEvery = 64<<10, payload
	a, err := newAblation(t.TempDir(), payload, []gap.Setting{slow, files, synced}, 1)
	if err != nil {
		t.Fatal(err)
	}
	a.Limit = 10 * time.Millisecond
	for _, c := range []gap.Setting{slow, files, synced} {
		r, err := a.Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if whole := r.Bytes == payload; whole != (c.SyncEvery > 0) || r.Bytes <= 0 || r.Bytes%(64<<10) != 0 {
			t.Errorf("%+v: %d bytes", c, r.Bytes)
		}
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

// TestMemoryIsNoDevice: on a file system in memory direct I/O measures nothing.
func TestMemoryIsNoDevice(t *testing.T) {
	a := &ablation{}
	a.place.Path, a.place.FSType = "/x", "tmpfs"
	if a.Unreached() == "" {
		t.Error("tmpfs is measured")
	}
	for fs, want := range map[string]string{"tmpfs": "on the disk of the recording", "btrfs": "does not compress",
		"fuse": "from which it serves", "ext4": "the speed of memory"} {
		a.place.FSType, a.direct = fs, reached{moved: 1000, known: true}
		if got := a.Unreached(); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want what to do: %q", fs, got, want)
		}
	}
	a.place.FSType, a.place.Device = "ext4", "vda"
	for _, c := range []struct {
		read int64
		want bool
	}{{1000, false}, {60, false}, {40, true}} {
		a.direct = reached{}
		a.direct.add(true, false, 1000, &baseline.DeviceUse{ReadBytes: c.read})
		if got := a.Unreached() != ""; got != c.want {
			t.Errorf("%d of 1000 bytes at the device: %v", c.read, got)
		}
	}
	if a.direct = (reached{}); a.Unreached() != "" {
		t.Error("what nothing tells is refused")
	}
}

// TestKernelCopiesEverything: what the kernel copies in a cell is the source.
func TestKernelCopiesEverything(t *testing.T) {
	const payload = 1<<20 + 5000
	for _, c := range []gap.Setting{
		{Read: true, Write: true, Depth: 1, Block: 64 << 10, Buffered: true, InKernel: true, SyncEvery: 300_000},
		{Read: true, Write: true, Depth: 3, Block: 64 << 10, Buffered: true, InKernel: true, Random: true},
	} {
		a, err := newAblation(t.TempDir(), payload, []gap.Setting{c}, 1)
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.Run(t.Context(), c)
		if errors.Is(err, unix.ENOTSUP) {
			testenv.Missing(t, "no copy_file_range here")
		}
		if err != nil {
			t.Fatal(err)
		}
		from, ferr := os.ReadFile(a.files.sources[0].paths[0])
		to, terr := os.ReadFile(a.files.targets[0].paths[0])
		if err := errors.Join(ferr, terr); err != nil || !bytes.Equal(from[:payload], to[:payload]) {
			t.Error("the copy differs from its source", err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAblationSpace(t *testing.T) {
	if _, err := newAblation(t.TempDir(), 1<<60, []gap.Setting{{Write: true}}, 1); err == nil {
		t.Error("an exabyte was accepted")
	}
	cells := []gap.Setting{{Write: true}, {Read: true, Write: true, Fresh: true}, {Write: true, FileSize: 10},
		{Read: true, FileSize: 10}}
	if got := space(100, cells); got != 500 {
		t.Errorf("space %d, want 500: two sets of targets, two of sources, and new files", got)
	}
}
