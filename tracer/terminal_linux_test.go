package tracer

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Ctrl-C reaches the command through the terminal. It must not get it again
// from us: many programs take a second SIGINT as "now, without cleaning up".
func TestCtrlCReachesTheCommandOnce(t *testing.T) {
	keyboard, tty := terminal(t)
	dir := t.TempDir()
	ready, seen, result := filepath.Join(dir, "ready"), filepath.Join(dir, "seen"), filepath.Join(dir, "result")
	c, out := recorder(t, "trap '' HUP; n=0; trap 'n=$((n+1)); touch "+seen+"' INT; trap 'echo $n >"+result+".new; mv "+
		result+".new "+result+"; exit' TERM; "+
		"touch "+ready+"; while :; do sleep 0.01; done", &unix.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0})
	c.Stdin = tty
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "the command is ready", present(ready))
	if _, err := keyboard.Write([]byte{3}); err != nil {
		t.Fatal(err)
	}
	until(t, "the command sees Ctrl-C", present(seen))
	// Signals are handled in order: once this one is through, so is the first.
	if err := c.Process.Signal(unix.SIGTERM); err != nil {
		t.Fatal(err)
	}
	until(t, "the command sees SIGTERM", present(result))
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	if n, err := os.ReadFile(result); err != nil || string(n) != "1\n" {
		t.Errorf("the command got SIGINT %s times (%v)", n, err)
	}
	contains(t, out.String(), "complete=true")
}

// terminal returns both sides of a new pseudo-terminal.
func terminal(t *testing.T) (keyboard, tty *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keyboard.Close() })
	n, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	return keyboard, tty
}
