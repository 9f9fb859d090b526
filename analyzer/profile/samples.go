package profile

// Sample is a place in programs where CPU time was spent.
type Sample struct {
	Process string `json:"process"` // command name, of all processes that have it
	// operation of the recorded call that it was in; absent outside of those, as in page faults
	Call string `json:"call,omitempty"`
	// program or library, as it calls itself; `kernel`; absent if that is not known, as of code that a program has made
	// while it ran
	Library  string `json:"library,omitempty"`
	Function string `json:"function,omitempty"` // absent if that is not known
	// kind of work ([verdict.md](verdict.md) has a list); absent if that is not known
	Work  string `json:"work,omitempty"`
	Count int64  `json:"count"` // how often it was met, of 99 times a second on each CPU
}
