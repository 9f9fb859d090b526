package macos

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

func TestKnownMessages(t *testing.T) {
	for message, want := range map[string]struct {
		code   string
		denied bool
	}{
		"'fs_usage' must be run as root...":                                                                                   {"root", true},
		"ktrace_start: Resource busy":                                                                                         {"busy", false},
		"dtrace: failed to initialize dtrace: DTrace requires additional privileges":                                          {"privileges", true},
		"dtrace: system integrity protection is on, some features will not be available":                                      {"sip", false},
		"probe description syscall:::entry does not match any probes. System Integrity Protection is on":                      {"sip", false},
		"dtrace: failed to execute /bin/cp: DTrace cannot control executables signed with restricted entitlements":            {"restricted", false},
		"dtrace: failed to execute ./a.out: DTrace cannot instrument translated processes":                                    {"rosetta", false},
		"dtrace: error on enabled probe ID 3: invalid user access in action #1 at DIF offset 4":                               {"user_access", false},
		"dtrace: processing aborted: Abort due to systemic unresponsiveness":                                                  {"unresponsive", false},
		"xcode-select: error: tool 'xctrace' requires Xcode, but active developer directory is a command line tools instance": {"xcode", false},
		`xcrun: error: unable to find utility "xctrace", not a developer tool or in PATH`:                                     {"xcode", false},
		"dtrace: failed to grab pid 501: (os/kern) failure":                                                                   {"no_task", false},
		"Export failed: Document Missing Template Error":                                                                      {"template", false},
		"dtrace: error on enabled probe ID 9 (ID 161: io:mach_kernel:buf_strategy:start): invalid kernel access in action " +
			"#2 at DIF 0": {"kernel_access", false},
	} {
		k, ok := Explain(message)
		if !ok || k.Code != want.code || k.Denied != want.denied {
			t.Errorf("%q: %+v, want %s", message, k, want.code)
			continue
		}
		if text := k.Text(message); k.Remedy == "" || !strings.Contains(text, message) || !strings.Contains(text, k.Remedy) {
			t.Errorf("%q is explained as %q", message, text)
		}
	}
	if k, ok := Explain("all is well"); ok {
		t.Errorf("a harmless message means %+v", k)
	}
}

func TestCallsAreUnique(t *testing.T) {
	number, name := map[uint16]bool{}, map[string]bool{}
	for _, c := range Calls {
		if number[c.Number] || name[c.Name] {
			t.Errorf("%d %s is there twice", c.Number, c.Name)
		}
		number[c.Number], name[c.Name] = true, true
		if v := c.Flags&trace.FlagVectored != 0; v != strings.Contains(c.Name, "adv") &&
			v != strings.Contains(c.Name, "writev") {
			t.Errorf("%s: vectored %t", c.Name, v)
		}
	}
	commands := map[uint64]bool{}
	for _, c := range Commands {
		if commands[c.Number] || !strings.HasPrefix(c.Name, "F_") {
			t.Errorf("command %+v", c)
		}
		commands[c.Number] = true
	}
}

func TestErrno(t *testing.T) {
	seen := map[int64]int64{}
	for n := int64(1); n <= 106; n++ {
		to := Errno(n)
		// ENOATTR/ENODATA, ENOTSUP/EOPNOTSUPP
		if other, dup := seen[to]; dup && !(other == 93 && n == 96) && !(other == 45 && n == 102) {
			t.Errorf("%d and %d both become %d", other, n, to)
		}
		seen[to] = n
	}
	for mac, linux := range map[int64]int64{2: 2, 28: 28, 35: 11, 11: 35, 62: 40, 66: 39, 93: 61, 86: 1086} {
		if got := Errno(mac); got != linux {
			t.Errorf("errno %d became %d, want %d", mac, got, linux)
		}
	}
}

func TestOpenFlags(t *testing.T) {
	for o, want := range map[uint64]trace.IOFlags{
		0:                       trace.FlagRead,
		1 | 0x200 | 0x400:       trace.FlagWrite | trace.FlagCreate | trace.FlagTrunc,
		2 | 8 | 0x80 | 0x400000: trace.FlagRead | trace.FlagWrite | trace.FlagAppend | trace.FlagSync | trace.FlagDSync,
		0x800 | OCloexec:        trace.FlagRead | trace.FlagExcl,
	} {
		if got := OpenFlags(o); got != want {
			t.Errorf("%#x became %b, want %b", o, got, want)
		}
	}
	if got := MmapFlags(1|2|4, 1); got != trace.FlagRead|trace.FlagWrite|trace.FlagExec|trace.FlagShared {
		t.Errorf("mmap flags %b", got)
	}
}

func TestAppendAbsolute(t *testing.T) {
	for _, c := range []struct{ base, path, want string }{
		{"/a", "b", "/a/b"}, {"/", "b", "/b"}, {"", "b", "b"}, {"/a", "/b", "/b"}, {"/a", "../b", "/b"},
		{"/a", "./b", "/a/b"},
		{"/a", ".", "/a"}, {"/a", "b/", "/a/b"}, {"/a", "b//c", "/a/b/c"}, {"/a", "..", "/"}, {"/a", "", ""},
		{"/a", ".b", "/a/.b"},
		{"/a", "b.", "/a/b."}, {"/Users/u", "private/tmp/x", "/private/tmp/x"},
		{"/Users/u", "private/notes", "/Users/u/private/notes"},
	} {
		if got := string(AppendAbsolute([]byte(nil), c.base, []byte(c.path))); got != c.want {
			t.Errorf("%q from %q became %q, want %q", c.path, c.base, got, c.want)
		}
	}
	if got := string(AppendAbsolute([]byte("kept:"), "/a", []byte("../b"))); got != "kept:/b" {
		t.Errorf("appended to %q", got)
	}
}

// What statfs(2) says of a volume decides whether its file system is a program, and where its data are.
func TestVolumes(t *testing.T) {
	for _, test := range []struct {
		name, from string
		extended   uint32
		kind, node string
	}{
		{"apfs", "/dev/disk3s5", 0x1, "apfs", ""},
		{"exfat", "/dev/disk4s1", 0x2, "fskit.exfat", "/dev/disk4s1"},
		{"msdos", "msdos://disk5/NO NAME", 0x3, "fskit.msdos", ""},
		{"exfat", "/dev/disk4s1", 0, "exfat", ""}, // of the kernel, before macOS 15
	} {
		kind := VolumeType(test.name, test.extended)
		if node := VolumeDevice(kind, test.from); kind != test.kind || node != test.node {
			t.Errorf("%+v: %q on %q", test, kind, node)
		}
	}
}
