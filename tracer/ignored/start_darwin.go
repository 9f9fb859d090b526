package tracer

import "os"

// ignoredAtStart knows nothing beyond what the runtime tells: on macOS a
// command finds SIGHUP and SIGINT ignored if they were, and the rest default.
func ignoredAtStart() uint64 { return 0 }

// self is this program's file.
func self() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}
