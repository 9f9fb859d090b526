package answer

import (
	"cmp"
	"fmt"
	"path"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// viaTemporary is for data that was copied to a file that went again, and from there to where it stays.
func viaTemporary(o *observer) {
	gone := map[string]*profile.File{}
	for i := range o.p.Files {
		if f := &o.p.Files[i]; f.Deleted {
			gone[f.Path] = f
		}
	}
	into := map[string]int{}
	for i := range o.p.Copies {
		c := &o.p.Copies[i]
		if gone[c.Destination] != nil {
			into[c.Destination] = i
		}
		if c.PartFiles > 1 && c.Bytes >= amplifiedBytes && gone[c.Parts[0]] != nil {
			at := fmt.Sprintf("/copies/%d", i)
			o.say("via_temporary", at, fmt.Sprintf("%s was written twice: through %s and %s, which were deleted afterwards; "+
				"parts that are written to their place in %s need no second copy.", named(c.Source), c.Parts[0],
				unit.Things(int64(c.PartFiles-1), "other file"), named(c.Destination)),
				number(at+"/part_files", float64(c.PartFiles)), number(at+"/bytes", float64(c.Bytes)))
			return
		}
		first, ok := into[c.Source]
		if !ok || o.p.Copies[first].Bytes < amplifiedBytes || c.Bytes < amplifiedBytes || c.Method == profile.ByRename {
			continue
		}
		at := fmt.Sprintf("/copies/%d", i)
		o.say("via_temporary", at, fmt.Sprintf("%s was written twice: through %s, which was deleted afterwards; a "+
			"temporary directory on the file system of %s makes the second copy a rename.", named(o.p.Copies[first].Source),
			c.Source, named(c.Destination)), number(at+"/bytes", float64(c.Bytes)),
			number(fmt.Sprintf("/copies/%d/bytes", first), float64(o.p.Copies[first].Bytes)))
		return
	}
}

// reasonKept is why data went through files that were deleted afterwards.
type reasonKept int

const (
	spilled  reasonKept = iota // one program keeps there what its memory does not hold
	passedOn                   // one program writes for another one
	readBack                   // one program writes all of it and reads all of it, once and in order, one file at a time
	copiedOn                   // it is copied from there to where it stays
	reasonsKept
)

// passage is what went through such files for one reason.
type passage struct {
	wrote, read, files int64
	largest            int // of p.Files
	evidence           []profile.Evidence
}

// add takes a file.
func (s *passage) add(i int, f *profile.File, p *profile.Profile) {
	if s.files++; s.files == 1 || f.Write.Bytes > p.Files[s.largest].Write.Bytes {
		s.largest = i
	}
	s.wrote, s.read = s.wrote+f.Write.Bytes, s.read+f.Read.Bytes
	if at := fmt.Sprintf("/files/%d", i); len(s.evidence) < fewestTries {
		s.evidence = append(s.evidence, number(at+"/write/bytes", float64(f.Write.Bytes)),
			number(at+"/read/bytes", float64(f.Read.Bytes)))
	}
}

// temporary is for data that went through files which were deleted afterwards: what a program's memory did not hold, as
// of a sort, or what one program wrote for another. A large copy by way of one is told of by itself.
func temporary(o *observer) {
	if o.said("via_temporary") {
		return
	}
	var all, through int64
	var by [reasonsKept]passage
	why := keeping(o.p)
	for i := range o.p.Files {
		f := &o.p.Files[i]
		if f.Type != trace.FileRegular || f.Write == nil {
			continue
		}
		all += f.Write.Bytes
		if passes(f) {
			through += f.Write.Bytes
			by[why(f)].add(i, f, o.p)
		}
	}
	most := spilled
	for k := range by {
		if by[k].wrote > by[most].wrote {
			most = reasonKept(k)
		}
	}
	s := &by[most]
	if min(s.wrote, s.read) < amplifiedBytes || float64(all) < amplifiedBy*float64(all-through) {
		return
	}
	text, instead := s.words(o.p, most)
	code := [reasonsKept]string{passedOn: "handed_over", copiedOn: "via_temporary"}[most]
	o.say(cmp.Or(code, "temporary_files"), "/files", text+"; "+instead+".", s.evidence...)
	o.instead(instead)
	o.list[len(o.list)-1].Figures = map[string]float64{"written_bytes": float64(s.wrote), "read_bytes": float64(s.read)}
}

// passes reports whether a file was made, written, read and deleted. What lies in memory is moved by no drive.
func passes(f *profile.File) bool {
	return f.Type == trace.FileRegular && f.Created && f.Deleted && f.Write != nil && f.Read != nil &&
		f.FSType != "tmpfs" && f.FSType != "ramfs"
}

// keeping tells why data went through a file that was deleted.
func keeping(p *profile.Profile) func(f *profile.File) reasonKept {
	beside := inUseTogether(p)
	stays := map[string]bool{}
	for i := range p.Files {
		if f := &p.Files[i]; !f.Deleted {
			stays[f.Path] = true
		}
	}
	out := map[string]bool{}
	for i := range p.Copies {
		if c := &p.Copies[i]; c.Method.Moves() && c.Certainty != "same_size" && stays[c.Destination] {
			out[c.Source] = true
		}
	}
	return func(f *profile.File) reasonKept {
		switch {
		case out[f.Path]:
			return copiedOn
		case f.Handed != nil && 2*f.Handed.Bytes > f.Read.Bytes:
			return passedOn
		case !beside && once(f):
			return readBack
		}
		return spilled
	}
}

// inUseTogether reports whether several such files were in use at the same time, as those are that are merged or that
// hold the parts of what is joined.
func inUseTogether(p *profile.Profile) bool {
	var list []*profile.File
	for i := range p.Files {
		if f := &p.Files[i]; passes(f) {
			list = append(list, f)
		}
	}
	sorting.Stably(list, func(a, b *profile.File) int { return cmp.Compare(a.Write.FirstNS, b.Write.FirstNS) })
	for i := 1; i < len(list); i++ {
		if list[i].Write.FirstNS < list[i-1].Read.LastNS {
			return true
		}
	}
	return false
}

// once reports whether a file was read once and in order, and not before all of it was written.
func once(f *profile.File) bool {
	least, most := min(f.Read.Bytes, f.Write.Bytes), max(f.Read.Bytes, f.Write.Bytes)
	return f.Read.FirstNS >= f.Write.LastNS && float64(least) >= nearly*float64(most) && inOrder(f.ReadPattern) &&
		inOrder(f.WritePattern)
}

// inOrder reports whether nearly all accesses to a file go on where the one before ended, as a pipe can carry it: the
// writer of an archive may go back to its head.
func inOrder(p *profile.AccessPattern) bool {
	return p == nil || p.Accesses == 0 || p.Consecutive >= nearly
}

// words says what went through which files, and what to do instead.
func (s *passage) words(p *profile.Profile, why reasonKept) (text, instead string) {
	f := &p.Files[s.largest]
	what := named(f.Path)
	if s.files > 1 {
		what = fmt.Sprintf("%s such as %s", listed(p, s.files), what)
	}
	wrote := unit.Bytes(s.wrote)
	switch why {
	case passedOn:
		from, to := f.Handed.From, f.Handed.To
		text = fmt.Sprintf("%s went from %s to %s in %s, deleted afterwards", wrote, from, to, what)
		if once(f) {
			return text, fmt.Sprintf("a pipe (%s | %s), or %s", from, to, otherDrive)
		}
		return text, fmt.Sprintf("%s; %s does not read in order, as a pipe has it", otherDrive, to)
	case readBack:
		return fmt.Sprintf("%s went to %s, came back once in order, and was deleted", wrote, what), passOn
	case copiedOn:
		return fmt.Sprintf("%s went to %s, was copied on to %s, and deleted", wrote, what,
			named(destination(p, f.Path))), writeThere
	}
	return fmt.Sprintf("%s went through temporary files, and %s came back", wrote, unit.Bytes(s.read)), moreMem
}

// destination is the first directory that a file was copied to.
func destination(p *profile.Profile, source string) string {
	for i := range p.Copies {
		if c := &p.Copies[i]; c.Source == source && c.Method.Moves() {
			return path.Dir(c.Destination)
		}
	}
	return ""
}
