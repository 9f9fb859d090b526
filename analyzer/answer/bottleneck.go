package answer

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// bottleneck names the first cause, with its share of the time and how sure it is.
func bottleneck(p *profile.Profile) string {
	if !p.Trace.Sees(string(trace.LimitPartial)) {
		return "not known: only some devices or files were recorded"
	}
	if method := cloned(p); method != "" {
		return fmt.Sprintf("none: no data was moved (%s)", method)
	}
	of := ""
	if o := p.Operations; o != nil {
		if of = inOperations; o.TotalNS == 0 {
			return "none: nothing was asked of it"
		}
	}
	if len(p.Verdict.Causes) == 0 {
		if !p.Trace.Sees(string(trace.LimitNoDurations)) {
			return "not known: the recording does not tell how long calls and requests took"
		}
		return "not known: the recording does not tell"
	}
	if verdict.Unwaited(p) {
		return fmt.Sprintf("none: it %s after %s; nothing waited for the write-back", ending(p),
			unit.Nanoseconds(p.WallNS))
	}
	c := &p.Verdict.Causes[0]
	text := fmt.Sprintf("%s, %s of %s%s", cause.Title(c.Code), unit.Share(c.Share), unit.Nanoseconds(total(p)), of)
	switch c.Certainty {
	case cause.Open:
		return "not known; perhaps " + text
	case cause.Likely:
		return fmt.Sprintf("%s (likely, %s)", text, unit.Share(c.Probability))
	}
	return fmt.Sprintf("%s (%s)", text, c.Certainty)
}

// ending says how a command ended.
func ending(p *profile.Profile) string {
	switch {
	case p.Signal() > 0:
		return "was ended"
	case p.ExitStatus > 0:
		return "exited"
	}
	return "returned"
}

// detail is what was seen of the first cause.
func detail(p *profile.Profile) string {
	if len(p.Verdict.Causes) == 0 || cloned(p) != "" || verdict.Unwaited(p) {
		return ""
	}
	return p.Verdict.Causes[0].Text
}

// leastNext is the share of the time from which on a cause is worth naming behind the first one.
const leastNext = 0.1

// next is the first cause of the program's own, where others had what it waited for most, or where a server slept, as
// it may be meant to. What was seen of it has a figure; without one it only says what such a cause is.
func next(p *profile.Profile) string {
	c := behind(p)
	if c == nil {
		return ""
	}
	if c.Code == cause.BlockedInCall { // its text says in what, as in a lock
		return fmt.Sprintf("%s: %s", unit.Share(c.Share), c.Text)
	}
	text := fmt.Sprintf("%s, %s", cause.Title(c.Code), unit.Share(c.Share))
	if strings.ContainsAny(c.Text, "0123456789") {
		text += ": " + c.Text
	}
	return text
}

// behind is the cause that next names.
func behind(p *profile.Profile) *profile.Reason {
	causes := p.Verdict.Causes
	if len(causes) == 0 {
		return nil
	}
	if c := causes[0].Code; !cause.Of(c).Others && (c != cause.ThinkTime || p.Operations == nil) {
		return nil
	}
	for i := range causes[1:] {
		c := &causes[i+1]
		switch {
		case cause.Of(c.Code).Others:
			continue
		case c.Share < leastNext || c.Certainty == cause.Open:
			return nil
		}
		return c
	}
	return nil
}

// smallWrites is how many times as much has to be cloned as was written besides.
const smallWrites = 10

// cloned is the method of copies that moved no data, if that is so of all of them, and nothing else was written: a
// program that renames what it has written copied nothing either, and yet the time went somewhere; so it did where what
// was renamed is empty, and where it read more than it linked, as to find what is alike, and took its time.
func cloned(p *profile.Profile) profile.Method {
	var linked int64
	unsized := false
	for i := range p.Copies {
		linked += p.Copies[i].Bytes
		unsized = unsized || p.Copies[i].SizeUnknown
		if p.Copies[i].Method.Moves() {
			return ""
		}
	}
	if read, _ := p.ByCalls(); read > linked && !unsized && !verdict.Brief(total(p)) {
		return ""
	}
	if len(p.Copies) == 0 || p.Omitted.Copies > 0 || linked == 0 && !unsized || writtenByCalls(p)*smallWrites > linked {
		return ""
	}
	return p.Copies[0].Method
}

// writtenByCalls is what calls wrote, clones and copies within the kernel left out.
func writtenByCalls(p *profile.Profile) (bytes int64) {
	for i := range p.Calls {
		if c := &p.Calls[i]; c.Op == trace.OpWrite {
			bytes += c.Bytes
		}
	}
	return bytes
}
