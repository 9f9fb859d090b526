package tracer

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// Tests that need root: another user's identity, a full file system.

// sudoEnvironment is what sudo leaves for root when nobody, who exists
// everywhere, calls it.
func sudoEnvironment(t *testing.T) (*User, []string) {
	t.Helper()
	needRoot(t)
	u := passwdEntry(readText(t, "/etc/passwd"), 65534)
	if u == nil || u.Name != "nobody" {
		t.Fatalf("user ID 65534 is %+v, want nobody", u)
	}
	return u, []string{"SUDO_UID=65534", "SUDO_GID=65534", "SUDO_USER=nobody", "SUDO_COMMAND=iotrace", "HOME=/root",
		"USER=root", "LOGNAME=root", "MAIL=/var/mail/root"}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Under sudo a command is what it is when its user runs it without sudo: the
// kernel's view of it is compared with setpriv's.
func TestUnderSudoTheCommandRunsAsItsUser(t *testing.T) {
	u, env := sudoEnvironment(t)
	const look = "id; umask; env | grep -E '^(HOME|USER|LOGNAME|SHELL|SUDO_.*|MAIL)=' | sort; grep -E " +
		"'^(Cap|Groups|Uid|Gid|NoNewPrivs)' /proc/self/status; ls -ld /proc/self/fd | cut -d' ' -f3,4"
	c := launched("sh", "-c", look)
	c.Env = append(c.Env, env...)
	c.Dir = "/"
	got, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	plain := exec.Command("setpriv", "--reuid", "65534", "--regid", "65534", "--init-groups", "--inh-caps=-all",
		"sh", "-c", look)
	plain.Env = append(plain.Env, "PATH="+os.Getenv("PATH"), "HOME="+u.Home, "USER=nobody", "LOGNAME=nobody",
		"SHELL="+u.Shell)
	plain.Dir = "/"
	want, err := plain.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, want)
	}
	if string(got) != string(want) {
		t.Errorf("--- as the user\n%s--- under sudo\n%s", want, got)
	}
}

func TestUnderSudoTheFilesBelongToTheUser(t *testing.T) {
	u, env := sudoEnvironment(t)
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		t.Setenv(name, value)
	}
	dir := t.TempDir()
	for d := dir; d != "/tmp" && d != "/"; d = filepath.Dir(d) { // the user must get there
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	f := newFake()
	o := options(t, f, "touch "+dir+"/made")
	o.Output = filepath.Join(dir, "out.iotrace")
	user, err := InvokingUser()
	if err != nil || user == nil || user.UID != u.UID {
		t.Fatal(user, err)
	}
	o.User, o.Owner = user, user
	result, err := Record(o)
	if err != nil || result.ExitCode != 0 {
		t.Fatal(result, err)
	}
	for _, name := range []string{"made", "out.iotrace"} {
		var st unix.Stat_t
		if err := unix.Stat(filepath.Join(dir, name), &st); err != nil || st.Uid != u.UID || st.Gid != u.GID {
			t.Errorf("%s belongs to %d:%d (%v)", name, st.Uid, st.Gid, err)
		}
	}
	if h, _, _, _ := read(t, o.Output); h.UID != u.UID {
		t.Errorf("the header names user %d", h.UID)
	}
}

// Root may look into any folder; the user who runs the command may not.
func TestUnderSudoPermissionsAreTheUsers(t *testing.T) {
	_, env := sudoEnvironment(t)
	private := t.TempDir()
	if err := os.Chmod(private, 0o700); err != nil {
		t.Fatal(err)
	}
	tool := filepath.Join(private, "tool")
	if err := os.WriteFile(tool, []byte("#!/bin/sh\necho ran\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	c := launched(tool)
	c.Env = append(c.Env, env...)
	c.Dir = "/"
	out, _ := c.CombinedOutput()
	if code := c.ProcessState.ExitCode(); code != ExitNotExecutable || !strings.Contains(string(out),
		"permission denied") {
		t.Errorf("status %d, %q; want %d", code, out, ExitNotExecutable)
	}
}

// A disk that fills up ends the tracing. What was written can be read, and the
// command does not notice.
func TestAFullDiskLeavesAReadableTrace(t *testing.T) {
	needRoot(t)
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Fatal(err)
	}
	defer unix.Unmount(dir, unix.MNT_DETACH)
	f := newFake()
	stop := filepath.Join(t.TempDir(), "stop")
	o := options(t, f, "while [ ! -e "+stop+" ]; do sleep 0.01; done; exit 5")
	link := filepath.Join(t.TempDir(), "link") // of which another disk is not full
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	o.Output = filepath.Join(link, "out.iotrace")
	o.Monitor = &Monitor{OnEnter: func(p Phase) {
		switch p {
		case Running:
			go func() {
				for i := range int64(1 << 22) { // hard to compress
					f.feed <- func(s trace.Sink) error {
						x := i * 0x5851f42d4c957f2d
						return s.Syscall(&trace.Syscall{Start: i * 1e5, Duration: x & 0xfff, PID: uint32(x >> 40), Op: trace.OpRead,
							Offset: x, Result: x >> 33})
					}
				}
			}()
		case Waiting:
			_ = os.WriteFile(stop, nil, 0o644)
		}
	}}
	result, err := Record(o)
	if err == nil || !strings.Contains(err.Error(), "no space left on device") || result.ExitCode != 5 {
		t.Fatalf("result %+v, error %v", result, err)
	}
	_, events, end, complete := read(t, o.Output)
	if events == 0 || !complete || end.Reason != "error" || !strings.Contains(end.Error,
		"the disk at "+dir+" (tmpfs) is full") {
		t.Errorf("%d events, complete %v, %q %q; want some of them, and why it ended", events, complete, end.Reason,
			end.Error)
	}
}

// A slip of the user must not cost a disk.
func TestADiskIsNoOutput(t *testing.T) {
	needRoot(t)
	disk := filepath.Join(t.TempDir(), "disk")
	// a loop device that is not set up
	if err := unix.Mknod(disk, unix.S_IFBLK|0o600, int(unix.Mkdev(7, 250))); err != nil {
		t.Fatal(err)
	}
	o := options(t, newFake(), "exit 0")
	o.Output, o.Force = disk, true
	if result, err := Record(o); result != nil || err == nil || !strings.Contains(err.Error(), "is a disk") {
		t.Errorf("result %v, error %v", result, err)
	}
}

// A recorder that is killed leaves what it had a second before, under the name
// the user gave.
func TestAKilledRecorderLeavesAReadableTrace(t *testing.T) {
	dir := t.TempDir()
	c := exec.Command(os.Args[0], "-test.run=^TestRecordForever$")
	c.Env = append(os.Environ(), "IOTRACE_TEST_FOREVER="+filepath.Join(dir, "out.iotrace"), "TMPDIR="+dir)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "events are in the file", func() bool {
		info, err := os.Stat(filepath.Join(dir, "out.iotrace"))
		return err == nil && info.Size() > 10_000
	})
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if h, events, _, complete := read(t, filepath.Join(dir, "out.iotrace")); events == 0 || complete ||
		h.Backend != "fake" {
		t.Errorf("%d events, complete %v, header %+v", events, complete, h)
	}
}

// TestRecordForever is the recorder of the test above. Its command ends with
// it, as its input is closed.
func TestRecordForever(t *testing.T) {
	path := os.Getenv("IOTRACE_TEST_FOREVER")
	if path == "" {
		return
	}
	f := newFake()
	o := options(t, f, "")
	o.Command = nil
	o.Scope.All = true
	o.Output = path
	go func() {
		for i := range int64(1 << 40) {
			f.feed <- func(s trace.Sink) error {
				x := i * 0x5851f42d4c957f2d
				return s.Syscall(&trace.Syscall{Start: i * 1e5, PID: 1, Op: trace.OpRead, Offset: x, Result: x >> 33})
			}
		}
	}()
	_, _ = Record(o)
}

// The user of a hosted runner has 18 groups; the workload has them too.
func TestUnderSudoTheCommandHasAllGroupsOfItsUser(t *testing.T) {
	needRoot(t)
	u := &User{Name: "nobody", UID: 65534, GID: 65534, Home: "/", Shell: "/bin/sh"}
	want := []string{"65534"}
	for g := uint32(2000); len(want) < 18; g++ {
		u.Groups = append(u.Groups, g)
		want = append(want, strconv.Itoa(int(g)))
	}
	out := filepath.Join(t.TempDir(), "groups")
	if err := os.WriteFile(out, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for d := filepath.Dir(out); d != "/tmp" && d != "/"; d = filepath.Dir(d) { // the user must get there
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(out, 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := Launch(Command{Args: []string{"sh", "-c", "id -G > " + out}, User: u})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Release(); err != nil {
		t.Fatal(err)
	}
	if code := w.ExitCode(); code != 0 {
		t.Fatalf("status %d", code)
	}
	if got := strings.Fields(readText(t, out)); !slices.Equal(got, want) {
		t.Errorf("groups %v, want %v", got, want)
	}
}
