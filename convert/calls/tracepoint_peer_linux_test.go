package calls

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/internal/testenv"

	"github.com/iotrace/iotrace/trace"
)

// The calls of a program whose calls are known, as perf records and prints them, by number and by name.
func TestPerfOfKnownCalls(t *testing.T) {
	testenv.NeedRoot(t)
	testenv.NeedTools(t, "perf", "dd")
	const byName = "syscalls:sys_enter_write,syscalls:sys_exit_write,syscalls:sys_enter_fsync,syscalls:sys_exit_fsync"
	for _, events := range []string{"raw_syscalls:*", byName} {
		t.Run(events, func(t *testing.T) {
			dir := testenv.WorkDir(t)
			data, out := filepath.Join(dir, "perf.data"), filepath.Join(dir, "f")
			words := testenv.WithTracefs("perf", "record", "-q", "-e", events, "-o", data,
				"dd", "if=/dev/zero", "of="+out, "bs=5000", "count=70", "conv=fsync", "status=none")
			if text, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			words = testenv.WithTracefs("perf", "script", "-i", data)
			text, err := exec.Command(words[0], words[1:]...).Output()
			if err != nil {
				t.Fatal(err)
			}
			log, c := trial.Import(t, &PerfScript, string(text))
			if c.Damaged > 0 {
				t.Errorf("%+v", c)
			}
			var writes, bytes, syncs int64
			for _, e := range log.Syscalls {
				switch name := PerfScript.Header.Calls[e.Call]; {
				case name == "write" && e.FD == 1:
					if e.Offset >= 0 && e.Offset != bytes {
						t.Errorf("a write at %d behind %d bytes", e.Offset, bytes)
					}
					if raw := events[0] == 'r'; strings.HasPrefix(log.Path(e.File), trace.Unnamed) != raw { // whose openat is recorded
						t.Errorf("a write to %q", log.Path(e.File))
					}
					writes++
					bytes += e.Result
				case name == "fsync":
					syncs++
				}
			}
			if writes != 70 || bytes != 70*5000 || syncs != 1 {
				t.Errorf("%d writes of %d bytes, %d syncs", writes, bytes, syncs)
			}
			ends := regexp.MustCompile(`sys_exit: NR 1 |sys_exit_write:`).FindAll(text, -1)
			if len(ends) != int(writes) {
				t.Errorf("perf shows %d ends of writes", len(ends))
			}
		})
	}
}
