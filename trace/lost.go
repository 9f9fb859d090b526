package trace

import "fmt"

// Lost says what could not be recorded.
type Lost struct {
	From  int64 // ns, start of the slice of time
	To    int64 // ns, its end
	Count uint64
	Kind  Kind
	CPU   int32 // -1 if not known
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (l *Lost) Impossible() string {
	if why := during(l.From, l.To-l.From); why != "" {
		return why
	}
	if l.Count > MaxLost {
		return fmt.Sprintf("%d events were lost", l.Count)
	}
	return ""
}
