package anonymous

import (
	"fmt"
	"os"
)

// unnamed takes a file's name away, so that nothing of it is left whatever ends this process, and returns the path by
// which it is read.
func unnamed(f *os.File) (path string, err error) {
	return fmt.Sprintf("/proc/self/fd/%d", f.Fd()), os.Remove(f.Name())
}
