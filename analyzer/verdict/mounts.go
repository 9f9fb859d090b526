package verdict

import (
	"path"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// synchronousNaming is for changes of names that wait until they are safe, although nobody asks for that: a mount or a
// directory does.
func synchronousNaming(a *account) {
	why, remedy := synchronousNames(a.p)
	if why == "" || a.along() == nil {
		return
	}
	a.because(profile.Reason{
		Code: cause.Sync, Name: "waiting until names were safe", Certainty: cause.Likely,
		TimeNS:   a.takeWithin(changesNames, onReads, onWrites, onFlush, onQueue, onNothing, inCall, inSync),
		Text:     "each change of a name waited until it was durable: " + why,
		Evidence: []profile.Evidence{a.thread("blocked_in_call")}, Remedy: remedy,
	})
}

// changesNames reports whether an operation may change a name.
func changesNames(op trace.Op) bool {
	switch op {
	case trace.OpOpen, trace.OpRename, trace.OpUnlink, trace.OpLink, trace.OpSymlink, trace.OpMkdir:
		return true
	}
	return false
}

// synchronous says why writes wait, and changes the remedy where that is no flag of the program.
func synchronous(p *profile.Profile, remedy *string) string {
	f, _ := mostWritten(p)
	if f == nil || !f.Synchronous {
		return "O_SYNC, or a file system mounted so"
	}
	switch m := p.Trace.Mount(f.Mount); {
	case m == nil:
		return "a file system mounted so, or the attribute S"
	case m.Has("sync"):
		*remedy = m.Without("sync")
		return m.Point + " is mounted with sync"
	}
	*remedy = "chattr -S " + f.Path
	return path.Base(f.Path) + " has the attribute S"
}

// synchronousNames says why names wait, if they do, and what changes that.
func synchronousNames(p *profile.Profile) (text, remedy string) {
	if m := p.Trace.MountWith("dirsync", "wsync", "sync"); m != nil {
		return m.Point + " is mounted with " + m.Naming(), m.Without(m.Naming())
	}
	if dirs := p.Trace.SyncedDirs; len(dirs) > 0 {
		return dirs[0] + " has the attribute D or S", "chattr -DS " + dirs[0]
	}
	return "", ""
}
