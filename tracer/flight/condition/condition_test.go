package condition

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/trace"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Condition{
		"request.latency > 100ms":     {field: &fields[0], limit: 100e6},
		" request.latency>=1.5s ":     {field: &fields[0], limit: 1.5e9, orMore: true},
		"request.bytes > 1 MiB":       {field: &fields[2], limit: 1 << 20},
		"call.latency > 1s":           {field: &fields[3], limit: 1e9},
		"device.p99 > 50ms for 5s":    {field: &fields[7], limit: 50e6, during: 5e9},
		"device.p99 > 50 ms for 1m":   {field: &fields[7], limit: 50e6, during: 60e9},
		"device.iops >= 5000 for 10s": {field: &fields[10], limit: 5000, orMore: true, during: 10e9},
		"lost > 0":                    {field: &fields[11]},
	} {
		want.text = strings.TrimSpace(text)
		if got, err := Parse(text); err != nil || *got != want {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, x := range Examples {
		if _, err := Parse(x); err != nil {
			t.Error(err)
		}
	}
}

// TestParseErrors: an error says where it is, what could stand there, and shows conditions that are right.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "at its end: want one of request.latency,",
		"latency > 1s":                    `at character 1, "latency > 1s": want one of request.latency,`,
		"request.latency":                 "at its end: want > or >=",
		"request.latency < 1s":            `at character 17, "< 1s": want > or >=`,
		"request.latency > ":              "at its end: want a time with a unit",
		"request.latency > 100":           `at character 19, "100": want a time with a unit`,
		"request.latency > fast":          `at character 19, "fast": want a time`,
		"request.latency > -1s":           `"-1s": want a time`,
		"request.bytes > 3s":              `"3s": want a size`,
		"lost > 1.5":                      `"1.5": want a whole number`,
		"lost > 99999999999999999999":     "want a whole number",
		"lost > 0 for 5s":                 `at character 10, "for 5s": only a condition of a device`,
		"request.latency > 1s or lost >0": "at character 22, \"or lost >0\": want nothing more",
		"device.p99 > 5ms for":            "at its end: want a time",
		"device.p99 > 5ms for 1ms":        `at character 22, "1ms": want whole seconds`,
		"device.p99 > 5ms for 2h":         "up to an hour",
		"device.p99 > 5ms for 5s more":    `at character 25, "more": want nothing more`,
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), Examples[2]) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, x := range Examples {
		f.Add(x)
	}
	f.Add("request.latency > 1 for for")
	f.Add("\xff > \x00")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text)
		if wrong := (*ParseError)(nil); err != nil {
			if !errors.As(err, &wrong) || wrong.At < 0 || wrong.At > len(text) || err.Error() == "" {
				t.Fatalf("%v", err)
			}
			return
		}
		if again, err := Parse(c.String()); err != nil || *again != *c {
			t.Fatalf("%+v, again %+v, %v", c, again, err)
		}
		if c.limit < 0 || c.during < 0 || c.during%int64(Interval) != 0 {
			t.Fatalf("%+v", c)
		}
	})
}

func parse(t rapid.TB, texts ...string) (list []*Condition) {
	t.Helper()
	for _, text := range texts {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// TestRank: a rank exceeds a limit if it does so by its definition (nearest rank).
func TestRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(1, 100), 1, 400).Draw(t, "values")
		limit := rapid.Int64Range(1, 100).Draw(t, "limit")
		rank := rapid.SampledFrom([]int64{500, 900, 990, 999, 1000}).Draw(t, "rank")
		above := int64(0)
		for _, v := range values {
			if v > limit {
				above++
			}
		}
		slices.Sort(values)
		n := int64(len(values))
		k := (n*rank + 999) / 1000
		if got, want := rare(rank, n, above), values[k-1] > limit; got != want {
			t.Errorf("%v: %v, want %v", values, got, want)
		}
	})
}

func TestWatch(t *testing.T) {
	type met struct {
		condition string
		at        int64
	}
	var got []met
	w := NewWatch(parse(t, "request.latency > 100ms", "call.latency > 1s", "fault.latency > 1s", "lost > 2",
		"device.p99 > 50ms for 3s", "device.iops >= 3", "request.queued > 1s"), func(m Met) { got = append(got, met{m.Condition.text, m.At}) })
	want := func(list ...met) {
		t.Helper()
		if !slices.Equal(got, list) {
			t.Errorf("got %v, want %v", got, list)
		}
		got = nil
	}
	const ms = int64(time.Millisecond)
	request := func(completed, latency int64) {
		w.Request(&trace.Request{Queued: -1, Issued: completed - latency, Completed: completed, Device: 5})
	}
	request(200*ms, 100*ms)
	want()
	request(200*ms, 100*ms+1)
	want(met{"request.latency > 100ms", 200 * ms})
	w.Request(&trace.Request{Issued: 0, Completed: 200 * ms, Flags: trace.ReqRecorder})
	want()
	w.Request(&trace.Request{Queued: 0, Issued: 1001 * ms, Completed: 1001 * ms, Device: 6})
	want(met{"request.queued > 1s", 1001 * ms})

	// Three seconds in a row: 0, 1, 2. One without requests, or a fast one, begins again.
	for i := int64(1); i < 6; i++ {
		request(i*1000*ms+1, 60*ms)
		if i == 3 {
			want(met{"device.p99 > 50ms for 3s", 3000 * ms})
		} else {
			want()
		}
	}
	request(7000*ms, 60*ms)
	request(8000*ms, 60*ms)
	request(9000*ms, 10*ms)
	request(10000*ms, 60*ms)
	request(11000*ms, 60*ms)
	want()
	request(11001*ms, 1*ms)
	request(11002*ms, 1*ms)
	want()
	w.Reached(12000 * ms)
	want(met{"device.iops >= 3", 12000 * ms})

	stored := func(id trace.FileID) bool { return id == 1 }
	w.Syscall(&trace.Syscall{Duration: 2000 * ms, Op: trace.OpRead, File: 2}, stored) // a pipe
	w.Syscall(&trace.Syscall{Duration: 2000 * ms, Op: trace.OpLock, File: 1}, stored)
	w.Syscall(&trace.Syscall{Duration: 1000 * ms, Op: trace.OpRead, File: 1}, stored)
	want()
	w.Syscall(&trace.Syscall{Duration: 2000 * ms, Op: trace.OpRead, File: 1}, stored)
	w.Syscall(&trace.Syscall{Duration: 2001 * ms, Op: trace.OpSyncFS}, stored)
	w.AsyncOp(&trace.AsyncOp{Complete: 2002 * ms, Op: trace.OpWrite, File: 1}, stored)
	want(met{"call.latency > 1s", 2000 * ms}, met{"call.latency > 1s", 2001 * ms}, met{"call.latency > 1s", 2002 * ms})
	w.Fault(&trace.Fault{Start: 1, Duration: 1001 * ms})
	want(met{"fault.latency > 1s", 1001*ms + 1})
	w.Lost(&trace.Lost{To: 100, Count: 2})
	w.Lost(&trace.Lost{To: 1100 * ms, Count: 2})
	want()
	w.Lost(&trace.Lost{To: 1200 * ms, Count: 1})
	want(met{"lost > 2", 1200 * ms})
}

// TestDevices: however many devices come and go, a watch knows few.
func TestDevices(t *testing.T) {
	w := NewWatch(parse(t, "device.max > 1s"), func(Met) { t.Error("met") })
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		at := r.Int64N(1e9)
		w.Request(&trace.Request{Issued: at, Completed: at, Device: trace.DeviceID(r.Uint32())})
	}
	if len(w.devices) > mostDevices {
		t.Errorf("%d devices", len(w.devices))
	}
}
