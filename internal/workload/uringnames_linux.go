package workload

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/uring"
)

func init() { programs["uring-names"] = uringNames }

// UringNames is what the workload "uring-names" does in its directory, by names relative to it, one after the other.
var UringNames = []struct {
	Op            byte // of enum io_uring_op
	First, Second string
	Flags         uint32
	Result        int64
}{
	{37, "d", "", 0, 0},                                // mkdirat
	{38, "", "l", 0, 0},                                // symlinkat
	{39, "l", "h", 0, 0},                               // linkat
	{35, "l", "d/moved", 0, 0},                         // renameat
	{36, "h", "", 0, 0},                                // unlinkat
	{36, "nothing", "", 0, -int64(unix.ENOENT)},        // of which there is none
	{35, "nothing", "nowhere", 0, -int64(unix.ENOENT)}, // likewise
	{35, "d/moved", "d/moved again", 0, 0},             // within a directory
	{37, "e", "", 0, 0},
	{35, "d/moved again", "e", unix.RENAME_EXCHANGE, 0},
	{36, "e", "", 0, 0},
}

// uringNames DIR does UringNames. Each name is given relative to a descriptor of the directory.
func uringNames(args []string) error {
	runtime.LockOSThread()
	dir, err := unix.Open(args[0], unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	r, err := uring.New(8)
	if err != nil {
		return err
	}
	defer r.Close()
	for i, s := range UringNames {
		one, two := append([]byte(s.First), 0), append([]byte(s.Second), 0)
		target := []byte("nowhere\x00")
		address := func(b []byte) uint64 { return uint64(uintptr(unsafe.Pointer(&b[0]))) }
		e := r.Next()
		switch s.Op {
		case 37:
			raw(e, s.Op, int32(dir), 0, address(one), 0o755, uint64(i))
		case 36:
			raw(e, s.Op, int32(dir), 0, address(one), 0, uint64(i))
		case 38:
			raw(e, s.Op, int32(dir), address(two), address(target), 0, uint64(i))
		default:
			raw(e, s.Op, int32(dir), address(two), address(one), uint32(dir), uint64(i))
			(*[16]uint32)(unsafe.Pointer(e))[7] = s.Flags
		}
		err := inTurn(r, s.Result)
		runtime.KeepAlive([][]byte{one, two, target})
		if err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	return unix.Close(dir)
}

// inTurn submits the operation that was prepared, and compares how it ended.
func inTurn(r *uring.Ring, want int64) error {
	if err := r.Submit(1); err != nil {
		return err
	}
	if c, ok := r.Take(); !ok || int64(c.Res) != want {
		return fmt.Errorf("completion %+v, want %d", c, want)
	}
	return nil
}
