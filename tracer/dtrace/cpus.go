package dtrace

import (
	"os"
	"path/filepath"
	"runtime"
)

// onlineCPUs counts the CPUs of the system, each of which prints ticks: not
// those that this process may use.
func onlineCPUs() int {
	dirs, err := filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*")
	if err != nil || len(dirs) == 0 {
		return runtime.NumCPU()
	}
	n := 0
	for _, d := range dirs {
		// CPU 0 can usually not be taken offline and has no such file.
		if b, err := os.ReadFile(filepath.Join(d, "online")); err != nil || len(b) > 0 && b[0] == '1' {
			n++
		}
	}
	return max(n, 1)
}
