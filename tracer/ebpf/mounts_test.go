//go:build linux

package ebpf

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
)

// Files that were found on mounts at different times share what is said of these.
func TestMountsAreReadAnewWhenTheyChange(t *testing.T) {
	var m mounts
	m.read()
	before := m.list
	if m.read(); len(before) == 0 || &m.list[0] != &before[0] {
		t.Errorf("%d mounts, and others later though nothing was mounted", len(before))
	}
	m.text = "changed"
	if m.read(); &m.list[0] == &before[0] || !slices.Equal(m.list, before) {
		t.Errorf("after a change: %d mounts, want %d", len(m.list), len(before))
	}
}

// Where many mounts come and go, those that are gone make room for those that are used.
func TestMountsThatAreGoneMakeRoom(t *testing.T) {
	var m mounts
	m.read()
	at := slices.IndexFunc(m.list, func(x host.Mount) bool { return strings.Contains(x.Source, "/") })
	if at < 0 {
		t.Skip("nothing is mounted from a device")
	}
	there := m.list[at]
	for n := range 10 * trace.MaxMounts {
		m.use(host.Mount{Major: 250, Minor: uint32(n), Point: fmt.Sprint("/gone/", n), FSType: "ext4", Source: "/dev/gone"})
	}
	m.use(there)
	found := slices.ContainsFunc(m.used.mounts, func(x trace.Mount) bool { return x.Point == there.Point })
	if len(m.used.mounts) > trace.MaxMounts || len(m.used.known) != len(m.used.mounts) || !found {
		t.Errorf("%d mounts, %d known, %s among them: %t", len(m.used.mounts), len(m.used.known), there.Point, found)
	}
}

// Files are recorded under the path that the process sees them at, from the
// root of its mount namespace.
func TestMountsAndNamespaces(t *testing.T) {
	needBPF(t)
	needTools(t, "unshare", "mount", "chroot")
	dir := workDir(t)
	run(t, "mkdir", dir+"/a", dir+"/b", dir+"/m", dir+"/root")
	rec := recordCommand(t, Options{}, nil, "unshare", "-m", "/bin/sh", "-c", `set -e; cd "$0"
mount --bind a b
echo 1 > a/direct
echo 22 > b/bound
mount -t tmpfs none m
echo 333 > m/memory
mkdir m/sub
mount --bind m/sub b
echo 4444 > b/inner
mount --bind /bin root
exec "$1" "workload:chroot" "$0/m" file`, dir, workload.Args("x")[0])
	checkWrites(t, rec, map[int64]string{6: dir + "/m/file"})
	for n, path := range map[int64]string{2: "/a/direct", 3: "/b/bound", 4: "/m/memory", 5: "/b/inner"} {
		found := 0
		for _, s := range rec.calls("write", dir+path) {
			if s.Result == n {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%d writes of %d bytes to %s", found, n, path)
		}
	}
	for _, f := range rec.files {
		if f.Path == dir+"/m/memory" && f.FSType != "tmpfs" {
			t.Errorf("%+v: want tmpfs", f)
		}
	}
}

// A file of an overlay is one file, wherever its data lies.
func TestOverlay(t *testing.T) {
	needBPF(t)
	d := newDisk(t, imageSize)
	d.format("ext4")
	lower := d.mount("ext4", "")
	run(t, "mkdir", lower+"/lower", lower+"/upper", lower+"/work", lower+"/merged")
	run(t, workload.Args("write", lower+"/lower", "1", "1048576", "65536", "fsync")...)
	unmount(t, lower)
	merged := "$dir/merged"
	read := quoted(workload.Args("read", merged, "1", "65536", "buffered"))
	write := quoted(workload.Args("write", merged, "3", "1048576", "65536", "fsync"))
	direct := quoted(workload.Args("write", merged, "4", "1048576", "65536", "direct"))
	c := d.watch()
	rec := d.onMounted("ext4", "",
		fmt.Sprintf("mount -t overlay -o lowerdir=$dir/lower,upperdir=$dir/upper,workdir=$dir/work none %s; trap 'umount "+
			"%[1]s; umount $dir' EXIT; %s; %s; %s", merged, read, write, direct))
	c.stop()
	c.compare(rec)
	checkPlaces(t, d, rec, trace.ReqRead)
	checkPlaces(t, d, rec, trace.ReqWrite)
	seen := map[string]int64{}
	for _, q := range rec.requests(d.id) {
		for _, e := range extents(&q) {
			path := rec.path(e.File)
			if !strings.Contains(path, "/pattern-") {
				continue
			}
			seen[path[strings.LastIndexByte(path, '/'):]] += e.Bytes
			if !strings.Contains(path, "/merged/") {
				t.Errorf("%s of %d bytes: recorded as of %s, the command used it as a file of the overlay", q.Op, e.Bytes, path)
			}
			if q.Flags&trace.ReqForeign != 0 {
				t.Errorf("%s of %s is said to be foreign", q.Op, path)
			}
		}
	}
	t.Log(seen)
}
