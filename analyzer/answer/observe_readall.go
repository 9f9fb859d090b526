package answer

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

const (
	// wholeFiles and wholeBytes are from when on it is told that a program read all of so many files.
	wholeFiles = 16
	wholeBytes = 1 << 20
	// littleWritten is the part of what was read that is little.
	littleWritten = 0.05
)

// sources are the files that a program looked at by name and then read whole, as one does that leaves out what has not
// changed.
type sources struct {
	files, touched int64 // touched: whose status was changed later than their contents
	touchedBytes   int64
	unstable       int64  // bytes of those whose inode numbers may be others after each mount
	fsType         string // of the last of these
	largest        int    // of p.Files
	bytes          int64
	read           int64 // of all files
	wrote          int64
}

// madeUp reports whether file systems of a type have no inode numbers of their own: who serves them makes numbers up,
// after each mount anew.
func madeUp(fsType string) bool {
	return strings.HasPrefix(fsType, "fuse") && fsType != "fuseblk" || fsType == "vfat" || fsType == "exfat" ||
		fsType == "msdos"
}

func sourcesOf(p *profile.Profile) (s sources) {
	own := installed(p)
	for i := range p.Files {
		f := &p.Files[i]
		if f.Write != nil && f.Type != trace.FileDirectory {
			s.wrote += f.Write.Bytes
		}
		read := f.ReadBytes()
		if read == 0 || f.Type != trace.FileRegular {
			continue
		}
		s.read += read
		if f.Write == nil && !f.Created && f.Size > 0 && read >= f.Size && looked(f) && !own(f.Path) {
			stored := read - min(holesOf(p, f.Path), read)
			if s.files++; s.files == 1 || read > p.Files[s.largest].ReadBytes() {
				s.largest = i
			}
			s.bytes += stored
			if madeUp(f.FSType) {
				s.unstable += stored
				s.fsType = f.FSType
			}
			if f.StatusLater {
				s.touched++
				s.touchedBytes += stored
			}
		}
	}
	return s
}

// installed tells the files that were installed with the programs, beside the directory that these are in. An
// interpreter looks at its modules and reads them whole, and that is no work of the program.
func installed(p *profile.Profile) func(name string) bool {
	dirs := map[string]bool{}
	for i := range p.Processes {
		if at, bin := path.Split(p.Processes[i].Exe); bin != "" && path.Base(at) == "bin" {
			for _, beside := range []string{"lib", "lib64", "libexec", "share"} {
				dirs[path.Join(path.Dir(path.Clean(at)), beside)+"/"] = true
			}
		}
	}
	return func(name string) bool {
		for dir := range dirs {
			if strings.HasPrefix(name, dir) {
				return true
			}
		}
		return false
	}
}

// looked reports whether a file's times were asked for more often than it was opened: by its name, too.
func looked(f *profile.File) bool {
	var stats, opens int64
	for _, o := range f.Ops {
		switch o.Op {
		case trace.OpStat:
			stats += o.Count
		case trace.OpOpen:
			opens += o.Count
		}
	}
	return stats > 0 && opens > 0
}

// readAll is for a program that could have left out what has not changed, read all of it, and wrote little: why.
func readAll(o *observer) {
	s := sourcesOf(o.p)
	few := s.files < wholeFiles || s.bytes < wholeBytes || s.bytes*2 < s.read
	if few || float64(s.wrote) > littleWritten*float64(s.bytes) {
		return
	}
	why, more, instead := s.why(o.p)
	if why == "" {
		return
	}
	o.say("read_all", "/files", fmt.Sprintf("%s: %s of %s were read whole and %s written; %s.", why,
		listed(o.p, s.files), unit.Bytes(s.bytes), unit.Bytes(s.wrote), more),
		sizeOf(s.largest, &o.p.Files[s.largest]))
	o.instead(instead)
	o.list[len(o.list)-1].Figures = map[string]float64{"files": float64(s.files), "bytes": float64(s.bytes),
		"written_bytes": float64(s.wrote), "status_changed_files": float64(s.touched)}
}

// sizeOf is the evidence of what was read of a file.
func sizeOf(i int, f *profile.File) profile.Evidence {
	if f.Read != nil && f.Read.Bytes >= f.Size {
		return number(fmt.Sprintf("/files/%d/read/bytes", i), float64(f.Read.Bytes))
	}
	return number(fmt.Sprintf("/files/%d/mapped_bytes", i), float64(f.Mapped))
}

// why is why files were read that could have been left out, what is to be known of that, and what to do instead; ""
// for a program that reads whatever it is given.
func (s *sources) why(p *profile.Profile) (why, more, instead string) {
	if option := compares(p); option != "" {
		return option + " compares contents", "without it sizes and times decide", "leave out " + option
	}
	before, missed := earlier(p, s.bytes)
	switch {
	case missed != "":
		return "First run, as " + named(missed) + " was not there", "the next one reads what has changed", ""
	case !before:
		return "", "", ""
	case s.touchedBytes*2 >= s.bytes: // the modules of the program itself are many small files
		return "ctime is later than mtime in " + listed(p, s.touched), "owner, mode or name was changed after " +
			"the contents; let it look at mtime alone (" + mtimeAlone(p) + ")", mtimeAlone(p)
	case s.unstable*2 >= s.bytes:
		return "Inode numbers of " + s.fsType + " may be others after each mount", "contents decide then; let it look at " +
			"times and sizes alone (" + mtimeAlone(p) + ")", mtimeAlone(p)
	}
	return "Other times or inodes than it had kept", "contents decide then (touch, checkout, another copy)", ""
}

// listed words a number of files, of those that are listed.
func listed(p *profile.Profile, n int64) string {
	text := unit.Things(n, "file")
	if p.Omitted.Files > 0 {
		text = "at least " + text
	}
	return text
}

// comparing are options by which programs compare contents, whatever sizes and times say.
var comparing = map[string][]string{
	"rsync": {"--checksum", "-c"}, "rclone": {"--checksum", "-c"}, "restic": {"--force", "-f"},
	"borg": {"--files-cache=disabled", "--no-files-cache"}, "unison": {"-fastcheck=false"},
}

// compares is the program and the option that make it compare contents; "" without any.
func compares(p *profile.Profile) string {
	for i := range p.Processes {
		args := p.Processes[i].Args
		if len(args) == 0 {
			continue
		}
		name := path.Base(args[0])
		for _, arg := range args[1:] {
			for _, option := range comparing[name] {
				single := len(option) == 2 && len(arg) > 1 && arg[0] == '-' && arg[1] != '-' &&
					strings.ContainsRune(arg[1:], rune(option[1]))
				if arg == option || single && name == "rsync" && !slices.Contains(args, "--server") {
					return name + " " + option
				}
			}
		}
	}
	return ""
}

// mtimeAlone says how a program is told to look at the time of contents alone.
func mtimeAlone(p *profile.Profile) string {
	known := map[string]string{"borg": "borg --files-cache=mtime,size", "restic": "restic --ignore-ctime",
		"git": "git config core.trustctime false"}
	for i := range p.Processes {
		if args := p.Processes[i].Args; len(args) > 0 {
			for _, arg := range args[:min(len(args), 3)] { // an interpreter comes first
				if words := known[path.Base(arg)]; words != "" {
					return words
				}
			}
		}
	}
	return "restic --ignore-ctime, borg --files-cache=mtime,size"
}
