package verdict

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict/disk"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// mapped is for reads through mappings: each is a page fault that waited.
func mapped(a *account) {
	var file *profile.File
	index, all := 0, int64(0)
	for i := range a.p.Files {
		f := &a.p.Files[i]
		if f.Faults == nil {
			continue
		}
		all += f.Faults.TimeNS
		if file == nil || f.Faults.TimeNS > file.Faults.TimeNS {
			file, index = f, i
		}
	}
	if file == nil || all*2 < a.spent[onReads] {
		return // reads by calls
	}
	pointer := fmt.Sprintf("/files/%d/faults", index)
	waits := fmt.Sprintf("%s for %s, %s", unit.Things(file.Faults.Count, "wait"),
		unit.Bytes(file.Faults.Filled), wording.Each(&file.Faults.Latency))
	r := profile.Reason{
		Code: cause.MappedReads, Name: "waiting for mapped files", TimeNS: a.take(onReads), Certainty: cause.Measured,
		Text: fmt.Sprintf("%s is mapped, not read by calls%s: %s", path.Base(file.Path),
			touched(a, file.Faults), waits),
		Remedy: "touch it in order, or ask ahead (madvise WILLNEED, MAP_POPULATE)",
		Evidence: []profile.Evidence{
			at(pointer+"/count", float64(file.Faults.Count)),
			at(pointer+"/time_ns", float64(file.Faults.TimeNS)),
			at(pointer+"/filled_bytes", float64(file.Faults.Filled)),
		},
	}
	if better := a.betterAdvice(file); better != "" {
		r.Remedy = better
	}
	if code(a, file) {
		r.Code, r.Name, r.Text = cause.ProgramStart, "loading the program",
			fmt.Sprintf("the program and its libraries had to be read, such as %s: %s", path.Base(file.Path), waits)
		r.Remedy = "a second start finds them in memory; fewer or smaller libraries"
	}
	a.because(r)
}

// betterAdvice is what helps by the order in which a mapped file is touched, and by what the program has told the
// kernel of that (madvise): told of random access, it reads single pages; else all that lies around each. Where most of
// the file comes in anyway, single pages are too little in any order: memcpy goes backwards at times.
func (a *account) betterAdvice(file *profile.File) string {
	f, random := file.Faults, a.toldRandom()
	p := f.Pattern
	switch {
	case random && (2*f.Filled > file.Size || p != nil && p.Sequential > nearlyAll):
		return "leave out MADV_RANDOM, so that the kernel reads ahead"
	case p == nil:
		return ""
	case p.Sequential > nearlyAll:
		return "ask ahead (madvise WILLNEED, MAP_POPULATE); a faster drive"
	case p.Backward > third && !random && f.Filled > f.Count*disk.SmallRequest:
		return "MADV_RANDOM, so that a page fault reads what is touched and not all around it; or touch it in order"
	}
	return ""
}

// toldRandom reports whether the program told the kernel that it touches mapped files at random.
func (a *account) toldRandom() bool {
	return slices.ContainsFunc(a.p.Calls, func(c profile.Call) bool {
		return c.Name == "madvise" && c.Advice["random"] > 0
	})
}

// code reports whether a file is a program or a library.
func code(a *account, f *profile.File) bool {
	return strings.Contains(path.Base(f.Path), ".so") ||
		slices.ContainsFunc(a.p.Processes, func(p profile.Process) bool { return p.Exe == f.Path })
}

// touched says in which order a mapped file was gone through, and how fast that was.
func touched(a *account, f *profile.FaultCount) string {
	how := ""
	if p := f.Pattern; p != nil {
		switch {
		case p.Sequential > nearlyAll:
			how = ", and touched in order"
		case p.Backward > nearlyAll:
			how = ", and touched backwards"
		case p.Backward > third:
			how = ", and touched at random"
		}
	}
	if f.TimeNS > 0 {
		rate := int64(float64(f.Filled) / float64(f.TimeNS) * 1e9)
		a.figure("filled_bytes_per_s", float64(rate))
		how += ", at " + unit.Speed(rate)
	}
	return how
}
