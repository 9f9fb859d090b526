package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/internal/unit"
)

// keepMade is what to do in place of names that are made each time.
const keepMade = "make them once and keep them (a sandbox, a checkout, a directory that is used again)"

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
