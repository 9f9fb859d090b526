package host

import (
	"os"
	"strconv"
	"strings"
)

// Status is what /proc says of a process.
type Status struct {
	Name        string // as the kernel calls it
	Parent, UID uint32
}

// ReadStatus reads it; false if there is no such process, or no /proc.
func ReadStatus(pid uint32) (s Status, ok bool) {
	text, err := os.ReadFile("/proc/" + strconv.FormatUint(uint64(pid), 10) + "/status")
	if err != nil {
		return s, false
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":\t")
		first, _, _ := strings.Cut(value, "\t")
		n, _ := strconv.ParseUint(first, 10, 32)
		switch key {
		case "Name":
			s.Name = value
		case "PPid":
			s.Parent = uint32(n)
		case "Uid":
			s.UID = uint32(n)
		}
	}
	return s, s.Name != ""
}
