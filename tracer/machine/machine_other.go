//go:build !linux && !darwin

package machine

import "github.com/iotrace/iotrace/trace"

// live knows nothing.
type live struct{}

// Live returns the running machine.
func Live() System { return live{} }

func (live) Resolve(path string) string     { return resolve(path) }
func (live) Identify(*trace.File)           {}
func (live) Inspect(uint32) (Process, bool) { return Process{}, false }
func (live) Processes() []Process           { return nil }
func (live) Threads(uint32) []uint64        { return nil }
func (live) Devices() []trace.Device        { return nil }
