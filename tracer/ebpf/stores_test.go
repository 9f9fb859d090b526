//go:build linux

package ebpf

import (
	"testing"
)

// TestStores: a program that computes and stores to a mapped file waits each time that the page has been written back
// meanwhile. What it computed in between is no part of these page faults, though no hook says where they begin.
func TestStores(t *testing.T) {
	needBPF(t)
	needTools(t, "python3", "mkfs.btrfs")
	d := newDisk(t, 256<<20)
	d.format("btrfs")
	dir := d.mount("btrfs", "")
	rec := recordCommand(t, Options{}, nil, "sh", "-c", `cd "$1"; python3 -c '
import mmap
f = open("stats", "w+b"); f.truncate(8192); m = mmap.mmap(f.fileno(), 8192)
for n in range(2000):
    m[n] = n % 256
    for k in range(20000): pass' &
while kill -0 $!; do echo >> other; sync -f other; done 2> /dev/null; wait`, "--", dir)
	var first, last, faulted int64
	n := 0
	for i := range rec.Faults {
		f := &rec.Faults[i]
		if rec.path(f.File) != dir+"/stats" {
			continue
		}
		if n++; n == 1 { // its beginning is known
			first = f.Start + f.Duration
			continue
		}
		faulted, last = faulted+f.Duration, f.Start+f.Duration
	}
	t.Logf("%d faults, %d ns of %d", n, faulted, last-first)
	if n < 3 || 2*faulted > last-first {
		t.Errorf("%d faults took %d ns of %d, most of which the program computed", n, faulted, last-first)
	}
}
