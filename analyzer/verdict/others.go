package verdict

import (
	"fmt"
	"path"
	"slices"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// othersFirst is for the time in which requests of the workload waited in a queue while the device served those of
// others: the critical path tells of each whose it was. Where a limit holds the workload back, that is no matter of
// turns.
func othersFirst(a *account) {
	for i := range a.p.Devices {
		for _, u := range []use{onReads, onWrites, onFlush} {
			d := wording.DiskOf(a.p, i, u != onReads)
			ns := a.onPath(func(x *profile.PathPart) bool {
				at := &x.Place
				return at.Device == d.Name && at.What == "service" && at.By != "" && labels[at.Label] == u
			})
			if ns <= 0 || d.Flow != nil && limitOn(a, d, ns).used >= namedFrom {
				continue
			}
			r := besides(a, d, a.takeUpTo(ns, u))
			r.Certainty = cause.Measured
			r.Text += "; requests of its own waited in the queue until these were served"
			a.because(r)
		}
	}
}

// heedsClasses are the schedulers that have requests of the class idle wait for all others.
var heedsClasses = map[string]bool{"bfq": true, "mq-deadline": true}

// lastInLine says that others went first since the workload asked for that, if it did so for most of what it moved.
func lastInLine(d *wording.Disk, r *profile.Reason) {
	if !heedsClasses[d.Scheduler] || 2*d.IdleClass <= d.Moved() {
		return
	}
	r.Text = fmt.Sprintf("it has the I/O priority class idle, and %s has all others go first: %s", d.Scheduler, r.Text)
	r.Evidence = append(r.Evidence, at(path.Dir(d.Pointer)+"/idle_class_bytes", float64(d.IdleClass)))
	r.Remedy = "the usual class (ionice -c 2, or no ionice -c 3; IOSchedulingClass of systemd), or " + r.Remedy
}

// initialised says that the others are the thread of ext4 that initialises a new file system, if it is one of them. It
// ends by itself.
func initialised(d *wording.Disk, r *profile.Reason) {
	i := slices.IndexFunc(d.Foreign.Users, func(u profile.User) bool { return u.Kernel && u.Command == "ext4lazyinit" })
	if i < 0 {
		return
	}
	r.Text = fmt.Sprintf("ext4lazyinit, a thread of the kernel, initialised the inode tables of a new file system "+
		"(%s written): %s", unit.Bytes(d.Foreign.Users[i].Bytes), r.Text)
	r.Evidence = append(r.Evidence, at(fmt.Sprintf("%s/%d/bytes", shareOf(d, "users"), i),
		float64(d.Foreign.Users[i].Bytes)))
	r.Remedy = "wait until it has ended, or make file systems with mkfs.ext4 -E lazy_itable_init=0,lazy_journal_init=0"
	r.Experiment = ""
}
