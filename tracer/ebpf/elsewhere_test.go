//go:build linux

package ebpf

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// container makes a root of its own from the directory $0/root, with programs of the host, and does what follows there.
const container = `set -e; cd "$0"
mount --bind volume root/vol
mount -t tmpfs none root/mem
for dir in usr bin lib lib64; do [ ! -e /$dir ] || mount --bind /$dir root/$dir; done
cd root; pivot_root . old
cd /; PATH=/usr/bin:/bin
`

// insideContainer writes each number of bytes to a file, and changes a file of the lower layer after reading it.
const insideContainer = `echo 1 > /new; echo 22 > /vol/bound; echo 333 > /mem/memory; read x < /low; echo 4444 >> /low`

// A container's files keep the names that it has for them, and say where they lie on the host: in the overlay if the
// host mounts that, else in the layer with the data; in the source of a bind mount; nowhere, if no mount shows them.
func TestHostPaths(t *testing.T) {
	needBPF(t)
	needTools(t, "unshare", "mount", "pivot_root")
	layered := func(from, to string) []string { return []string{"/new upper/new", "/low " + from, "/low " + to} }
	for name, want := range map[string][]string{
		"mounted by the container": layered("lower/low", "upper/low"),
		"mounted by the host":      {"/new root/new", "/low root/low"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newOverlay(t)
			script, overlay := container+insideContainer, "lowerdir=lower,upperdir=upper,workdir=work"
			if name == "mounted by the host" {
				overlay = fmt.Sprintf("lowerdir=%[1]s/lower,upperdir=%[1]s/upper,workdir=%[1]s/work", dir)
				if err := unix.Mount("none", dir+"/root", "overlay", 0, overlay); err != nil {
					missing(t, "mounting an overlay: %v", err)
				}
				defer unmount(t, dir+"/root")
			} else {
				script = `cd "$0"; mount -t overlay -o ` + overlay + " none root; " + script
			}
			rec := recordCommand(t, Options{}, nil, "unshare", "-m", "/bin/sh", "-c", script, dir)
			checkHostPaths(t, rec, dir, append(want, "/vol/bound volume/bound", "/mem/memory "))
		})
	}
}

// newOverlay makes the directories of a container whose overlay is not mounted yet.
func newOverlay(t *testing.T) string {
	t.Helper()
	d := newDisk(t, imageSize)
	d.format("ext4")
	dir := d.mount("ext4", "")
	t.Cleanup(func() { unmount(t, dir) })
	args := []string{dir + "/upper", dir + "/work", dir + "/root", dir + "/volume", dir + "/lower"}
	for _, name := range []string{"vol", "mem", "old", "usr", "bin", "lib", "lib64"} {
		args = append(args, dir+"/lower/"+name)
	}
	run(t, append([]string{"mkdir"}, args...)...)
	run(t, "sh", "-c", "echo low > "+dir+"/lower/low")
	return dir
}

// checkHostPaths compares where files of a container are said to lie with pairs of its path and one below a directory.
func checkHostPaths(t *testing.T, rec *recording, dir string, want []string) {
	t.Helper()
	inside := []string{"/new", "/low", "/vol/bound", "/mem/memory"}
	var got []string
	for _, f := range rec.files {
		switch {
		case !slices.Contains(inside, f.Path):
			continue
		case f.Flags&trace.FileElsewhere == 0:
			t.Errorf("%s is not said to be a container's: %+v", f.Path, f)
		}
		got = append(got, f.Path+" "+strings.TrimPrefix(f.Host, dir+"/"))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("files lie at %q, want %q", got, want)
	}
}

// In a mount namespace that is a copy of the host's, files are called as on the host: there is nothing to add.
func TestSamePathsElsewhere(t *testing.T) {
	needBPF(t)
	needTools(t, "unshare")
	dir := workDir(t)
	rec := recordCommand(t, Options{}, nil, "unshare", "-m", "/bin/sh", "-c", `echo 1 > "$0/file"`, dir)
	seen := 0
	for _, f := range rec.files {
		if f.Path == dir+"/file" && f.Inode != 0 {
			seen++
			if f.Host != "" || f.Flags&trace.FileElsewhere != 0 {
				t.Errorf("%+v", f)
			}
		}
	}
	if seen != 1 {
		t.Errorf("the file was announced %d times", seen)
	}
}
