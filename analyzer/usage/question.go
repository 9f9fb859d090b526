package usage

import (
	"net/netip"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// socket is one that a process has, with what was asked over it.
type socket struct {
	peer  string // that it was connected to
	open  []*question
	heard map[string]bool // who has sent something and was not answered: what is sent there asks nothing
}

// question is a connect, or what was sent, of which nothing has come yet. A socket that is connected has one, another
// one of each address.
type question struct {
	to       *profile.Connection
	connects bool
	since    int64
	waited   int64
}

const (
	maxOpen  = 8  // questions of a socket
	maxHeard = 64 // addresses that a socket has heard of
)

// begin adds a question. The oldest is given up if there are too many.
func (s *socket) begin(q *question) {
	if len(s.open) >= maxOpen {
		s.open[0].ends(false)
		s.open = slices.Delete(s.open, 0, 1)
	}
	s.open = append(s.open, q)
}

// connects reports whether a connection is being made.
func (s *socket) connects() bool { return len(s.open) == 1 && s.open[0].connects }

// asks reports whether something was asked of an address already.
func (s *socket) asks(address string) bool {
	return slices.ContainsFunc(s.open, func(q *question) bool { return q.to.Address == address })
}

// waits adds time that a thread did nothing else.
func (s *socket) waits(from, to int64) {
	for _, q := range s.open {
		q.waited += max(to-max(from, q.since), 0)
	}
}

// hears takes what came from an address, "" if it is not known from which. It answers what was asked of that address,
// or of many.
func (s *socket) hears(from string) {
	answers := func(q *question) bool { return from == "" || q.to.Address == from || ofMany(q.to.Address) }
	if s.answered(answers) || from == "" || from == s.peer {
		return
	}
	if s.heard == nil || len(s.heard) >= maxHeard {
		s.heard = map[string]bool{}
	}
	s.heard[from] = true
}

// answered ends some questions, and reports whether there were any.
func (s *socket) answered(which func(*question) bool) bool {
	n := len(s.open)
	s.open = slices.DeleteFunc(s.open, func(q *question) bool {
		ends := which(q)
		if ends {
			q.ends(true)
		}
		return ends
	})
	return len(s.open) < n
}

// settle ends all questions.
func (s *socket) settle(answered bool) {
	for _, q := range s.open {
		q.ends(answered)
	}
	s.open = nil
}

// ends counts a question, and what was waited for it.
func (q *question) ends(answered bool) {
	to := q.to
	to.WaitNS, to.LongestNS = to.WaitNS+q.waited, max(to.LongestNS, q.waited)
	if !q.connects {
		to.Asked++
	}
	switch {
	case answered:
	case q.connects:
		to.Unmet, to.UnmetNS = to.Unmet+1, to.UnmetNS+q.waited
	default:
		to.Unanswered, to.VainNS = to.Unanswered+1, to.VainNS+q.waited
	}
}

// ofMany reports whether an address is that of a group, or of all: who answers has another.
func ofMany(address string) bool {
	a, err := netip.ParseAddrPort(address)
	ip := a.Addr().Unmap()
	return err == nil && (ip.IsMulticast() || ip == netip.AddrFrom4([4]byte{255, 255, 255, 255}))
}
