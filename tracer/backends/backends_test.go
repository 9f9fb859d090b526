package backends

import (
	"errors"
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// limited is a source that cannot attach, or has a limit.
type limited struct {
	tracer.Source
	name   string
	fails  error
	closed *int
}

func (l *limited) Name() string              { return l.name }
func (l *limited) Attach(tracer.Scope) error { return l.fails }
func (l *limited) Limits() []trace.Limit {
	return []trace.Limit{{Code: trace.LimitCode("of_" + l.name)}}
}
func (l *limited) Close() error                    { *l.closed++; return nil }
func makeBackend(l *limited) Backend               { return Backend{Name: l.name, Open: l.open} }
func (l *limited) open(int) (tracer.Source, error) { return l, nil }

// The first backend that can attach is taken, and its limits are those of the
// trace; only a system that lacks something is a reason to try the next.
func TestTheFirstBackendThatWorksIsTaken(t *testing.T) {
	busy := fmt.Errorf("taking the trace buffer: %w: fs_usage (process 812) owns it", tracer.ErrUnsupported)
	hidden := fmt.Errorf("looking for the probes of dtrace: %w: hidden", tracer.ErrUnsupported)
	denied := fmt.Errorf("taking the trace buffer: %w: run with sudo", tracer.ErrPermission)
	for _, test := range []struct {
		fails  [3]error
		asked  string
		taken  string // "" if none can be
		err    error
		warned bool
		closed int
	}{
		{taken: "kdebug", asked: Automatic},
		{taken: "fs_usage", asked: "fs_usage", fails: [3]error{busy}},
		{taken: "dtrace", asked: Automatic, fails: [3]error{busy}, warned: true, closed: 1},
		{taken: "fs_usage", asked: Automatic, fails: [3]error{busy, hidden}, warned: true, closed: 2},
		{asked: Automatic, fails: [3]error{busy, hidden, hidden}, err: busy, closed: 3},
		{asked: Automatic, fails: [3]error{denied}, err: denied, closed: 1},
		{asked: "kdebug", fails: [3]error{busy}, err: busy},
	} {
		closed := 0
		var list List
		for i, name := range []string{"kdebug", "dtrace", "fs_usage"} {
			list = append(list, makeBackend(&limited{name: name, fails: test.fails[i], closed: &closed}))
		}
		warned := error(nil)
		source, err := list.Open(test.asked, 0, func(err error) { warned = err })
		if err != nil {
			t.Fatal(err)
		}
		err = source.Attach(tracer.Scope{All: true})
		if !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
			t.Errorf("%+v: %v", test, err)
		}
		if (warned != nil) != test.warned || warned != nil && !errors.Is(warned, busy) {
			t.Errorf("%+v: warned of %v", test, warned)
		}
		if test.taken != "" && (source.Name() != test.taken || source.Limits()[0].Code != trace.LimitCode("of_"+test.taken)) {
			t.Errorf("%+v: %s with the limits %v", test, source.Name(), source.Limits())
		}
		if closed != test.closed {
			t.Errorf("%+v: %d sources closed", test, closed)
		}
	}
}

// A right that is missing is a reason to take a backend that needs none, and no other.
func TestWithoutRights(t *testing.T) {
	denied := fmt.Errorf("loading the probes: %w: run with sudo", tracer.ErrPermission)
	absent := fmt.Errorf("looking for strace: %w: install it", tracer.ErrUnsupported)
	for _, there := range []bool{true, false} {
		closed, warned := 0, error(nil)
		strace := makeBackend(&limited{name: "strace", closed: &closed})
		if !there {
			strace = makeBackend(&limited{name: "strace", fails: absent, closed: &closed})
		}
		strace.Unprivileged = true
		list := List{makeBackend(&limited{name: "ebpf", fails: denied, closed: &closed}),
			makeBackend(&limited{name: "dtrace", closed: &closed}), strace}
		source, err := list.Open(Automatic, 0, func(err error) { warned = err })
		if err != nil {
			t.Fatal(err)
		}
		err = source.Attach(tracer.Scope{})
		switch {
		case there && (err != nil || source.Name() != "strace" || !errors.Is(warned, denied)):
			t.Errorf("%v, warned of %v", err, warned)
		case !there && (!errors.Is(err, denied) || !errors.Is(err, absent)):
			t.Errorf("without strace: %v", err)
		}
	}
}
