package compare

// fromTimes sets how long the command took: until it returned, and until what
// it wrote was on the device.
func fromTimes(t *traced, s *Side) {
	reason := t.cut()
	if reason == "" {
		reason = t.missing(nil, began...)
	}
	if len(t.p.Command) == 0 {
		reason = "no command was recorded: how long the recording took says nothing"
	}
	if reason != "" {
		s.values[wallTime], s.values[durableTime] = unknown(reason), unknown(reason)
		return
	}
	s.values[wallTime] = lasting(t.p.WallNS)
	switch {
	case bytes(t.calls.Write) == 0:
		s.values[durableTime] = none("nothing is written")
	case t.p.DurableNS < t.p.WallNS:
		s.values[durableTime] = unknown(notDurable)
	default:
		s.values[durableTime] = lasting(t.p.DurableNS)
	}
}

func lasting(ns int64) Value {
	s := spread{}
	s.add(float64(ns), 1)
	return s.value(unknown("the recording has no length"))
}
