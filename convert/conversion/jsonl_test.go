package conversion

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/convert/jsonl"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// content is all that a trace holds.
type content struct {
	Header trace.Header
	Events trace.Batch
	End    *trace.End
}

func read(t rapid.TB, in io.Reader) (c content) {
	t.Helper()
	r, err := tracefile.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	c.Header = r.Header()
	for b := (trace.Batch{}); ; {
		if err := r.Next(&b); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		gather(&c.Events, &b)
	}
	if end, ok := r.End(); ok {
		c.End = &end
	}
	if d := r.Damage(); len(d) > 0 {
		t.Fatal(d)
	}
	return c
}

// gather appends copies of the events of from to b.
func gather(b, from *trace.Batch) {
	to, events := reflect.ValueOf(b).Elem(), reflect.ValueOf(from).Elem()
	for i := range to.NumField() {
		if name := to.Type().Field(i).Name; name != "Extents" && name != "Parents" {
			to.Field(i).Set(reflect.AppendSlice(to.Field(i), events.Field(i)))
		}
	}
	for i := range from.Requests {
		e := &b.Requests[len(b.Requests)-len(from.Requests)+i]
		e.More = slices.Clone(e.More)
	}
	for i := range from.Devices {
		e := &b.Devices[len(b.Devices)-len(from.Devices)+i]
		e.Parents = slices.Clone(e.Parents)
	}
}

// lines is a trace as lines of JSON.
func lines(t rapid.TB, in io.Reader) string {
	t.Helper()
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	r, err := tracefile.NewReader(in)
	if err == nil {
		err = jsonl.Export(r, w)
	}
	if err := errors.Join(err, w.Flush()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func compare(t rapid.TB, original []byte) {
	t.Helper()
	want := read(t, bytes.NewReader(original))
	var again bytes.Buffer
	content := lines(t, bytes.NewReader(original))
	if _, err := Import(&again, &jsonl.Importer, text(content), "another tool"); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, read(t, &again), cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("the trace is not the same (-before +after):\n%s", d)
	}
}

// A recording that was written as lines of JSON and read again is the same.
func TestJSONLinesOfRecordings(t *testing.T) {
	recordings, _ := filepath.Glob("../../testdata/*.iotrace")
	if len(recordings) < 10 {
		t.Fatalf("only %d recordings", len(recordings))
	}
	for _, path := range recordings {
		t.Run(filepath.Base(path), func(t *testing.T) {
			original, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, original)
		})
	}
}

// So is any other trace, with whatever values, names and numbers; also of a newer version, and one without an end.
func TestJSONLinesOfAnyTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "text")) })
		var original bytes.Buffer
		w, err := tracefile.NewWriter(&original, trace.Header{
			Tool: "tool", Backend: "ebpf", OS: "linux", WallStart: time.Unix(1e9, rapid.Int64Range(0, 1e9).Draw(t, "ns")).UTC(),
			Calls: []string{"read", "write", "read", "", "other"}, Command: rapid.SliceOfN(text, 0, 3).Draw(t, "command"),
			Dir: text.Draw(t, "dir"), Limits: []trace.Limit{trace.LimitNoFaults.Limit()},
		})
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 20).Draw(t, "events") {
			draw(t, w, text)
		}
		if rapid.Bool().Draw(t, "complete") {
			err = w.Close(trace.End{Duration: trace.MaxTime, ExitCode: 3, Reason: "exit", Warnings: []string{"a", "b"},
				Contents: []trace.Content{{File: 3, Size: 9, Changed: -1, Sum: 1<<64 - 1}}})
		} else {
			err = w.Abandon()
		}
		if err != nil {
			t.Fatal(err)
		}
		compare(t, original.Bytes())
	})
}

// draw adds an event of any kind to a trace, and what it refers to.
func draw(t *rapid.T, w *tracefile.Writer, text *rapid.Generator[string]) {
	events := []any{&trace.Syscall{}, &trace.AsyncOp{}, &trace.Fault{}, &trace.Request{}, &trace.Wait{},
		&trace.Process{}, &trace.File{}, &trace.Device{}, &trace.Lost{}, &trace.RPC{}}
	e := events[rapid.IntRange(0, len(events)-1).Draw(t, "kind")]
	fill(t, reflect.ValueOf(e).Elem(), text)
	err := errors.Join(w.File(&trace.File{ID: 1}), w.Device(&trace.Device{ID: 1}))
	switch e := e.(type) {
	case *trace.Syscall:
		e.File, e.File2 = min(e.File, 1), min(e.File2, 1)
		err = errors.Join(err, w.Syscall(e))
	case *trace.AsyncOp:
		e.Complete = e.Submit + e.Complete
		e.File, e.File2 = min(e.File, 1), min(e.File2, 1)
		err = errors.Join(err, w.AsyncOp(e))
	case *trace.Fault:
		e.File = min(e.File, 1)
		err = errors.Join(err, w.Fault(e))
	case *trace.Request:
		e.Device, e.File, e.Completed = 1, min(e.File, 1), e.Issued+e.Completed
		e.Others = min(e.Others, e.Bytes)
		for i := range e.More {
			e.More[i].File, e.More[i].Bytes = min(e.More[i].File, 1), e.Bytes/4
		}
		err = errors.Join(err, w.Request(e))
	case *trace.Wait:
		e.Ready = min(e.Ready, e.Duration)
		if e.Completed = min(e.Completed, e.Woken()); !e.By.Completion() {
			e.Completed = 0
		}
		err = errors.Join(err, w.Wait(e))
	case *trace.Process:
		err = errors.Join(err, w.Process(e))
	case *trace.File:
		err = errors.Join(err, w.File(e))
	case *trace.Device:
		err = errors.Join(err, w.Device(e))
	case *trace.RPC:
		e.File, e.Queued = min(e.File, 1), min(e.Queued, e.Duration)
		e.RTT = min(e.RTT, e.Duration-e.Queued)
		err = errors.Join(err, w.RPC(e))
	case *trace.Lost:
		e.To += e.From
		err = errors.Join(err, w.Lost(e))
	default:
		err = fmt.Errorf("no event: %T", e)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// fill sets v and all fields in it to values that can be true.
func fill(t *rapid.T, v reflect.Value, text *rapid.Generator[string]) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), text)
		}
	case reflect.Slice:
		n := rapid.IntRange(0, 3).Draw(t, "items")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(t, v.Index(i), text)
		}
	case reflect.String:
		v.SetString(text.Draw(t, "text"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "flag"))
	case reflect.Int32: // descriptors, errors
		v.SetInt(int64(rapid.Int32().Draw(t, "number")))
	case reflect.Int64:
		v.SetInt(rapid.OneOf(rapid.Int64Range(0, 1<<30), rapid.Just[int64](0)).Draw(t, "number"))
	default:
		v.SetUint(rapid.Uint64Range(0, min(1<<40, uint64(math.MaxUint64)>>(64-v.Type().Bits()))).Draw(t, "number"))
	}
}

// What cannot be read is left out, counted and located, and the trace says so.
func TestDamagedJSONLines(t *testing.T) {
	const first = `{"kind":"trace","schema":1,"header":{"backend":"ebpf","os":"linux","calls":["read"]}}` + "\r\n"
	const content = first + `{"kind":"file","file":1,"path":"/a"}
{"kind":"syscall","start":5,"duration":7,"op":"read","call":"read","file":1,"result":3}
{"kind":"syscall","start":5,"duration":7,"op":"no operation","call":"read"}
{"duration":7,"kind":"wait","start":9,"cause":"io"}
{"kind":"syscall","start":-5,"op":"read","call":"read"}
{"kind":"picture"}
not JSON
{"kind":"end","end":{"duration":100,"reason":"exit"}}
{"kind":"wait"}
`
	var out bytes.Buffer
	r, err := Import(&out, &jsonl.Importer, text(content), "tool")
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Counts; c.Lines != 10 || c.Damaged != 3 || c.First != 4 || c.Skipped != 1 || len(c.Notes) != 2 {
		t.Errorf("%+v", c)
	}
	got := read(t, &out)
	if e := got.Events; len(e.Syscalls) != 1 || len(e.Waits) != 1 || got.End.Duration != 100 ||
		len(got.End.Warnings) != 3 {
		t.Fatalf("%+v", got)
	}
	if w := got.End.Warnings[0]; !strings.HasSuffix(w, `; the first is line 4: unknown value "no operation"`) {
		t.Error(w)
	}
	for _, content := range []string{"", "no\n", `{"kind":"syscall"}`, `{"kind":"trace","schema":2,"header":{}}`,
		`{"kind":"trace","schema":1,"header":{"cpus":-1}}`} {
		if _, err := Import(io.Discard, &jsonl.Importer, text(content), "tool"); err == nil {
			t.Errorf("%q is read", content)
		}
	}
}
