// Package whatif predicts how long a recorded workload would have taken on
// another drive, or done another way. It takes a recording apart into what each
// thread did, one thing after the other, and what it waited for. Then it lets
// the same happen again in a simulation with the change made. What stays as it
// was: the time that threads computed, their pauses, which request was asked
// for after which. What changes: when requests are asked for, and how long they
// take.
package whatif

// Prediction is the outcome of a simulation.
type Prediction struct {
	Wall    int64 `json:"wall_ns"`    // from the start of the workload until it returned
	Durable int64 `json:"durable_ns"` // until its data was written back; Wall if it wrote nothing
	// Undecided is how many threads and requests waited for something that did
	// not come: they went on as recorded. It is 0 unless the recording is torn.
	Undecided int `json:"-"`
}
