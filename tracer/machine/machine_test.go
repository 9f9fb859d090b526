package machine

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/trace"
)

func TestDiskTree(t *testing.T) {
	b, err := os.ReadFile("testdata/diskutil-list.plist")
	if err != nil {
		t.Fatal(err)
	}
	disks, err := parseDiskList(b)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.ReadFile("testdata/diskutil-info.plist")
	if err != nil {
		t.Fatal(err)
	}
	if err := disks[0].parseInfo(info); err != nil {
		t.Fatal(err)
	}
	whole := 0
	for i := range disks {
		if disks[i].whole() {
			whole++
		}
		if disks[i].Name == "disk4" {
			disks[i].BlockSize = 512
		}
	}
	if whole != 3 {
		t.Errorf("%d whole disks, want disk0, disk3 and disk4", whole)
	}
	inherit(disks)
	minor := uint32(0)
	ids := map[string]trace.DeviceID{}
	devices := deviceTree(disks, func(name string) (trace.DeviceID, bool) {
		minor++
		ids[name] = trace.MakeDeviceID(1, minor)
		return ids[name], name != "disk4s1" // not there any more
	})
	want := map[string]string{"disk0": "", "disk0s1": "disk0", "disk0s2": "disk0", "disk3": "disk0s2", "disk3s1": "disk3",
		"disk3s1s1": "disk3s1", "disk3s5": "disk3", "disk4": ""}
	for _, d := range devices {
		if size := map[bool]int64{true: 512, false: 4096}[strings.HasPrefix(d.Name, "disk4")]; d.LogicalBlock != size {
			t.Errorf("blocks of %s are %d bytes, want %d", d.Name, d.LogicalBlock, size)
		}
		on, known := want[d.Name]
		if !known {
			t.Errorf("device %q", d.Name)
		}
		delete(want, d.Name)
		if on == "" && len(d.Parents) > 0 || on != "" && (len(d.Parents) != 1 || d.Parents[0] != ids[on]) {
			t.Errorf("%s is built on %v, want %s", d.Name, d.Parents, on)
		}
	}
	if len(want) > 0 {
		t.Errorf("missing %v", want)
	}
	if d := devices[0]; d.Model != "APPLE SSD AP0512Z" || d.LogicalBlock != 4096 || d.Size != 500277792768 {
		t.Errorf("disk0 is %+v", d)
	}
}

func TestDamagedPlistsAreErrors(t *testing.T) {
	good, err := os.ReadFile("testdata/diskutil-list.plist")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"", "no xml", "<plist>", "<plist><dict><key>a</key></dict></plist>",
		string(good[:len(good)/2]),
		"<plist><array/></plist>", "<plist>" + strings.Repeat("<array>", 100)} {
		if _, err := parseDiskList([]byte(s)); err == nil {
			t.Errorf("%.40q was read without an error", s)
		}
	}
}

func FuzzPlist(f *testing.F) {
	for _, name := range []string{"list", "info"} {
		b, err := os.ReadFile("testdata/diskutil-" + name + ".plist")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if disks, err := parseDiskList(b); err == nil {
			deviceTree(disks, func(string) (trace.DeviceID, bool) { return 1, true })
		}
		_ = new(Disk).parseInfo(b)
	})
}

// field writes little-endian values into a structure.
func field(b []byte, at int, v uint64, size int) {
	var w [8]byte
	binary.LittleEndian.PutUint64(w[:], v)
	copy(b[at:at+size], w[:size])
}

func TestProcInfoLayouts(t *testing.T) {
	bsd := make([]byte, bsdInfoSize)
	field(bsd, 12, 501, 4)
	field(bsd, 16, 1, 4)
	field(bsd, 20, 42, 4)
	copy(bsd[48:], "DesktopServicesH")
	if p, ok := parseBSDInfo(bsd); !ok || p.PID != 501 || p.Parent != 1 || p.UID != 42 || p.Name != "DesktopServicesH" {
		t.Errorf("process %+v", p)
	}
	copy(bsd[64:], "DesktopServicesHelper")
	if p, _ := parseBSDInfo(bsd); p.Name != "DesktopServicesHelper" {
		t.Errorf("long name %q", p.Name)
	}
	if _, ok := parseBSDInfo(bsd[:100]); ok {
		t.Error("a short answer was taken")
	}

	fds := make([]byte, 3*fdInfoSize)
	field(fds, 0, 4, 4)
	field(fds, 4, 2, 4) // a socket
	field(fds, 8, 7, 4)
	field(fds, 12, fdTypeVnode, 4)
	if got := fmt.Sprint(parseFDs(fds)); got != "[7]" {
		t.Errorf("descriptors %s, want [7]", got)
	}

	file := make([]byte, vnodeFDPathSize)
	field(file, 0, 3|8|flagNoCache, 4) // FREAD|FWRITE|O_APPEND
	field(file, 4, statusCloseOnExe, 4)
	field(file, 8, 1<<40, 8)
	copy(file[fileInfoSize+pathInVnodePath:], "/Users/u/movie.mov")
	got, ok := parseFDPath(7, file)
	want := OpenFile{FD: 7, Path: "/Users/u/movie.mov", Offset: 1 << 40, CloseOnExec: true,
		Flags: trace.FlagRead | trace.FlagWrite | trace.FlagAppend | trace.FlagNoCache}
	if !ok || got != want {
		t.Errorf("open file %+v, want %+v", got, want)
	}
	for flags, want := range map[uint64]trace.IOFlags{1: trace.FlagRead, 2: trace.FlagWrite} {
		field(file, 0, flags, 4)
		if got, _ := parseFDPath(7, file); got.Flags != want {
			t.Errorf("flags %d became %b, want %b", flags, got.Flags, want)
		}
	}

	dirs := make([]byte, vnodePathsSize)
	copy(dirs[pathInVnodePath:], "/tmp")
	if dir := parseDir(dirs); dir != "/tmp" {
		t.Errorf("directory %q", dir)
	}
}

func TestProcArgs(t *testing.T) {
	raw := append([]byte{2, 0, 0, 0}, "/bin/cp\x00\x00\x00\x00cp\x00a b\x00HOME=/root\x00"...)
	if exe, args := parseArgs(raw); exe != "/bin/cp" || args != "cp\x00a b" {
		t.Errorf("%q %q", exe, args)
	}
	for n := range raw {
		parseArgs(raw[:n]) // cut anywhere: no panic
	}
}

func TestInspectSelf(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the live machine of this system is checked by the self-test")
	}
	name := filepath.Join(t.TempDir(), "open here")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("12345"); err != nil {
		t.Fatal(err)
	}
	p, ok := Live().Inspect(uint32(os.Getpid()))
	dir, _ := os.Getwd()
	if !ok || p.Dir != dir || p.Parent != uint32(os.Getppid()) || !strings.HasPrefix(p.Args, os.Args[0]) {
		t.Errorf("this process is %+v", p)
	}
	found := false
	for _, o := range p.Files {
		if o.Path == name {
			found = o.Offset == 5 && o.Flags&(trace.FlagRead|trace.FlagWrite) == trace.FlagRead|trace.FlagWrite && o.CloseOnExec
		}
	}
	if !found {
		t.Errorf("open files %+v lack %s at 5", p.Files, name)
	}
	id := trace.File{Path: name}
	Live().Identify(&id)
	if id.Size != 5 || id.Type != trace.FileRegular || id.Inode == 0 {
		t.Errorf("identified as %+v", id)
	}
	fds := fdtable.NewTable()
	files := fdtable.NewFiles(func(*trace.File) error { return nil }, Live().Identify)
	if err := p.Inherit(fds, files, 100); err != nil {
		t.Fatal(err)
	}
	if o := fds.Get(p.PID, int32(f.Fd())); o == nil || files.Path(o.File) != name || o.Since != 100 {
		t.Errorf("inherited %+v", o)
	}
}

func TestChosen(t *testing.T) {
	sleep := exec.Command("sleep", "60")
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sleep.Process.Kill(); _ = sleep.Wait() }()
	set := Chosen(Live(), []uint32{uint32(os.Getppid())}, nil)
	if runtime.GOOS == "linux" && (!set[uint32(sleep.Process.Pid)] || !set[uint32(os.Getpid())]) {
		t.Error("a child of a child of the chosen process was not found")
	}
	set = map[uint32]bool{1: true}
	running := []Process{{PID: 3, Parent: 2}, {PID: 2, Parent: 1}, {PID: 9, Parent: 8},
		{PID: 5, Parent: 4}, {PID: 4, Name: "of-more-than-fif"}}
	Choose(set, nil, running)
	if len(set) != 3 || !set[3] {
		t.Errorf("descendants of 1: %v", set)
	}
	Choose(set, []string{"of-more-than-fifteen"}, running)
	if len(set) != 5 || !set[4] || !set[5] {
		t.Errorf("descendants of 1, and of those of a name: %v", set)
	}
}
