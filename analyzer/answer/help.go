package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// help is what would help against the first cause, or how to know more where that is not sure.
func help(p *profile.Profile) (label, text string) {
	switch {
	case cloned(p) != "":
		return Try, "nothing: this says nothing about the speed of a drive"
	case len(p.Verdict.Causes) == 0:
		if p.Trace.Sees(string(trace.LimitNoDurations)) {
			return FindOut, ""
		}
		return FindOut, verdict.Recording(p)
	case verdict.Unwaited(p) && ending(p) != "returned":
		return Try, "" // what it said of it need not be durable
	}
	c := &p.Verdict.Causes[0]
	if c.Certainty != cause.Measured && c.Experiment != "" {
		return FindOut, c.Experiment
	}
	if c.Code == cause.OwnCPU && verdict.Brief(c.TimeNS) {
		return Try, "nothing to fix: it is short"
	}
	if instead := oneCall(p, c); instead != "" {
		return Try, instead
	}
	text = against(p, c)
	if next := behind(p); next != nil && next.Certainty == cause.Measured { // its own part is left when others are gone
		if own, _, _ := strings.Cut(against(p, next), "; "); own != "" {
			text = strings.TrimPrefix(strings.TrimSuffix(text, "; ")+andThen+own, andThen)
		}
	}
	return Try, text
}

// andThen stands between what helps against the work of others and what helps against the program's own.
const andThen = ", and then "

// against is what helps against a cause: to leave out the work that it is of, if that can be.
func against(p *profile.Profile, c *profile.Reason) string {
	instead := unneeded(p, c)
	if instead == "" {
		return c.Remedy
	}
	if first, rest, _ := strings.Cut(c.Remedy, "; "); strings.HasPrefix(instead, first) { // it is said with what is added
		return strings.TrimSuffix(instead+"; "+rest, "; ")
	}
	return instead + "; " + c.Remedy
}

// firstRead reports whether a note is of a file that was read over and over, while a cause with most of the time is
// that a device was read for it: once. What came from memory after that took the rest.
func firstRead(p *profile.Profile, o *profile.Sentence, c *profile.Reason) bool {
	var i int
	if n, err := fmt.Sscanf(o.Subject, "/files/%d", &i); n != 1 || err != nil || i >= len(p.Files) || o.Code != "rewound" {
		return false
	}
	f := &p.Files[i]
	device := c.Code == cause.DeviceLatency || c.Code == cause.DeviceBandwidth
	return device && 2*c.Share > 1 && f.DeviceRead != nil && f.DeviceRead.Bytes > 0 &&
		float64(f.DeviceRead.Bytes) < amplifiedBy*float64(f.Size)
}

// worked are the causes that are less where less is done.
var worked = map[string]bool{
	cause.DeviceLatency: true, cause.DeviceBandwidth: true, cause.PageCache: true, cause.OwnCPU: true, cause.Sync: true,
	cause.Settling: true, cause.Names: true, cause.Discards: true, cause.DirtyLimit: true, cause.UserSpaceFS: true,
	cause.NetworkFS: true,
}

// lessens are the causes that work of a kind is behind, where it is not behind all of these: names that are looked up
// are no bytes at a drive, and bytes are no calls.
var lessens = map[string]map[string]bool{
	"reopened": onNames, "reopened_all": onNames, "listed_again": onNames, "looked_for": onNames,
	"looked_at":     onLooks,
	"looked_again":  {cause.Names: true, cause.OwnCPU: true, cause.DeviceLatency: true},
	"renamed_again": onNames, "made_again": onNames, "resolved_again": onNames,
	"reread": onReads, "for_little": onReads,
	"copied_on_write": {cause.DeviceBandwidth: true, cause.DirtyLimit: true, cause.Settling: true}, // fewer bytes
	"by_turns":        {cause.DeviceLatency: true, cause.DeviceBandwidth: true, cause.Readahead: true},
	"scattered":       {cause.DeviceLatency: true, cause.Names: true},
	"packed_here":     {cause.OwnCPU: true, cause.PageCache: true},
	"mount_unindexed": {cause.Names: true, cause.OwnCPU: true},
	"mount_quotas":    {cause.Names: true, cause.Sync: true, cause.OwnCPU: true, cause.BlockedInCall: true},
	"copied_again":    onCopies, "temporary_files": onCopies, "handed_over": onCopies, "via_temporary": onCopies,
	"not_kept": {cause.MappedReads: true, cause.DeviceLatency: true, cause.DeviceBandwidth: true, cause.Names: true,
		cause.OwnCPU: true, cause.PageCache: true},
	"not_made":     {cause.OwnCPU: true, cause.DeviceLatency: true, cause.Names: true, cause.PageCache: true},
	"synced_new":   {cause.Names: true, cause.Discards: true}, // what is said of syncs has its own remedy
	"synced_over":  {cause.DeviceBandwidth: true, cause.DirtyLimit: true, cause.Sync: true, cause.DeviceLatency: true},
	"written_over": {cause.DeviceBandwidth: true, cause.DirtyLimit: true},
	"shifted":      onWrites, "cut_small": onRequests,
	"removed_first": onAnything, "written_anew": onCopies, "mapped_written": onWrites, "core_dump": onDumps,
	"rewritten": {cause.DeviceBandwidth: true, cause.DirtyLimit: true, cause.Settling: true, cause.Sync: true,
		cause.PageCache: true, cause.OwnCPU: true}, // a drive is asked once, and then the page cache
	"growing_log": onSyncs,
	"zeros": {cause.DeviceBandwidth: true, cause.DirtyLimit: true, cause.Settling: true,
		cause.PageCache: true}, // what their bytes take, which syncs do not
}

// onCopies are the causes of what copies take: whoever computes is no copier.
var onCopies = map[string]bool{
	cause.DeviceLatency: true, cause.DeviceBandwidth: true, cause.PageCache: true, cause.Sync: true, cause.Settling: true,
	cause.Names: true, cause.DirtyLimit: true, cause.UserSpaceFS: true, cause.NetworkFS: true,
}

// onAnything are all causes that work is behind: none of it is done for what is left as it is.
var onAnything = map[string]bool{
	cause.DeviceLatency: true, cause.DeviceBandwidth: true, cause.PageCache: true, cause.Sync: true, cause.Settling: true,
	cause.Names: true, cause.DirtyLimit: true, cause.UserSpaceFS: true, cause.NetworkFS: true, cause.OwnCPU: true,
}

// onWrites are the causes of what takes bytes that are written, whoever has them written.
var onWrites = map[string]bool{
	cause.DeviceBandwidth: true, cause.DeviceLatency: true, cause.DirtyLimit: true, cause.Settling: true, cause.Sync: true,
}

// onSyncs are the causes of what syncs take, whoever makes data safe. A process that serves files has its own.
var onSyncs = map[string]bool{
	cause.Sync: true, cause.Settling: true, cause.DeviceLatency: true, cause.DeviceBandwidth: true, cause.NetworkFS: true,
}

// onRequests are the causes of what takes as many requests as it is cut into.
var onRequests = map[string]bool{
	cause.DeviceBandwidth: true, cause.DeviceLatency: true, cause.DirtyLimit: true, cause.Settling: true, cause.Sync: true,
	cause.Readahead: true, cause.MappedReads: true,
}

// onDumps are the same as onWrites, and the kernel's own time to gather what is written.
var onDumps = map[string]bool{
	cause.DeviceBandwidth: true, cause.DeviceLatency: true, cause.DirtyLimit: true, cause.Settling: true,
	cause.OwnCPU: true,
}

// onReads are the causes of what takes data that is read: no writes, and no syncs.
var onReads = map[string]bool{
	cause.DeviceLatency: true, cause.DeviceBandwidth: true, cause.PageCache: true, cause.OwnCPU: true, cause.Names: true,
	cause.UserSpaceFS: true, cause.NetworkFS: true,
}

// onNames are the causes of what takes names of files.
var onNames = map[string]bool{
	cause.Names: true, cause.OwnCPU: true, cause.PageCache: true, cause.UserSpaceFS: true, cause.NetworkFS: true,
}

// onLooks are the causes of what takes looks at files: names, and what a drive reads of their descriptions. Where a
// server answers, it is said what its answers take.
var onLooks = map[string]bool{
	cause.Names: true, cause.OwnCPU: true, cause.DeviceLatency: true,
}

// unneeded is what to do in place of the first kind of work that need not be done and that a cause is of.
func unneeded(p *profile.Profile, c *profile.Reason) string {
	code := c.Code
	for i := range p.Observations {
		o := &p.Observations[i]
		of := lessens[o.Code]
		if of == nil {
			of = worked
		}
		if o.Instead != "" && of[code] && !firstRead(p, o, c) && (code != cause.OwnCPU || !computedElsewhere(p, o.Subject)) {
			return o.Instead
		}
	}
	return ""
}

// computedElsewhere reports whether the process that computed most did not use the file that a note is about: what is
// done to the file by others is not what it computes of. Where a file has as many users as are listed it may be one.
func computedElsewhere(p *profile.Profile, subject string) bool {
	var i int
	if n, err := fmt.Sscanf(subject, "/files/%d", &i); n != 1 || err != nil || i >= len(p.Files) {
		return false
	}
	var most *profile.Process
	var all int64
	for i := range p.Processes {
		x := &p.Processes[i]
		if all += max(x.CPUNS, 0); most == nil || x.CPUNS > most.CPUNS {
			most = x
		}
	}
	users := p.Files[i].Processes
	return most != nil && 2*most.CPUNS > all && len(users) < profile.MaxUsers && !slices.Contains(users, most.PID)
}

// whatIf is how long it would have taken with the changes that are offered, and what has to be so.
func whatIf(p *profile.Profile) string {
	var list []string
	if verdict.Unwaited(p) {
		return ""
	}
	for i := range p.Verdict.Offered {
		w := &p.Verdict.Offered[i]
		took, r := p.Until(w)
		text := fmt.Sprintf("%s: %s (%s), not %s", w.Name, unit.Nanoseconds(r.NS), between(&r), unit.Nanoseconds(took))
		if w.If != "" {
			text += ", " + w.If
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// between is an interval of times; a unit that both ends have is said once.
func between(r *profile.Range) string {
	low, high := unit.Nanoseconds(r.Low), unit.Nanoseconds(r.High)
	if from, u, ok := strings.Cut(low, " "); ok && strings.HasSuffix(high, " "+u) {
		low = from
	}
	return low + " to " + high
}
