package whatif

// gone is no request, and the end of a list of them.
const gone = -1

// nowhere are the beginnings of so many empty lists.
func nowhere(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = gone
	}
	return list
}

// followers are the requests that are asked for after something else, not by a
// recorded thread.
type followers struct {
	first [3][]int32 // after each mark, completion and asking
	next  []int32    // of requests: the next one after the same
}

func newFollowers(p *Program) followers {
	n := len(p.Requests)
	f := followers{first: [3][]int32{nowhere(p.Marks), nowhere(n), nowhere(n)}, next: nowhere(n)}
	for i := len(p.Causes) - 1; i >= 0; i-- {
		switch c := p.Causes[i]; c.What {
		case AfterMark, AfterDone, AfterAsked:
			first := &f.first[c.What-AfterMark][c.Index]
			f.next[i], *first = *first, int32(i)
		}
	}
	return f
}

// of is the first request that follows something, gone if none does.
func (f *followers) of(what anchorKind, n int32) int32 { return f.first[what-AfterMark][n] }
