package experiment

import (
	"fmt"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// pace is how long something that is done again and again takes: as it was announced, and as it did.
type pace struct {
	what string        // one of them
	said time.Duration // of one, as told last; 0: nothing was
	made int
	took time.Duration // all that were made
}

// wrong is by which factor what was said may be wrong until it is corrected.
const wrong = 1.5

// each is what one takes, as far as that is known.
func (p *pace) each() time.Duration {
	if p.made == 0 {
		return p.said
	}
	return p.took / time.Duration(p.made)
}

// add counts some that were made, and corrects what was said if it was wrong: a line, or nothing.
func (p *pace) add(made int, took time.Duration, left int) string {
	p.made += made
	p.took += took
	each, said := p.each(), p.said
	if left <= 0 || float64(each) < wrong*float64(said) && float64(said) < wrong*float64(each) {
		return ""
	}
	p.said = each
	text := fmt.Sprintf("So far %s took %s", unit.Things(int64(p.made), p.what), unit.Duration(p.took))
	if said > 0 {
		text += fmt.Sprintf(", not %s", unit.Duration(time.Duration(p.made)*said))
	}
	return text + fmt.Sprintf(": the %d that are left take about %s.\n", left, unit.Duration(time.Duration(left)*each))
}
