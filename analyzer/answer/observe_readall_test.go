package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// backup is a program that has looked at files of 100 kB and read them whole, and wrote a little.
func backup(files int, args []string, more ...profile.File) *profile.Profile {
	p := &profile.Profile{Processes: []profile.Process{{Args: args}}}
	for i := range files {
		p.Files = append(p.Files, profile.File{Path: fmt.Sprintf("/home/f%d", i), Type: trace.FileRegular, Size: 100_000,
			Inode: uint64(i + 1), Read: &profile.Flow{Bytes: 100_000, Count: 1},
			Ops: []profile.OpCount{{Op: trace.OpStat, Count: 1}, {Op: trace.OpOpen, Count: 1}}})
	}
	p.Files = append(p.Files, more...)
	return p
}

// state is what a program keeps of a run, made or read or both.
func state(created bool, read, wrote int64) profile.File {
	f := profile.File{Path: "/cache/state", Type: trace.FileRegular, Inode: 9999, Created: created, Size: wrote}
	if read > 0 {
		f.Read = &profile.Flow{Bytes: read}
	}
	if wrote > 0 {
		f.Write = &profile.Flow{Bytes: wrote}
	}
	return f
}

// omitting has files be left out of the list.
func omitting(p *profile.Profile) *profile.Profile {
	p.Omitted.Files = 500
	return p
}

// anew has a file be read before it is written.
func anew(f profile.File) profile.File {
	f.Read.FirstNS, f.Write.FirstNS = 1, 2
	return f
}

// asked has a file be asked for in vain before it was there.
func asked(f profile.File) profile.File {
	f.Ops = []profile.OpCount{{Op: trace.OpStat, Count: 2, Errors: 1}, {Op: trace.OpRename, Count: 1}}
	return f
}

// removed has a file be deleted.
func removed(f profile.File) profile.File {
	f.Deleted = true
	return f
}

// another has a program read something of an earlier run, of so many bytes, and make another one like it.
func another(bytes int64, p *profile.Profile) *profile.Profile {
	p.NameForms = []profile.NameForm{{Form: "/repo/snapshots/#", Read: 1, Bytes: bytes, Made: 1}}
	return p
}

// mapped has the sources be mapped whole, and a part of each be brought from a device.
func mapped(part int64, p *profile.Profile) *profile.Profile {
	for i := range 40 {
		f := &p.Files[i]
		f.Read, f.Mapped, f.DeviceRead = nil, f.Size, &profile.Flow{Bytes: f.Size / part}
	}
	return p
}

// mappedState is what a program maps of an earlier run, and replaces by a new one.
func mappedState() []profile.File {
	return []profile.File{{Path: "/src/.git/index", Type: trace.FileRegular, Inode: 7, Mapped: 4000},
		{Path: "/src/.git/index", Type: trace.FileRegular, Inode: 8, Created: true, Write: &profile.Flow{Bytes: 4000}}}
}

// modules has what was read lie where the modules of an interpreter do.
func modules(p *profile.Profile) *profile.Profile {
	p.Processes[0].Exe = "/opt/py/bin/python3"
	for i := range 40 {
		p.Files[i].Path = fmt.Sprintf("/opt/py/lib/python3.11/m%d.py", i)
	}
	return p
}

// small has most of the files be small ones.
func small(p *profile.Profile) *profile.Profile {
	for i := 40; i < 240; i++ {
		p.Files[i].Size, p.Files[i].Read.Bytes = 1000, 1000
	}
	return p
}

// touched has the status of the sources be changed later than their contents.
func touched(p *profile.Profile) *profile.Profile {
	for i := range 40 {
		p.Files[i].StatusLater = true
	}
	return p
}

// toldOf is what is said of a program that read everything.
func toldOf(p *profile.Profile) (text string) {
	for _, s := range Sentences(p) {
		if s.Code == "read_all" {
			text = s.Text
		}
	}
	return text
}

// TestReadAll: a program that could have left out what has not changed, and read all of it, is told why.
func TestReadAll(t *testing.T) {
	on := func(fsType string, p *profile.Profile) *profile.Profile {
		for i := range 40 {
			p.Files[i].FSType = fsType
		}
		return p
	}
	missing := profile.File{Path: "/cache/state", Ops: []profile.OpCount{{Op: trace.OpOpen, Count: 1, Errors: 1}}}
	for name, c := range map[string]struct {
		p    *profile.Profile
		want string // "" for nothing to tell
	}{
		"told to": {backup(40, []string{"/usr/bin/rsync", "-ac", "a/", "b/"}),
			"rsync -c compares contents: 40 files of 4.00 MB were read whole and 0 B written; without it sizes and times " +
				"decide."},
		"the other end of it": {backup(40, []string{"rsync", "--server", "-logDtpce.iLsfx"}), ""},
		"status changed": {touched(backup(40, []string{"python3", "/usr/bin/borg"}, state(false, 500, 500))),
			"ctime is later than mtime in 40 files: 40 files of 4.00 MB were read whole and 500 B written; owner, mode or " +
				"name was changed after the contents; let it look at mtime alone (borg --files-cache=mtime,size)"},
		"many modules of its own": {small(touched(backup(240, []string{"borg"}, state(false, 500, 500)))),
			"ctime is later than mtime in 40 files: 240 files of 4.20 MB"},
		"not all are listed": {omitting(touched(backup(40, []string{"borg"}, state(false, 500, 500)))),
			"ctime is later than mtime in at least 40 files: at least 40 files of 4.00 MB were read whole"},
		"state emptied and written": {touched(backup(40, []string{"duplicity"}, anew(state(true, 500, 500)))),
			"ctime is later than mtime in 40 files"},
		"state read back": {touched(backup(40, []string{"duplicity"}, state(true, 500, 500))), ""},
		"replaced state": {touched(backup(40, []string{"restic"}, state(true, 0, 500), state(false, 400, 0))),
			"restic --ignore-ctime"},
		"first run": {backup(40, []string{"aide"}, missing, state(true, 0, 500)),
			"First run, as state was not there"},
		"first run, its state gets its name": {backup(40, []string{"indexer"}, asked(state(true, 0, 500))),
			"First run, as state was not there"},
		"a lock file":               {backup(40, []string{"indexer"}, removed(asked(state(true, 0, 500)))), ""},
		"modules of an interpreter": {modules(backup(40, []string{"python3"}, missing, state(true, 0, 500))), ""},
		"made-up inodes": {on("vfat", backup(40, []string{"borg"}, state(false, 500, 500))),
			"Inode numbers of vfat may be others after each mount: 40 files of 4.00 MB were read whole"},
		"inodes of a file system through FUSE": {on("fuseblk", backup(40, []string{"borg"}, state(false, 500, 500))),
			"Other times or inodes"},
		"touched":           {backup(40, []string{"git"}, state(false, 500, 500)), "touch, checkout"},
		"no earlier run":    {touched(backup(40, []string{"md5sum"}, state(true, 0, 500))), ""},
		"much was written":  {touched(backup(40, []string{"borg"}, state(false, 500, 1e6))), ""},
		"few files":         {touched(backup(40, []string{"borg"}, state(false, 500, 500))), "x"},
		"most read is more": {touched(backup(40, []string{"borg"}, state(false, 9e6, 500))), ""},
	} {
		if name == "few files" {
			c.p.Files, c.want = append(c.p.Files[:10:10], c.p.Files[40:]...), ""
		}
		text := toldOf(c.p)
		if c.want == "" && text != "" || !strings.Contains(text, c.want) {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

// TestReadAllByAnotherWay: so is one that maps the files, or that keeps a new file of each run.
func TestReadAllByAnotherWay(t *testing.T) {
	for name, c := range map[string]struct {
		p    *profile.Profile
		want string // "" for nothing to tell
	}{
		"another snapshot": {another(300, touched(backup(40, []string{"restic"}, state(true, 0, 500)))),
			"ctime is later than mtime in 40 files: 40 files of 4.00 MB were read whole and 500 B written"},
		"another of the same list": {another(300, backup(40, []string{"indexer"}, state(true, 0, 500))),
			"Other times or inodes than it had kept"},
		"one more of what it works on": {
			another(3_900_000, touched(backup(40, []string{"mosaic"}, state(true, 0, 500)))), ""},
		"mapped whole": {mapped(1, backup(40, []string{"git", "status"}, mappedState()...)),
			"Other times or inodes than it had kept: 40 files of 4.00 MB were read whole"},
		"mapped whole, status changed": {mapped(1, touched(backup(40, []string{"git"}, mappedState()...))),
			"git config core.trustctime false"},
		"mapped, a part touched": {mapped(4, backup(40, []string{"git"}, mappedState()...)), ""},
	} {
		if text := toldOf(c.p); c.want == "" && text != "" || !strings.Contains(text, c.want) {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}
