package block

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

// split deals the records of a trace to the files of several CPUs, in some order of bytes, with control groups if
// asked for, and a message of the kernel's in between.
func split(t *testing.T, data []byte, order binary.AppendByteOrder, cpus int, groups bool) (files [][]byte) {
	t.Helper()
	files = make([][]byte, cpus)
	sequences := make([]uint32, cpus)
	in := bytes.NewReader(data)
	for n := 0; in.Len() > 0; n++ {
		var r blkIOTrace
		if err := binary.Read(in, binary.LittleEndian, &r); err != nil {
			t.Fatal(err)
		}
		payload := make([]byte, r.PDULen)
		_, _ = in.Read(payload) // of memory
		cpu := n * 7 % cpus
		if r.Action>>16&tcNotify != 0 && r.Action&0xff == 1 {
			continue // the wall clock: blkparse wants it in its own order of bytes
		}
		sequences[cpu]++
		r.CPU, r.Sequence = uint32(cpu), sequences[cpu]
		if groups {
			r.Action |= 1 << 8
			payload = append(make([]byte, 8), payload...)
			r.PDULen += 8
		}
		b, err := binary.Append(files[cpu], order.(binary.ByteOrder), r)
		if err != nil {
			t.Fatal(err)
		}
		files[cpu] = append(b, payload...)
		if n%50 == 20 {
			note := blkIOTrace{Magic: r.Magic, Time: r.Time, Device: r.Device, CPU: r.CPU, PDULen: 5,
				Action: 2 | tcNotify<<16}
			b, _ := binary.Append(files[cpu], order.(binary.ByteOrder), note) // of a fixed size
			files[cpu] = append(b, "hello"...)
		}
	}
	return files
}

func inputs(files [][]byte) (list []convert.Input) {
	for k := range files {
		list = append(list, convert.Input{Reader: bytes.NewReader(files[k]), Name: fmt.Sprintf("x.blktrace.%d", k)})
	}
	return list
}

// importFiles imports the files of several CPUs.
func importFiles(t *testing.T, files [][]byte) (*trace.Log, convert.Counts) {
	t.Helper()
	log := &trace.Log{}
	c, err := Blktrace.Read(inputs(files), log)
	if err != nil {
		t.Fatal(err)
	}
	return log, c
}

// What is in the files is what the trace was made of, and what blkparse prints of them comes to the same.
func TestBinaryOfATraceThatIsKnown(t *testing.T) {
	data, truth := blkHistory()
	for _, test := range []struct {
		name   string
		order  binary.AppendByteOrder
		cpus   int
		groups bool
	}{
		{"one CPU", binary.LittleEndian, 1, false}, {"four CPUs", binary.LittleEndian, 4, false},
		{"the other order of bytes", binary.BigEndian, 3, false}, {"control groups", binary.LittleEndian, 2, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := split(t, data, test.order, test.cpus, test.groups)
			log, c := importFiles(t, files)
			if c.Damaged != 0 || len(log.Losses) != 0 || len(log.Processes) != 1 || log.Processes[0].Command != "copy [1]" {
				t.Errorf("%+v, losses %+v, processes %+v", c, log.Losses, log.Processes)
			}
			var lives []string
			want := &trace.Log{Requests: truth, Devices: log.Devices}
			for i := range truth {
				lives = append(lives, trial.Life(want, &truth[i]))
			}
			trial.Requests(t, log, lives)
			if text := printed(t, files); text != "" && !test.groups { // which blkparse 1.2 takes for actions of their own
				of, _ := trial.Import(t, &Blkparse, text)
				if diff := cmp.Diff(of, log); diff != "" {
					t.Errorf("what blkparse prints is another trace:\n%s", diff)
				}
			}
		})
	}
}

// printed is what blkparse prints of files, "" where it is not installed.
func printed(t *testing.T, files [][]byte) string {
	t.Helper()
	tool, err := exec.LookPath("blkparse")
	if err != nil {
		return ""
	}
	c := exec.Command(tool, "-i", "x")
	c.Dir = t.TempDir()
	for k, f := range files {
		if err := os.WriteFile(filepath.Join(c.Dir, fmt.Sprintf("x.blktrace.%d", k)), f, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Damage in the middle costs the record it is in, a cut the last one, and a gap in the numbers is told.
func TestDamagedFiles(t *testing.T) {
	l := &blkLog{now: 1000}
	for sector := range uint64(6) {
		l.record(blkIOTrace{Sector: sector * 8, Bytes: 4096, Action: taIssue | (tcRead|tcFS)<<16, PID: 5}, "")
		l.now += 10
		l.record(blkIOTrace{Sector: sector * 8, Bytes: 4096, Action: taComplete | (tcRead|tcFS)<<16}, "")
		l.now += 10
	}
	data := l.Bytes()
	copy(data[2*recordSize:], "????") // the second request's D
	data = data[:len(data)-5]         // the last one's C
	log, c := importFiles(t, [][]byte{data, {}})
	notes := strings.Join(c.Notes, "; ")
	if len(log.Requests) != 4 || c.Lines != 12 || c.Damaged != 2 || c.First != 3 ||
		!strings.Contains(notes, "not complete when the input ended, left out: 1") ||
		!strings.Contains(notes, "without a beginning in the input, left out: 1") {
		t.Errorf("%d requests, %+v", len(log.Requests), c)
	}
	want := []trace.Lost{{From: 10, To: 30, Count: 1, Kind: trace.KindRequest}}
	if diff := cmp.Diff(want, log.Losses); diff != "" {
		t.Error(diff)
	}
}

func TestOtherFiles(t *testing.T) {
	l := &blkLog{}
	l.record(blkIOTrace{Action: taQueue}, "")
	next := l.Bytes()
	next[0] = 8
	for name, data := range map[string][]byte{"text": []byte(strings.Repeat("no blktrace\n", 100)), "version": next} {
		if _, err := Blktrace.Import(bytes.NewReader(data), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzBinary(f *testing.F) {
	data, _ := blkHistory()
	f.Add(data[:20*recordSize], data[20*recordSize:40*recordSize])
	f.Fuzz(func(t *testing.T, one, two []byte) {
		log := &trace.Log{}
		_, _ = Blktrace.Read(inputs([][]byte{one, two}), log)
		trial.CheckPossible(t, &Blktrace, log)
	})
}

func BenchmarkBinary(b *testing.B) {
	data, _ := blkHistory()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Blktrace.Import(bytes.NewReader(data), &trace.Log{}); err != nil {
			b.Fatal(err)
		}
	}
}
