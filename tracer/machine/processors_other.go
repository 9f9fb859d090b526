//go:build !linux

package machine

import "github.com/iotrace/iotrace/trace"

// processorsNow is not told: of the processors' times macOS has no count of what a host took.
func processorsNow() (trace.Processors, bool) { return trace.Processors{}, false }
