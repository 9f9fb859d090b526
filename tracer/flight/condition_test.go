package flight

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
		if got, err := ParseCondition(text); err != nil || *got != want {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, x := range ConditionExamples {
		if _, err := ParseCondition(x); err != nil {
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
		_, err := ParseCondition(text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), ConditionExamples[2]) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, x := range ConditionExamples {
		f.Add(x)
	}
	f.Add("request.latency > 1 for for")
	f.Add("\xff > \x00")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCondition(text)
		if wrong := (*parseError)(nil); err != nil {
			if !errors.As(err, &wrong) || wrong.At < 0 || wrong.At > len(text) || err.Error() == "" {
				t.Fatalf("%v", err)
			}
			return
		}
		if again, err := ParseCondition(c.String()); err != nil || *again != *c {
			t.Fatalf("%+v, again %+v, %v", c, again, err)
		}
		if c.limit < 0 || c.during < 0 || c.during%int64(checkInterval) != 0 {
			t.Fatalf("%+v", c)
		}
	})
}

func parse(t rapid.TB, texts ...string) (list []*Condition) {
	t.Helper()
	for _, text := range texts {
		c, err := ParseCondition(text)
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

// meetings is what a watch told of.
type meetings struct {
	*testing.T
	got []meeting
}

type meeting struct {
	condition string
	at        int64
}

func (m *meetings) want(list ...meeting) {
	m.Helper()
	if !slices.Equal(m.got, list) {
		m.Errorf("got %v, want %v", m.got, list)
	}
	m.got = nil
}

func watch(t *testing.T, conditions ...string) (*Watch, *meetings) {
	m := &meetings{T: t}
	return newWatch(parse(t, conditions...), func(x met) { m.got = append(m.got, meeting{x.Condition.text, x.At}) }), m
}

const conditionMs = int64(time.Millisecond)

func request(w *Watch, completed, latency int64) {
	w.Request(&trace.Request{Queued: -1, Issued: completed - latency, Completed: completed, Device: 5})
}

func TestWatchEvents(t *testing.T) {
	w, m := watch(t, "request.latency > 100ms", "call.latency > 1s", "fault.latency > 1s", "lost > 2",
		"request.queued > 1s")
	request(w, 200*conditionMs, 100*conditionMs)
	m.want()
	request(w, 200*conditionMs, 100*conditionMs+1)
	m.want(meeting{"request.latency > 100ms", 200 * conditionMs})
	w.Request(&trace.Request{Issued: 0, Completed: 200 * conditionMs, Flags: trace.ReqRecorder})
	m.want()
	w.Request(&trace.Request{Queued: 0, Issued: 1001 * conditionMs, Completed: 1001 * conditionMs, Device: 6})
	m.want(meeting{"request.queued > 1s", 1001 * conditionMs})

	stored := func(id trace.FileID) bool { return id == 1 }
	w.Syscall(&trace.Syscall{Duration: 2000 * conditionMs, Op: trace.OpRead, File: 2}, stored) // a pipe
	w.Syscall(&trace.Syscall{Duration: 2000 * conditionMs, Op: trace.OpLock, File: 1}, stored)
	w.Syscall(&trace.Syscall{Duration: 1000 * conditionMs, Op: trace.OpRead, File: 1}, stored)
	m.want()
	w.Syscall(&trace.Syscall{Duration: 2000 * conditionMs, Op: trace.OpRead, File: 1}, stored)
	w.Syscall(&trace.Syscall{Duration: 2001 * conditionMs, Op: trace.OpSyncFS}, stored)
	w.AsyncOp(&trace.AsyncOp{Complete: 2002 * conditionMs, Op: trace.OpWrite, File: 1}, stored)
	m.want(meeting{"call.latency > 1s", 2000 * conditionMs}, meeting{"call.latency > 1s", 2001 * conditionMs},
		meeting{"call.latency > 1s", 2002 * conditionMs})
	w.Fault(&trace.Fault{Start: 1, Duration: 1001 * conditionMs})
	m.want(meeting{"fault.latency > 1s", 1001*conditionMs + 1})
	w.Lost(&trace.Lost{To: 100, Count: 2})
	w.Lost(&trace.Lost{To: 1100 * conditionMs, Count: 2})
	m.want()
	w.Lost(&trace.Lost{To: 1200 * conditionMs, Count: 1})
	m.want(meeting{"lost > 2", 1200 * conditionMs})
}

// TestWatchDevices: a condition has to hold in so many seconds in a row. One without requests, or with fast ones,
// begins again.
func TestWatchDevices(t *testing.T) {
	w, m := watch(t, "device.p99 > 50ms for 3s", "device.iops >= 3")
	for i := int64(0); i < 6; i++ {
		request(w, i*1000*conditionMs+100*conditionMs, 60*conditionMs)
		if i == 3 {
			m.want(meeting{"device.p99 > 50ms for 3s", 3000 * conditionMs})
		} else {
			m.want()
		}
	}
	for i := int64(7); i < 12; i++ {
		latency := 60 * conditionMs
		if i == 9 {
			latency = 10 * conditionMs
		}
		request(w, i*1000*conditionMs, latency)
	}
	m.want()
	request(w, 11001*conditionMs, 1*conditionMs)
	request(w, 11002*conditionMs, 1*conditionMs)
	m.want()
	w.Reached(12000 * conditionMs)
	m.want(meeting{"device.iops >= 3", 12000 * conditionMs})
}

// TestDevices: however many devices come and go, a watch knows few.
func TestDevices(t *testing.T) {
	w := newWatch(parse(t, "device.max > 1s"), func(met) { t.Error("met") })
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		at := r.Int64N(1e9)
		w.Request(&trace.Request{Issued: at, Completed: at, Device: trace.DeviceID(r.Uint32())})
	}
	if len(w.devices) > mostDevices {
		t.Errorf("%d devices", len(w.devices))
	}
}
