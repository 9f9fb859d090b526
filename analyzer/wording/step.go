package wording

import (
	"fmt"
	"math"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// When something else that was different at a step is told.
const (
	othersMatter = 0.1 // of the change of the rate, by how much that of others changed
	sizesMatter  = 2   // by how many times operations were larger
	modesMatter  = 0.5 // of the bytes that went another way about the page cache
)

// Step says what is known of a step beside its rates, each in a sentence: what the time of the same bytes went to, and
// what else was different. None of it is a cause by itself.
func Step(s *profile.Step) (facts []string) {
	if more, parts := unit.Nanoseconds(max(s.AfterNS-s.BeforeNS, s.BeforeNS-s.AfterNS)), stepParts(s); parts != "" {
		verb := "longer"
		if s.AfterNS < s.BeforeNS {
			verb = "less"
		}
		facts = append(facts, fmt.Sprintf("Each MB took %s %s: %s.", more, verb, parts))
	}
	if s.DeviceToo {
		facts = append(facts, "The device itself changed: it moved another number of bytes per time in which it was busy.")
	}
	if s.Limit != "" {
		facts = append(facts, s.Limit+".")
	}
	if math.Abs(float64(s.OthersAfter-s.OthersBefore)) > othersMatter*math.Abs(float64(s.After-s.Before)) {
		facts = append(facts, fmt.Sprintf("Others moved %s before, %s after.", unit.Speed(s.OthersBefore),
			unit.Speed(s.OthersAfter)))
	}
	if was, is := s.SizeBefore, s.SizeAfter; was > 0 && (sizesMatter*is < was || is > sizesMatter*was) {
		facts = append(facts, fmt.Sprintf("Operations had %s on average before, %s after.", unit.BlockSize(was),
			unit.BlockSize(is)))
	}
	if math.Abs(s.DirectAfter-s.DirectBefore) > modesMatter {
		facts = append(facts, fmt.Sprintf("Of the bytes %s went past the page cache before, %s after.",
			unit.Share(s.DirectBefore), unit.Share(s.DirectAfter)))
	}
	return facts
}

// stepParts are the parts of the time of a step that changed as it did, as shares of the change.
func stepParts(s *profile.Step) string {
	var list []string
	for _, p := range s.Parts {
		if share := float64(p.AfterNS-p.BeforeNS) / float64(s.AfterNS-s.BeforeNS); share > 0 {
			list = append(list, unit.Share(min(share, 1))+" of that "+p.Text)
		}
	}
	return strings.Join(list, "; ")
}
