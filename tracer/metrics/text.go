package metrics

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/visible"
)

// Own is what a recorder knows of itself.
type Own struct {
	Version     string
	CPU, Probes time.Duration
	RSS         int64
	Lost        uint64 // events, as the source counts them
}

// Text is all of it in the text format of Prometheus, version 0.0.4.
func (c *Counters) Text(own Own) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	var t text
	kinds := c.sorted()
	t.family("iotrace_request_latency_seconds", "histogram",
		"Time of a request from issue to completion. The sum's rate is the mean queue depth.")
	for _, k := range kinds {
		t.histogram(c.labels(k), c.requests[k])
	}
	t.family("iotrace_request_bytes_total", "counter", "Bytes of requests that have completed.")
	for _, k := range kinds {
		t.sample("", c.labels(k), strconv.FormatInt(c.requests[k].bytes, 10))
	}
	t.family("iotrace_request_errors_total", "counter", "Requests that failed.")
	for _, k := range kinds {
		t.sample("", c.labels(k), strconv.FormatUint(c.requests[k].errors, 10))
	}
	t.family("iotrace_requests_in_flight", "gauge", "Reads and writes that a device has been given and has not completed.")
	for _, d := range c.devices {
		if n := host.InFlight(d.Major(), d.Minor()); n >= 0 {
			t.sample("", "device="+quoted(c.name(d)), strconv.Itoa(n))
		}
	}
	t.family("iotrace_triggers_total", "counter", "Times at which a condition of the flight recorder held.")
	for _, condition := range slices.Sorted(maps.Keys(c.triggers)) {
		t.sample("", "condition="+quoted(condition), strconv.FormatUint(c.triggers[condition], 10))
	}
	t.single("iotrace_traces_written_total", "counter", "Traces that the flight recorder has written.", float64(c.written))
	if k := c.kept; k != nil {
		t.single("iotrace_kept_bytes", "gauge", "Packed events that the flight recorder keeps.", float64(k.Bytes))
		t.family("iotrace_known", "gauge", "Files, processes and devices that the flight recorder knows.")
		for i, n := range []int{k.Devices, k.Files, k.Processes} {
			t.sample("", "of="+quoted([]string{"devices", "files", "processes"}[i]), strconv.Itoa(n))
		}
	}
	t.single("iotrace_events_lost_total", "counter", "Events that could not be recorded.",
		float64(max(own.Lost, c.streamed)))
	t.single("iotrace_cpu_seconds_total", "counter", "Processor time that iotrace took.", own.CPU.Seconds())
	t.single("iotrace_probes_cpu_seconds_total", "counter",
		"Processor time that its probes took of other programs, sampled.", own.Probes.Seconds())
	t.single("iotrace_resident_memory_bytes", "gauge", "Memory of iotrace, at most so far.", float64(own.RSS))
	t.family("iotrace_build_info", "gauge", "Its version.")
	t.sample("", "version="+quoted(own.Version), "1")
	return t.b.Bytes()
}

// sorted are the kinds of requests by device and operation, so that what is served is in the same order each time.
func (c *Counters) sorted() []kind {
	kinds := slices.Collect(maps.Keys(c.requests))
	sorting.Stably(kinds, func(a, b kind) int {
		return cmp.Or(strings.Compare(c.name(a.device), c.name(b.device)), cmp.Compare(a.device, b.device),
			cmp.Compare(a.op, b.op))
	})
	return kinds
}

func (c *Counters) labels(k kind) string {
	return "device=" + quoted(c.name(k.device)) + ",op=" + quoted(k.op.String())
}

// quoted is a value of a label. Names are shown so that they do nothing, wherever they are printed.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(visible.Text(s)) + `"`
}

// text is what is served while it is put together.
type text struct {
	b    bytes.Buffer
	name string
}

func (t *text) family(name, kind, help string) {
	t.name = name
	fmt.Fprintf(&t.b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (t *text) sample(suffix, labels, value string) {
	t.b.WriteString(t.name + suffix)
	if labels != "" {
		t.b.WriteString("{" + labels + "}")
	}
	t.b.WriteString(" " + value + "\n")
}

func (t *text) single(name, kind, help string, value float64) {
	t.family(name, kind, help)
	t.sample("", "", number(value))
}

// histogram is the number of requests up to each bound, and all together.
func (t *text) histogram(labels string, r *requests) {
	sum := uint64(0)
	for i, n := range bounds {
		sum += r.buckets[i]
		t.sample("_bucket", labels+`,le="`+number(float64(n)/1e9)+`"`, strconv.FormatUint(sum, 10))
	}
	t.sample("_bucket", labels+`,le="+Inf"`, strconv.FormatUint(r.count, 10))
	t.sample("_sum", labels, number(float64(r.latency)/1e9))
	t.sample("_count", labels, strconv.FormatUint(r.count, 10))
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
