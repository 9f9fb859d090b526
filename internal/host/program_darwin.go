package host

import "os"

// Program is this program's file.
func Program() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}
