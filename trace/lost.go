package trace

import "fmt"

// Lost says what could not be recorded.
type Lost struct {
	From  int64  `name:"from" unit:"ns" column:"1 previous"` // start of the slice of time, in ns
	To    int64  `name:"to" unit:"ns" column:"2 above From"` // its end, in ns
	Count uint64 `name:"count" column:"3"`                   // how many events
	Kind  Kind   `name:"lost" table:"kind" column:"4"`       // of which kind
	CPU   int32  `name:"cpu" none:"-1" column:"5 previous"`  // -1 if not known
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
