package darwin_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/darwin"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
)

// printed is what ktrace prints of records.
func printed(m *kdsim.Machine, names map[uint64]string) string {
	var b strings.Builder
	b.WriteString("walltime delta(us)(duration) debug-id arg1 arg2 arg3 arg4 thread-id cpu process-name(pid)\n")
	for _, r := range m.Records() {
		ns := m.Nanoseconds(int64(r.Time-m.Base)) + (23*3600+59*60+59)*1e9 + 999_000_000
		s := ns / 1e9
		fmt.Fprintf(&b, "2026-11-20 %02d:%02d:%02d.%09d PST 0.0(0.0) %x %x %x %x %x %x %d %s\n", s/3600%24, s/60%60, s%60,
			ns%1e9, r.DebugID,
			r.Arg[0], r.Arg[1], r.Arg[2], r.Arg[3], r.Thread, r.CPU, names[r.Thread])
	}
	return b.String()
}

// A text across midnight gives the events that the records themselves give.
func TestKtraceText(t *testing.T) {
	m, launchd := kdsim.New(macos.AppleSilicon)
	m.MakeFile("/Users/u/movie.mov", 3<<20)
	m.MakeFile("/Volumes/Ext/old", 1)
	cp := launchd.Spawn("/bin/cp")
	cp.Copyfile("/Users/u/movie.mov", "/Volumes/Ext/movie.mov", 1<<20)
	cp.Disk("/Volumes/Ext/movie.mov", false, 4096, 100, 0)
	cp.Exit(0)
	text := printed(m, map[uint64]string{launchd.TID: "launchd(100)", cp.TID: "a name (101)"})
	log, c := trial.Import(t, &darwin.Ktrace, text+"2026-11-21 00:00:01.0 PST 0.0 BSC_read 1 2 3 4 5 0 x(1)\nshort line\n")
	if c.Damaged != 1 || c.Skipped != 2 { // the short line; the heading and the name
		t.Errorf("%+v", c)
	}
	want := &trace.Log{}
	d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: m.Timebase, Start: m.Records()[0].Time},
		want)
	if err := d.Decode(kdsim.Bytes(m.Records())); err != nil {
		t.Fatal(err)
	}
	if len(log.Syscalls) == 0 || len(log.Syscalls) != len(want.Syscalls) || len(log.Requests) != len(want.Requests) {
		t.Fatalf("%d calls and %d requests, want %d and %d", len(log.Syscalls), len(log.Requests), len(want.Syscalls),
			len(want.Requests))
	}
	for i := range log.Syscalls {
		a, b := log.Syscalls[i], want.Syscalls[i]
		if diff := a.Start - b.Start; diff < -1 || diff > 1 || a.Offset != b.Offset || a.Result != b.Result ||
			log.Path(a.File) != want.Path(b.File) {
			t.Errorf("call %d: %+v, want %+v", i, a, b)
		}
	}
	if _, err := darwin.Ktrace.Import(strings.NewReader("this is\nno ktrace\n"), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
		t.Errorf("another text: %v", err)
	}
}

// A text of ktrace trace -t has ticks in the place of date and time. How long one is follows from the deltas.
func TestKtraceTextInTicks(t *testing.T) {
	for _, mac := range []macos.Model{macos.Intel, macos.AppleSilicon} {
		m, launchd := kdsim.New(mac)
		m.MakeFile("/Users/u/movie.mov", 3<<20)
		m.MakeFile("/Volumes/Ext/old", 1)
		cp := launchd.Spawn("/bin/cp")
		cp.Copyfile("/Users/u/movie.mov", "/Volumes/Ext/movie.mov", 1<<20)
		cp.Disk("/Volumes/Ext/movie.mov", false, 4096, 100, 0)
		cp.Exit(0)
		names := map[uint64]string{launchd.TID: "launchd(100)", cp.TID: "cp(101)"}
		var b strings.Builder
		b.WriteString("abstime      delta(us)(duration)    debug-id    arg1   arg2   arg3   arg4   thread-id   cpu  process-name(pid)\n\n")
		last := uint64(0)
		for i, r := range m.Records() {
			if i == 0 {
				last = r.Time
			}
			us := float64(m.Nanoseconds(int64(r.Time-last))) / 1000
			last = r.Time
			fmt.Fprintf(&b, "%d %.1f %x %x %x %x %x %x %d %s\n", r.Time, us, r.DebugID, r.Arg[0], r.Arg[1], r.Arg[2], r.Arg[3],
				r.Thread, r.CPU, names[r.Thread])
		}
		for _, text := range []string{b.String(), b.String()[strings.IndexByte(b.String(), '\n')+1:]} { // the heading was cut off
			log, c := trial.Import(t, &darwin.Ktrace, text)
			want := &trace.Log{}
			d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{All: true}, Timebase: m.Timebase, Start: m.Records()[0].Time},
				want)
			if err := d.Decode(kdsim.Bytes(m.Records())); err != nil {
				t.Fatal(err)
			}
			if c.Damaged > 0 || len(log.Syscalls) == 0 || len(log.Syscalls) != len(want.Syscalls) || len(log.Requests) != 1 {
				t.Fatalf("%s: %+v, %d calls of %d, %d requests", mac, c, len(log.Syscalls), len(want.Syscalls), len(log.Requests))
			}
			for i := range log.Syscalls {
				a, b := log.Syscalls[i], want.Syscalls[i]
				if diff := a.Start - b.Start; diff < -1 || diff > 1 || a.Result != b.Result {
					t.Errorf("%s, call %d: %+v, want %+v", mac, i, a, b)
				}
			}
		}
	}
}

// Names of trace points do not tell a beginning from an end. A text of nothing else is refused, with what to do.
func TestKtraceTextOfNames(t *testing.T) {
	const names = "walltime delta(us)(duration) debug-id arg1 arg2 arg3 arg4 thread-id cpu process-name(pid)\n" +
		"2026-11-21 00:00:01.0 PST 0.0 BSC_read 3 2 3 4 5 0 cp(1)\n2026-11-21 00:00:01.1 PST 0.1 BSC_read 0 2 0 1 5 0 cp(1)\n"
	for _, text := range []string{names, names + "2026-11-21 00:00:01.2 PST 0.1 7000004 3 2 3 4 5 0 cp(1)\n"} {
		log := &trace.Log{}
		_, err := darwin.Ktrace.Import(strings.NewReader(text), log)
		if !errors.Is(err, convert.ErrFormat) || !strings.Contains(err.Error(), "-N") || len(log.Syscalls) > 0 {
			t.Errorf("%d calls of names alone: %v", len(log.Syscalls), err)
		}
	}
}

// The command that the importer advises records what the backend does.
func TestKtraceIsToldWhatToRecord(t *testing.T) {
	for _, part := range []string{"S0x040C", "S0x0301", "S0x0302", "S0x0306", "S0x0401", "C0x07"} {
		if !strings.Contains(darwin.Ktrace.About, part) {
			t.Errorf("%s does not ask for %s", darwin.Ktrace.About, part)
		}
	}
	command, why, _ := strings.Cut(strings.ReplaceAll(darwin.Ktrace.About, "\\\n  ", ""), "\n")
	for _, path := range []string{"../../docs/import.md", "../../docs/macos.md", "../../scripts/try-macos"} {
		doc, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if want, _, _ := strings.Cut(command, " >"); !strings.Contains(string(doc), strings.TrimPrefix(want, "sudo ")) {
			t.Errorf("%s does not say %s", path, want)
		}
	}
	if !strings.Contains(command, " -N ") || !strings.Contains(why, "-N") {
		t.Errorf("numbers of trace points are not asked for: %q", darwin.Ktrace.About)
	}
}

func FuzzKtrace(f *testing.F) {
	m, launchd := kdsim.New(macos.Intel) // a whole copy, with requests
	m.MakeFile("/a", 1<<20)
	m.MakeFile("/Volumes/Ext/old", 1)
	cp := launchd.Spawn("/bin/cp")
	cp.Copyfile("/a", "/Volumes/Ext/b", 1<<20)
	cp.Disk("/Volumes/Ext/b", false, 4096, 100, 5)
	f.Add(printed(m, map[uint64]string{launchd.TID: "launchd(100)", cp.TID: "cp(101)"}))
	f.Add("2026-11-21 00:00:01.0 PST 0.0(0.0) 40c000d 3 2 3 4 5 0 x(1)\n2026-11-21 00:00:01.1 PST 0.0 40c000e 0 2 0 1 5 " +
		"0 x(1)")
	f.Add("abstime delta(us)(duration) debug-id\n5000 0.0 40c000d 3 2 3 4 5 0 x(1)\n9000 166.7(166.7) 40c000e 0 2 0 1 5 0 x(1)")
	f.Fuzz(func(t *testing.T, text string) {
		trial.Fuzz(t, &darwin.Ktrace, text)
	})
}
