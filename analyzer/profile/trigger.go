package profile

import "github.com/iotrace/iotrace/trace"

// Trigger is why a flight recorder (`record --keep`) has written the trace: a condition, and what met it. For a
// condition of a device that is the slowest request of the second after which it held.
type Trigger struct {
	Condition string `json:"condition"`         // as it was given; empty if a user asked for the trace
	AtNS      int64  `json:"at_ns"`             // when it held
	Repeats   uint64 `json:"repeats,omitempty"` // how often a condition held again until the end
	Kind      string `json:"kind,omitempty"`    // of the event, as in `events`
	StartNS   int64  `json:"start_ns"`          // when the event began, 0 if that was before the trace
	LatencyNS int64  `json:"latency_ns"`        // how long it took
	Op        string `json:"op,omitempty"`      // what it did: `read`, `write`, the name of a call
	Bytes     int64  `json:"bytes,omitempty"`   // that it moved; for `lost` how many events were lost
	PID       uint32 `json:"pid,omitempty"`     // the process that it was done for
	Command   string `json:"command,omitempty"` // what that is called
	File      string `json:"file,omitempty"`    // path
	Device    string `json:"device,omitempty"`  // name, as in /dev
}

// TriggerOf is the trigger of a header, nil for nil.
func TriggerOf(t *trace.Trigger) *Trigger {
	if t == nil {
		return nil
	}
	return &Trigger{Condition: t.Condition, AtNS: t.Time, Repeats: t.Repeats, Kind: t.Kind, StartNS: t.Start,
		LatencyNS: t.Latency, Op: t.Op, Bytes: t.Bytes, PID: t.PID, Command: t.Command, File: t.File, Device: t.Device}
}
