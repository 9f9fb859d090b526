package path

// due is when something about a walk becomes known without an event of its thread: the path comes back from a thread
// that was waited for, or nothing earlier can tell any more what a wait was for.
type due struct {
	at    int64
	walk  *Walk
	stamp uint32 // of the walk then; a later one makes it void
}

// dues hand back the latest first.
type dues []due

func (q *dues) push(d due) {
	*q = append(*q, d)
	s := *q
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if s[up].at >= s[i].at {
			return
		}
		s[up], s[i] = s[i], s[up]
		i = up
	}
}

func (q *dues) pop() due {
	s := *q
	first, n := s[0], len(s)-1
	s[0] = s[n]
	s[n] = due{}
	s = s[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && s[c+1].at > s[c].at {
			c++
		}
		if s[i].at >= s[c].at {
			break
		}
		s[i], s[c] = s[c], s[i]
		i = c
	}
	*q = s
	return first
}
