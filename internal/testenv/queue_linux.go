package testenv

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// ResetQueue gives the queue of a loop device what it has when the machine starts: no scheduler, and as many requests
// as the driver allows. Both stay with the device when its file is taken away, for whoever has it next.
func ResetQueue(device string) error {
	depth, err := os.ReadFile("/sys/module/loop/parameters/hw_queue_depth")
	if errors.Is(err, os.ErrNotExist) {
		depth, err = []byte("128"), nil // the default, of kernels that cannot be asked
	}
	if err != nil {
		return fmt.Errorf("resetting the queue of %s: %w", device, err)
	}
	requests, err := strconv.Atoi(string(bytes.TrimSpace(depth)))
	if err != nil {
		return fmt.Errorf("resetting the queue of %s: %w", device, err)
	}
	queue := filepath.Join("/sys/block", filepath.Base(device), "queue")
	write := func(name string, value any) error {
		return os.WriteFile(filepath.Join(queue, name), fmt.Append(nil, value), 0o644)
	}
	// A number that is set again is not looked at, even if the driver's tags still are those of another scheduler.
	return errors.Join(write("scheduler", "none"), write("nr_requests", requests/2), write("nr_requests", requests))
}
