package host

import (
	"fmt"
	"os"
)

// InFlight is how many reads and writes a block device has been given and has not completed, as the kernel counts them;
// -1 if that is not known.
func InFlight(major, minor uint32) int {
	text, err := os.ReadFile(fmt.Sprintf("/sys/dev/block/%d:%d/inflight", major, minor))
	if err != nil {
		return -1
	}
	var reads, writes int
	if _, err := fmt.Sscan(string(text), &reads, &writes); err != nil {
		return -1
	}
	return reads + writes
}
