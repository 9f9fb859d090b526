package answer

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
)

// What to do in place of looking names up.
const (
	fewerPlaces  = "fewer places to look in, or list each of them once"
	keepPaths    = "keep what paths lead to (as PHP's realpath cache does, but not under open_basedir)"
	keepMissing  = "keep in mind what was not there"
	leaveOut     = "look at fewer, or keep what is known (as git's core.fsmonitor)"
	listFirst    = "list their directories, which tells all names at once, or look at fewer"
	beTold       = "be told of changes (inotify), or look less often"
	keepCompiled = "let it keep what it compiles (python: no PYTHONDONTWRITEBYTECODE)"
	noAttributes = "leave out ACLs and extended attributes, if nobody needs them; look at fewer files"
	keepNames    = "names that stay (by date, or counted on), as each new one renames all before it"
)

// fewestLookups is from how many calls on names on that these can be the work.
const fewestLookups = 1000

// fewestTimes is how often on average a program has to ask the same of each file, or rename it, that it is known to go
// through them again and again: to look at a file before and after its work is usual.
const fewestTimes = 8

// searchedPlaces is in how many directories a name has to be looked for on average, that it is searched for.
const searchedPlaces = 4

// namesCost reports whether calls on names took a part of the time that is worth telling, the longest of each kind
// left out, which may have waited for something else.
func (o *observer) namesCost() bool {
	return o.worthTelling(timeOnNames(o.p))
}

// missing is for names that are not there and are looked for in many places, or again and again.
func missing(o *observer) {
	l := o.p.Lookups
	if l == nil || l.Missing.Lookups < fewestLookups || !o.namesCost() {
		return
	}
	m := &l.Missing
	lookups := number("/lookups/missing/lookups", float64(m.Lookups))
	switch {
	case m.Places >= searchedPlaces && 2*m.Lookups > m.Lookups+l.Found:
		o.say("looked_for", "/lookups/missing", fmt.Sprintf("%s found nothing, in %s places for each name (on average); "+
			"%s.", unit.Things(m.Lookups, "lookup"), unit.Number(float64(m.Places)), fewerPlaces), lookups,
			number("/lookups/missing/places", float64(m.Places)))
		o.instead(fewerPlaces)
	case m.MostCount >= fewestLookups && !o.said("resolved_again"):
		o.say("looked_for", "/lookups/missing", fmt.Sprintf("%s was looked for %s and is not there (%s in all found "+
			"nothing); %s.", visible.Shorten(m.Most, 40), unit.Things(m.MostCount, "time"),
			unit.Things(m.Lookups, "lookup"), keepMissing), lookups,
			number("/lookups/missing/most_lookups", float64(m.MostCount)))
		o.instead(keepMissing)
	}
}

// resolvedAgain is for directories that are asked for again and again, as where each part of each path is looked at
// anew, if that is most of what was looked up.
func resolvedAgain(o *observer) {
	l := o.p.Lookups
	if l == nil || l.Within.Lookups < fewestLookups || l.Within.Lookups < fewestTimes*l.Within.Directories ||
		2*l.Within.Lookups <= max(l.Found+l.Missing.Lookups, lookupCalls(o.p)) || o.said("listed_again") || !o.namesCost() {
		return
	}
	o.say("resolved_again", "/lookups/within", fmt.Sprintf("%s asked for %s, %s each; %s.",
		unit.Things(l.Within.Lookups, "lookup"), unit.Things(l.Within.Directories, "directory", "directories"),
		unit.Things(l.Within.Lookups/l.Within.Directories, "time"), keepPaths),
		number("/lookups/within/lookups", float64(l.Within.Lookups)),
		number("/lookups/within/directories", float64(l.Within.Directories)))
	o.instead(keepPaths)
}

// lookupCalls is how many calls asked what there is of a name, of such as were made afterwards, too.
func lookupCalls(p *profile.Profile) (n int64) {
	for i := range p.Calls {
		switch c := &p.Calls[i]; c.Op {
		case trace.OpOpen, trace.OpStat, trace.OpReadlink:
			n += c.Count
		}
	}
	return n
}

// lookedAt is for files that are only looked at, if they are most of the files, or if most lookups go to them, again
// and again. Where these come with listings of their directory, those were told.
func lookedAt(o *observer) {
	l := o.p.Lookups
	if l == nil || l.Looked.Lookups < fewestLookups || !o.namesCost() {
		return
	}
	at := &l.Looked
	again := at.Lookups >= fewestTimes*at.Files && 2*at.Lookups > l.Found && !o.said("listed_again")
	if !again && (at.Files < fewestLookups || at.Files < 2*at.Others) {
		return
	}
	evidence := []profile.Evidence{number("/lookups/looked_at/files", float64(at.Files)),
		number("/lookups/looked_at/other_files", float64(at.Others))}
	text := unit.Things(at.Files, "file")
	if at.Under != "" {
		text = fmt.Sprintf("%s below %s", unit.Things(at.UnderFiles, "file"), named(at.Under))
		evidence = append(evidence, number("/lookups/looked_at/under_files", float64(at.UnderFiles)))
	}
	if again {
		o.say("looked_again", "/lookups/looked_at", fmt.Sprintf("%s were only looked at, %s each; %s.", text,
			unit.Things(at.Lookups/at.Files, "time"), beTold),
			append(evidence, number("/lookups/looked_at/lookups", float64(at.Lookups)))...)
		o.instead(beTold)
		return
	}
	how, instead := ", neither read nor changed", leaveOut
	if !listsIn(o.p, at.Under) {
		instead = listFirst
	}
	if n, index := attributeCalls(o.p); n >= at.Files {
		how, instead = fmt.Sprintf(": %s for ACLs and other attributes", unit.Things(n, "call")), noAttributes
		evidence = append(evidence, number(fmt.Sprintf("/calls/%d/count", index), float64(o.p.Calls[index].Count)))
	}
	o.say("looked_at", "/lookups/looked_at", fmt.Sprintf("%s were only looked at%s; %s.", text, how, instead),
		evidence...)
	o.instead(instead)
}

// listsIn reports whether directories were listed in or below one, or around it.
func listsIn(p *profile.Profile, dir string) bool {
	near := func(listed string) bool {
		return dir == "" || listed == "" || measure.Within(listed, dir) || measure.Within(dir, listed)
	}
	return slices.ContainsFunc(p.OpFiles, func(f profile.OpFiles) bool { // of several
		return f.Op == trace.OpReaddir && near(f.Under)
	}) || slices.ContainsFunc(p.Files, func(f profile.File) bool { return f.Directory != nil && near(f.Path) })
}

// attributeCalls is how many calls read or set attributes beside those that stat tells, and which of them is the most.
func attributeCalls(p *profile.Profile) (n int64, index int) {
	for i := range p.Calls {
		if c := &p.Calls[i]; c.Op == trace.OpXattr {
			if n == 0 || c.Count > p.Calls[index].Count {
				index = i
			}
			n += c.Count
		}
	}
	return n, index
}

// renamedAgain is for files that are renamed again and again, as logs that are counted backwards.
func renamedAgain(o *observer) {
	for i := range o.p.OpFiles {
		f := &o.p.OpFiles[i]
		if f.Op != trace.OpRename || f.UnderFiles < 2 || f.UnderCalls < fewestLookups ||
			f.UnderCalls < fewestTimes*f.UnderFiles || !o.namesCost() {
			continue
		}
		text, at := unit.Things(f.UnderFiles, "file"), fmt.Sprintf("/op_files/%d", i)
		if f.Under != "" {
			text += " below " + named(f.Under)
		}
		o.say("renamed_again", at, fmt.Sprintf("%s were renamed %s each; %s.", text,
			unit.Things(f.UnderCalls/f.UnderFiles, "time"), keepNames),
			number(at+"/under_files", float64(f.UnderFiles)), number(at+"/under_calls", float64(f.UnderCalls)))
		o.instead(keepNames)
	}
}

// notKept are the reasons for which nothing could be made.
var notKept = map[trace.Errno]string{
	trace.ErrAccess: "no permission", trace.ErrReadOnly: "read-only", trace.ErrNoSpace: "no space left",
	trace.ErrQuota: "the quota is used up",
}

// unkept is for what a program looks for, does not find and may not make either, as a cache that others are to find.
func unkept(o *observer) {
	if o.p.Lookups == nil || len(o.p.Lookups.Unkept) == 0 {
		return
	}
	var refused int64
	for i := range o.p.Lookups.Unkept {
		refused += o.p.Lookups.Unkept[i].Refused
	}
	u := &o.p.Lookups.Unkept[0]
	if refused < fewestTries {
		return
	}
	instead := "let it write to " + u.Path + ", so that the next run finds there what this one made"
	o.say("not_kept", "/lookups/unkept/0", fmt.Sprintf("Nothing could be kept in %s (%s), where %s looked for and not "+
		"there; %s.", visible.Shorten(u.Path, 40), notKept[trace.Errno(u.Errno)],
		unit.Things(u.Missed, "name was", "names were"), instead),
		number("/lookups/unkept/0/refused", float64(u.Refused)), number("/lookups/unkept/0/missed", float64(u.Missed)))
	o.instead(instead)
}

// unmade is for sources of which a program would have kept what it made, and does not, if they are most of what it
// used.
func unmade(o *observer) {
	l := o.p.Lookups
	if l == nil || l.Unmade == nil || l.Unmade.Files < wholeFiles || 2*l.Unmade.Files <= l.Looked.Others ||
		o.said("not_kept") {
		return
	}
	u := l.Unmade
	o.say("not_made", "/lookups/unmade", fmt.Sprintf("%s were read, as no %s of them was there, and none was made; %s.",
		unit.Things(u.Files, u.From+" file"), u.To, keepCompiled), number("/lookups/unmade/files", float64(u.Files)))
	o.instead(keepCompiled)
}
