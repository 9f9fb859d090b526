package answer

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/trace"
)

// computes are the causes that name no drive and no file: what a program computes of is told by what it moved.
var computes = map[string]bool{cause.OwnCPU: true, cause.CPUContention: true}

// from says of which files the bytes of one direction are, if they are more than what a program reads as it starts, and
// below which directory, if that took its time. Of as little as a program reads as it starts it has to be half of that.
func from(p *profile.Profile, op trace.Op, of func(*profile.File) *profile.Flow, all int64) string {
	f := p.FilesOf(op)
	if all < littleData {
		if f != nil && 2*f.UnderNS > total(p) {
			return wording.Of(f)
		}
		return ""
	}
	if text := mostly(p, of, all); text != "" {
		return text
	}
	if f != nil && worthTelling(p, f.UnderNS) {
		return wording.Of(f)
	}
	return ""
}

// mostly names the file that nearly all bytes of one direction are of, where it computed and nothing else names that
// file.
func mostly(p *profile.Profile, of func(*profile.File) *profile.Flow, all int64) string {
	if c := p.Verdict.Causes; len(c) == 0 || !computes[c[0].Code] || all < amplifiedBytes {
		return ""
	}
	for i := range p.Files {
		f := &p.Files[i]
		if f.Type != trace.FileRegular || float64(bytesOf(of(f))) < nearly*float64(all) {
			continue
		}
		at := fmt.Sprintf("/files/%d", i)
		for k := range p.Observations {
			if s := &p.Observations[k]; WorkKinds[s.Code] && (s.Subject == at || strings.HasPrefix(s.Subject, at+"/")) {
				return ""
			}
		}
		return ", mostly of " + named(f.Path)
	}
	return ""
}

func reads(f *profile.File) *profile.Flow  { return f.Read }
func writes(f *profile.File) *profile.Flow { return f.Write }
