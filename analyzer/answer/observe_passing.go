package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/internal/unit"
)

// keepMade is what to do in place of names that are made each time.
const keepMade = "make them once and keep them (a sandbox, a checkout, a directory that is used again)"

// mergeLess is what to do in place of files that are written for a while.
const mergeLess = "a larger buffer before files are written, so that less is merged (compaction); files in memory"

// deletedAgain is for what was written to files that were deleted again and that no calls read back, if that is most of
// what was written: so it is where files are merged into others again and again.
func deletedAgain(o *observer) {
	x := o.p.Passing
	_, wrote := o.p.ByCalls()
	if x == nil || x.Removed < fewestLookups || x.Bytes < amplifiedBytes || 2*x.Bytes <= wrote || o.said("saved") ||
		o.said("copied_again") {
		return
	}
	o.say("deleted_again", "/passing", fmt.Sprintf("%s were deleted again, with %s of the %s written; %s.",
		unit.Things(x.Removed, "new file"), unit.Bytes(x.Bytes), unit.Bytes(wrote), mergeLess),
		number("/passing/bytes", float64(x.Bytes)), number("/passing/removed", float64(x.Removed)))
	o.instead(mergeLess)
}

// passing is for names that were made and removed again, if these are most that were made, and made again and again.
func passing(o *observer) {
	x := o.p.Passing
	if x == nil || x.Removed < fewestLookups || 2*x.Removed <= x.Made || x.Removed < fewestTimes*x.Different ||
		!o.namesCost() {
		return
	}
	text := unit.Things(x.Removed, "name")
	if x.Under != "" {
		text += " below " + named(x.Under)
	}
	what := ""
	if 2*x.Links > x.Removed {
		what = ", most of symbolic links"
	}
	o.say("made_again", "/passing", fmt.Sprintf("%s were made and removed again, %s each%s; %s.", text,
		unit.Things(x.Removed/x.Different, "time"), what, keepMade), number("/passing/removed", float64(x.Removed)),
		number("/passing/different_names", float64(x.Different)))
	o.instead(keepMade)
}
