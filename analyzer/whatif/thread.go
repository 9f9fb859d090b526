package whatif

// Thread is what a thread did, one step after the other.
type Thread struct {
	Number uint32
	Begin  anchor // when its first step begins
	Steps  []Step
	End    int64 // as recorded
	Main   bool  // its end is the end of the workload
}

// Step is a time on the CPU, and then something that ties the thread to others.
type Step struct {
	Run    int64 // ns before it
	What   stepKind
	Index  int32 // of the request or the mark
	After  int64 // ns from what was waited for until the thread went on; of a sleep its length, of a rest its end
	Length int64 // ns of a wait, as recorded
	// Ordered: within a call that makes data durable, so that its order has a reason; Sync: that falls away without.
	Ordered, Sync bool
	Anew          bool // whatever it did before: a thread that helps had nothing to do
}

// stepKind is what ties a step to others.
type stepKind uint8

// What a thread does after its time on the CPU.
const (
	Submits stepKind = iota // asks for a request
	Needs                   // goes on when a request is complete
	Marks                   // a moment that others wait for
	Follows                 // goes on after a mark of another thread
	Sleeps                  // for a time of its own choice
	Stalls                  // waits for I/O that was not seen
	Awaits                  // waits for others who were not seen: a server, the holder of a lock
	Rests                   // helps others who were not seen, until a time of the recording
	Ends                    // the thread
)

// anchor says when something happens: so long after a moment of a thread, after
// the completion or the asking of a request, or at a time.
type anchor struct {
	What  anchorKind
	Index int32
	After int64 // ns; of AtTime the time
}

// anchorKind is what an anchor is tied to.
type anchorKind uint8

// When what has an anchor happens.
const (
	ByThread   anchorKind = iota // a step of a thread makes it happen
	AfterMark                    // after a mark
	AfterDone                    // after a request is complete
	AfterAsked                   // after a request was asked for
	AtTime                       // at a time of the recording
)
