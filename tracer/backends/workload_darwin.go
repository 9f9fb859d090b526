package backends

import (
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// fullSync is what makes data durable on macOS: fsync leaves it in the drive.
func fullSync(fd int) error {
	_, err := unix.FcntlInt(uintptr(fd), unix.F_FULLFSYNC, 0)
	return err
}

func clone(from, to string) error {
	err := unix.Clonefile(from, to, 0)
	if err == unix.ENOTSUP || err == unix.EXDEV { // no APFS: the attempt is recorded as well
		return nil
	}
	return err
}

var expectedHere = []expectation{
	{name: "clone", op: trace.OpClone, path: "b file", path2: "d/clone", offset: trace.NoOffset,
		needs: trace.LimitNoClones},
}
