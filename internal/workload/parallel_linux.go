package workload

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

func init() { programs["parallel"] = parallel }

// parallel DIR THREADS FILES makes files DIR/THREAD.NUMBER, so many in each of several threads at the same time.
// Each is opened, written to, read, closed and removed.
func parallel(args []string) error {
	n, _ := strconv.Atoi(args[1])
	files, _ := strconv.Atoi(args[2])
	errs := make(chan error)
	for thread := range n {
		go func() {
			runtime.LockOSThread()
			errs <- useFiles(args[0], thread, files)
		}()
	}
	var failed error
	for range n {
		failed = first(failed, <-errs)
	}
	return failed
}

func useFiles(dir string, thread, files int) error {
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("%d.%d", thread, i))
		fd, err := create(name)
		if err != nil {
			return err
		}
		_, err = unix.Pread(fd, make([]byte, 10), 0)
		if err := first(err, put(fd, 10), unix.Close(fd), unix.Unlink(name)); err != nil {
			return err
		}
	}
	return nil
}
