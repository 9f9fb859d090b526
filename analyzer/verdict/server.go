package verdict

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// asked is a procedure of a server that the path led to.
type asked struct {
	place   profile.PathPlace // of the longest part
	ns      int64             // of the path, in all
	device  string            // of the server that took most of that, where the server was recorded
	drive   int64             // in which the server waited for it
	devices map[string]int64
}

// mostAsked is what took most of the path of what servers were asked for; nil if nothing did.
func mostAsked(a *account) (most *asked) {
	type key struct{ server, procedure string }
	by := map[key]*asked{}
	for _, x := range a.along() {
		p := &x.Place
		if p.RPC == "" {
			continue
		}
		k := key{p.Server, p.RPC}
		if by[k] == nil {
			by[k] = &asked{place: *p, devices: map[string]int64{}}
		}
		one := by[k]
		one.ns += x.NS
		one.place.RPCBytes = max(one.place.RPCBytes, p.RPCBytes)
		one.waited(&x)
		if most == nil || one.ns > most.ns {
			most = one
		}
	}
	return most
}

// waited adds a part in which a device of the server had to serve it.
func (o *asked) waited(x *profile.PathPart) {
	d := x.Place.Device
	if d == "" {
		return
	}
	if o.devices[d] += x.NS; o.devices[d] > o.drive {
		o.device, o.drive = d, o.devices[d]
	}
}

// byProcedure words what the server of a file system was asked for most of the time, and what makes that less, if the
// path shows it.
func byProcedure(a *account, r *profile.Reason, where string) {
	most := mostAsked(a)
	if most == nil {
		return
	}
	r.Text = fmt.Sprintf("waiting for %s, which serves %s, for %s",
		wording.RPC(&most.place), where, unit.Nanoseconds(most.ns))
	a.figure("procedure_ns", float64(most.ns))
	if most.device != "" {
		r.Text += fmt.Sprintf(", of which its drive %s took %s", most.device, unit.Nanoseconds(most.drive))
		a.figure("server_drive_ns", float64(most.drive))
	}
	for i := range a.p.ServerRequests {
		q := &a.p.ServerRequests[i]
		if q.Server != most.place.Server || q.Procedure != most.place.RPC {
			continue
		}
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/server_requests/%d/flow/count", i), float64(q.Flow.Count)))
		if remedy := lessAsked(a.p, q); remedy != "" {
			r.Remedy = remedy
		}
		return
	}
}

// largeRequest is what clients and servers of today agree on, unless they are told otherwise.
const largeRequest = 1 << 20

const faster = "a faster network or server"

// lessAsked says what makes less of the time in a procedure; "" if nothing about it does.
func lessAsked(p *profile.Profile, q *profile.ServerRequests) string {
	if q.Protocol == trace.ProtocolSMB.String() {
		return lessAskedSMB(p, q)
	}
	switch {
	case q.Flow.Bytes == 0:
		return ""
	case q.Queued.Sum > q.Answered.Sum:
		return "several connections (nconnect), as requests waited longer to be sent than to be answered; " + faster
	case q.Flow.Depth.MeanBusy < wording.Queued:
		return "more requests in flight: " + onTheWay(p, "more readahead, several files or threads in parallel") + "; " +
			faster
	case q.Flow.Size.P50 < largeRequest:
		return "larger requests (rsize, wsize); " + faster
	}
	return faster
}

// lessAskedSMB is the same for SMB, with the options of mount.cifs. When requests were sent is not known there.
func lessAskedSMB(p *profile.Profile, q *profile.ServerRequests) string {
	switch {
	case q.Flow.Bytes == 0 && slices.Contains(namesAndAttributes, q.Procedure):
		return "attributes that are kept for longer (actimeo), if no other client changes the files; " + faster
	case q.Flow.Bytes == 0:
		return ""
	case q.Flow.Depth.MeanBusy < wording.Queued:
		return "more requests in flight: " + onTheWay(p, "more readahead (rasize), several files or threads in parallel") +
			"; " + faster
	case q.Flow.Size.P50 < largeRequest:
		return "larger requests (rsize, wsize; cache=strict, not none); " + faster
	}
	return "several connections (multichannel, max_channels); " + faster
}

// namesAndAttributes are the commands that look files up.
var namesAndAttributes = []string{"CREATE", "CLOSE", "QUERY_INFO", "QUERY_DIRECTORY"}
