package testenv

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// ResetDevice gives a loop device what it has when the machine starts: its queue, no limit of the root group (version 1
// of control groups), and all of the memory for unwritten data. A run that is killed leaves its own with the number of
// the device.
func ResetDevice(device string) error {
	errs := []error{ResetQueue(device)}
	number, err := os.ReadFile(filepath.Join("/sys/block", filepath.Base(device), "dev"))
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	number = bytes.TrimSpace(number)
	set := func(path, value string) {
		if err := os.WriteFile(path, []byte(value), 0o644); !errors.Is(err, os.ErrNotExist) { // of a newer kernel
			errs = append(errs, err)
		}
	}
	set(fmt.Sprintf("/sys/class/bdi/%s/max_ratio", number), "100")
	set(fmt.Sprintf("/sys/class/bdi/%s/strict_limit", number), "0")
	limits, _ := filepath.Glob("/sys/fs/cgroup/blkio/blkio.throttle.*_device")
	for _, limit := range limits {
		set(limit, fmt.Sprintf("%s 0", number))
	}
	return errors.Join(errs...)
}

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
