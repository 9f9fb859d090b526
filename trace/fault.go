package trace

import "fmt"

// Fault is a page fault that had to wait for a file.
type Fault struct {
	Start    int64
	Duration int64
	PID      uint32
	TID      uint32
	File     FileID
	Offset   int64 // byte offset of the page in the file
	Filled   int64 // bytes added to the page cache on its behalf
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (f *Fault) Impossible() string {
	if why := during(f.Start, f.Duration); why != "" {
		return why
	}
	switch {
	case !place(f.Offset):
		return fmt.Sprintf("offset %d", f.Offset)
	case !Within(MaxFilled, f.Filled):
		return fmt.Sprintf("%d bytes came into memory", f.Filled)
	}
	return ""
}
