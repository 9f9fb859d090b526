package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
)

// What to do in place of looking names up.
const (
	fewerPlaces = "fewer places to look in, or list each of them once"
	keepMissing = "keep in mind what was not there"
	leaveOut    = "leave out what need not be looked at"
)

// fewestLookups is from how many calls on names on that these can be the work.
const fewestLookups = 1000

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
	case m.MostCount >= fewestLookups:
		o.say("looked_for", "/lookups/missing", fmt.Sprintf("%s, which is not there, was looked for %s (%s in all found "+
			"nothing); %s.", visible.Shorten(m.Most, 40), unit.Things(m.MostCount, "time"),
			unit.Things(m.Lookups, "lookup"), keepMissing), lookups,
			number("/lookups/missing/most_lookups", float64(m.MostCount)))
		o.instead(keepMissing)
	}
}

// lookedAt is for files that are only looked at, if they are most of the files.
func lookedAt(o *observer) {
	l := o.p.Lookups
	if l == nil || l.Looked.Files < fewestLookups || l.Looked.Files < 2*l.Looked.Others || !o.namesCost() {
		return
	}
	at := &l.Looked
	evidence := []profile.Evidence{number("/lookups/looked_at/files", float64(at.Files)),
		number("/lookups/looked_at/other_files", float64(at.Others))}
	text := unit.Things(at.Files, "file")
	if at.Under != "" {
		text = fmt.Sprintf("%s below %s", unit.Things(at.UnderFiles, "file"), named(at.Under))
		evidence = append(evidence, number("/lookups/looked_at/under_files", float64(at.UnderFiles)))
	}
	o.say("looked_at", "/lookups/looked_at", fmt.Sprintf("%s were only looked at, neither read nor changed; %s.", text,
		leaveOut), evidence...)
	o.instead(leaveOut)
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
