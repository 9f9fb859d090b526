package answer

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// earlier reports whether the workload had something of an earlier run: a file that it read, and wrote anew or
// replaced, or of which it made another one. All is what it read of its sources. Missed is one of these that it looked
// for in vain, and made.
func earlier(p *profile.Profile, all int64) (before bool, missed string) {
	vain, made, read := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range p.Files {
		f := &p.Files[i]
		for _, name := range append([]string{f.Path}, f.Names...) {
			if f.Created {
				made[name] = true
			}
		}
		for _, op := range f.Ops {
			if absent(f) && op.Errors > 0 && (op.Op == trace.OpStat || op.Op == trace.OpOpen) {
				vain[f.Path] = true
			}
		}
		if f.Mapped == 0 && f.ReadBytes() == 0 || f.Created && !emptied(f) {
			continue
		}
		before = before || f.Write != nil && f.Type == trace.FileRegular
		read[f.Path] = true
	}
	for i := range p.NameForms {
		before = before || 2*p.NameForms[i].Bytes < all // of what a program works on most is read
	}
	for name := range made {
		before = before || read[name]
		if vain[name] && (missed == "" || name < missed) {
			missed = name
		}
	}
	if before {
		missed = ""
	}
	return before, missed
}

// absent reports whether there was no file of that path, or none until one was made, or got that name.
func absent(f *profile.File) bool { return f.Inode == 0 || f.Created && !f.Deleted }

// emptied reports whether a file was there before it was written anew: it was read first.
func emptied(f *profile.File) bool {
	return f.Read != nil && f.Read.Bytes > 0 && f.Write != nil && f.Read.FirstNS < f.Write.FirstNS
}
