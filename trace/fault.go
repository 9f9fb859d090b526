package trace

import "fmt"

// Fault is a page fault that had to wait for a file.
type Fault struct {
	// Start is when it began, in ns since the start of the recording.
	Start int64 `name:"start" unit:"ns" table:",delta" column:"2 end"`
	// Duration is how long it took, in ns.
	Duration int64  `name:"duration" unit:"ns" column:"3 lasted"`
	PID      uint32 `name:"pid" column:"4"`                       // process
	TID      uint32 `name:"tid" column:"1 key"`                   // thread
	File     FileID `name:"file" with:"path" none:"0" column:"5"` // file that is mapped there
	// Offset is that of the page in the file, in bytes, NoOffset (-1) if not known.
	Offset int64 `name:"offset" none:"-1" table:"file_offset" column:"6"`
	// Filled is how many bytes were added to the page cache on its behalf.
	Filled int64 `name:"filled" omit:"0" unit:"bytes" column:"7"`
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
