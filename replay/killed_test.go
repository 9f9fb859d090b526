package replay

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/testenv"
)

// endless makes this program one that replays what never ends, in a directory.
const endless = "IOTRACE_TEST_REPLAY"

func TestMain(m *testing.M) {
	if dir := os.Getenv(endless); dir != "" {
		p := &Program{Threads: 1, Files: []File{{Size: 4096}, {Size: 4096}}, Ops: []Op{{Pause: int64(time.Hour), File2: -1}}}
		in, err := NewInputs(dir)
		if err == nil {
			_, err = Run(context.Background(), p, Options{Dir: dir, Inputs: in})
		}
		panic(err)
	}
	os.Exit(testenv.Suite{M: m}.Run())
}

// What a replay that was killed has left is removed by the next one, which leaves nothing; a file that no replay made
// keeps it from running, and stays.
func TestAKilledReplay(t *testing.T) {
	dir := t.TempDir()
	kill := func() {
		t.Helper()
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), endless+"="+dir)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		made := filepath.Join(dir, "iotrace-replay", "000")
		for entries, _ := os.ReadDir(made); len(entries) == 0; entries, _ = os.ReadDir(made) {
			time.Sleep(time.Millisecond)
		}
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	kill()
	p := &Program{Threads: 1, Files: []File{{Size: 4096}}}
	in, err := NewInputs(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), p, Options{Dir: dir, Inputs: in})
	if err != nil || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "was killed") {
		t.Errorf("%+v, %v", r, err)
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Error("left behind:", left)
	}
	kill()
	precious := filepath.Join(dir, "iotrace-replay", "precious")
	if err := os.WriteFile(precious, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), p, Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), precious) {
		t.Error("beside a file of somebody else:", err)
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
}
