package testenv

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A device whose server was killed is removed with the loop device over it; one that is served is left alone.
func TestRemoveDead(t *testing.T) {
	NeedRoot(t)
	NeedTools(t, "losetup")
	dead, served := filepath.Join(WorkDir(t), "dead.img"), filepath.Join(WorkDir(t), "served.img")
	for _, image := range []string{dead, served} {
		if err := os.WriteFile(image, make([]byte, 1<<20), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loop, err := exec.Command("losetup", "--find", "--show", dead).CombinedOutput()
	if err != nil {
		t.Fatalf("losetup: %v: %s", err, loop)
	}
	device := strings.TrimSpace(string(loop))
	t.Cleanup(func() { _ = exec.Command("losetup", "--detach", device).Run() })
	unix.Close(overlaid(t, dead)) // as if killed
	go refuse(overlaid(t, served))

	removeDead(io.Discard)
	if left := loopsOver(dead); len(left) > 0 {
		t.Errorf("still attached: %v", left)
	}
	if info, err := os.Stat(dead); err != nil || info.Size() != 1<<20 {
		t.Errorf("the file beneath: %v, %v", info, err)
	}
	found := false
	for _, m := range mounts() {
		found = found || m.Point == served
	}
	if !found {
		t.Error("a device that is served was removed")
	}
}

// overlaid mounts a device over a file and returns the descriptor that serves it.
func overlaid(t *testing.T, image string) int {
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		Missing(t, "no FUSE: %v", err)
	}
	options := fmt.Sprintf("fd=%d,rootmode=100000,user_id=0,group_id=0", fd)
	if err := unix.Mount("slow", image, "fuse", 0, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(image, unix.MNT_DETACH) }) // gone if it was dead
	return fd
}

// refuse answers that nothing is implemented, until the device is unmounted.
func refuse(fd int) {
	defer unix.Close(fd)
	in := make([]byte, 64<<10)
	for {
		n, err := unix.Read(fd, in)
		if err != nil && err != unix.EINTR {
			return
		}
		if n < 16 {
			continue
		}
		reply := make([]byte, 16)
		binary.LittleEndian.PutUint32(reply, 16)
		binary.LittleEndian.PutUint32(reply[4:], ^uint32(unix.ENOSYS)+1)
		copy(reply[8:], in[8:16]) // the request's number
		_, _ = unix.Write(fd, reply)
	}
}
