package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
)

// Collector answers one question about a trace. It is shown the events it has
// methods for, in the order of their starts, and in the end it puts its answer
// into the profile, which holds those of the collectors before it. It knows no
// other collector.
type Collector interface {
	Finish(*profile.Profile)
}

// The events that a collector can ask for.
type (
	callTaker    interface{ Call(*world.Call) }
	noDataTaker  interface{ NoData(*world.Call) } // calls that move no data: of the others there are accesses
	asyncTaker   interface{ Async(*world.Async) }
	accessTaker  interface{ Access(*world.Access) }
	dataTaker    interface{ Data(*world.Access) } // accesses to files that hold data
	faultTaker   interface{ Fault(*world.Fault) }
	waitTaker    interface{ Wait(*world.Wait) }
	queuedTaker  interface{ Queued(*world.Request) }
	requestTaker interface{ Request(*world.Request) }
	rpcTaker     interface{ RPC(*world.RPC) }
	lifeTaker    interface{ Life(*world.Life) }
	startTaker   interface{ Start(*world.Start) }
	labelTaker   interface {
		Label(k timeline.Kind, from, to int64)
	}
)

// chain is collectors that see each event one after the other. Chains run side
// by side: what is passed on within one, such as the sizes of files, is not to
// be read in another before the end.
type chain struct {
	calls    []callTaker
	noData   []noDataTaker
	asyncs   []asyncTaker
	accesses []accessTaker
	data     []dataTaker
	faults   []faultTaker
	waits    []waitTaker
	queued   []queuedTaker
	requests []requestTaker
	rpcs     []rpcTaker
	lives    []lifeTaker
	starts   []startTaker
	labels   []labelTaker
}

// take appends v to a list if it has what the list asks for.
func take[T any](list *[]T, v Collector) {
	if t, ok := v.(T); ok {
		*list = append(*list, t)
	}
}

func newChain(list ...Collector) *chain {
	c := &chain{}
	for _, v := range list {
		take(&c.calls, v)
		take(&c.noData, v)
		take(&c.asyncs, v)
		take(&c.accesses, v)
		take(&c.data, v)
		take(&c.faults, v)
		take(&c.waits, v)
		take(&c.queued, v)
		take(&c.requests, v)
		take(&c.rpcs, v)
		take(&c.lives, v)
		take(&c.starts, v)
		take(&c.labels, v)
	}
	return c
}

// label is what hands on the stretches of the time stack.
func (c *chain) label() func(k timeline.Kind, from, to int64) {
	if len(c.labels) == 1 {
		return c.labels[0].Label
	}
	return func(k timeline.Kind, from, to int64) {
		for _, v := range c.labels {
			v.Label(k, from, to)
		}
	}
}

// show hands each event of a run to each collector in turn.
func (c *chain) show(r *world.Run) {
	for _, at := range r.Order {
		switch i := at.Index; at.Kind {
		case world.ACall:
			for _, v := range c.noData {
				v.NoData(&r.Calls[i])
			}
			for _, v := range c.calls {
				v.Call(&r.Calls[i])
			}
		case world.ADataCall:
			for _, v := range c.calls {
				v.Call(&r.Calls[i])
			}
		case world.AnAsync:
			for _, v := range c.asyncs {
				v.Async(&r.Asyncs[i])
			}
		case world.AnAccess:
			for _, v := range c.accesses {
				v.Access(&r.Accesses[i])
			}
		case world.AData:
			for _, v := range c.accesses {
				v.Access(&r.Accesses[i])
			}
			for _, v := range c.data {
				v.Data(&r.Accesses[i])
			}
		case world.AFault:
			for _, v := range c.faults {
				v.Fault(&r.Faults[i])
			}
		case world.AWait:
			for _, v := range c.waits {
				v.Wait(&r.Waits[i])
			}
		case world.AQueued:
			for _, v := range c.queued {
				v.Queued(&r.Requests[i])
			}
		case world.ARequest:
			for _, v := range c.requests {
				v.Request(&r.Requests[i])
			}
		case world.AnRPC:
			for _, v := range c.rpcs {
				v.RPC(&r.RPCs[i])
			}
		case world.ALife:
			for _, v := range c.lives {
				v.Life(&r.Lives[i])
			}
		case world.AStart:
			for _, v := range c.starts {
				v.Start(&r.Starts[i])
			}
		}
	}
}

// chains run side by side, and beside what resolves the next events for them.
type chains struct {
	work  []chan *world.Run
	seen  []chan struct{} // of each chain, one for each run that it has been through
	taken int             // runs
	done  int             // of them, by all chains
	freed int             // had been taken at the last Flush
}

func newChains(list ...*chain) *chains {
	c := &chains{}
	for _, x := range list {
		work, seen := make(chan *world.Run, world.Ahead), make(chan struct{}, world.Ahead)
		c.work, c.seen = append(c.work, work), append(c.seen, seen)
		go func() {
			for r := range work {
				x.show(r)
				seen <- struct{}{}
			}
		}()
	}
	return c
}

// Take shows a run to all chains, and waits for the slowest of them to be through
// with what was taken long before.
func (c *chains) Take(r *world.Run) {
	for _, w := range c.work {
		w <- r
	}
	c.taken++
	c.wait(c.taken - world.Ahead)
}

// Flush waits for what was taken before the last Flush.
func (c *chains) Flush() {
	c.wait(c.freed)
	c.freed = c.taken
}

// wait returns when all chains are through with the first n runs.
func (c *chains) wait(n int) {
	for ; c.done < n; c.done++ {
		for _, s := range c.seen {
			<-s
		}
	}
}

// close ends the chains.
func (c *chains) close() {
	c.wait(c.taken)
	for _, w := range c.work {
		close(w)
	}
}
