package metrics

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// An address of other machines has to be given: a port alone is for this one.
func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"9464": "127.0.0.1:9464", ":9464": "127.0.0.1:9464", "0": "127.0.0.1:0", "localhost:80": "127.0.0.1:80",
		"0.0.0.0:80": "0.0.0.0:80", "192.0.2.7:9464": "192.0.2.7:9464", "[::1]:9464": "[::1]:9464", "[::]:1": "[::]:1",
		"": "", "x": "", ":": "", "70000": "", "-1": "", "+1": "", "example.com:80": "", "::1": "", "1:2:3": "",
		"http://1": "", "09": "",
	} {
		if got, err := Address(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}

// Buckets hold what is not above their bound, names do nothing, and the recorder's own requests are left out.
func TestText(t *testing.T) {
	c := New()
	c.Device(&trace.Device{ID: 5, Name: "sd\"a\n\x1b"})
	for _, ns := range []int64{10e3, 10e3 + 1, 11e9} {
		c.Request(&trace.Request{Completed: ns, Device: 5, Op: trace.ReqRead, Bytes: 512})
	}
	c.Request(&trace.Request{Completed: 5, Device: 5, Op: trace.ReqRead, Bytes: 512, Flags: trace.ReqRecorder})
	c.Request(&trace.Request{Completed: 5, Device: 7, Op: trace.ReqFlush, Error: 5})
	c.Lost(&trace.Lost{Count: 3})
	c.Triggered("lost > 0")
	c.Wrote()
	if text := string(c.Text(Own{})); strings.Contains(text, "iotrace_known") {
		t.Errorf("a recorder that keeps nothing says so:\n%s", text)
	}
	c.Keeps(Kept{Bytes: 4096, Files: 3, Processes: 2, Devices: 1})
	text := string(c.Text(Own{Version: "v1", Lost: 2}))
	const sda = `{device="sd\"a\\n\\x1b",op="read"`
	for _, want := range []string{
		"iotrace_request_latency_seconds_bucket" + sda + `,le="1e-05"} 1`,
		"iotrace_request_latency_seconds_bucket" + sda + `,le="2e-05"} 2`,
		"iotrace_request_latency_seconds_bucket" + sda + `,le="10"} 2`,
		"iotrace_request_latency_seconds_bucket" + sda + `,le="+Inf"} 3`,
		"iotrace_request_latency_seconds_sum" + sda + "} 11.000020001",
		"iotrace_request_latency_seconds_count" + sda + "} 3",
		"iotrace_request_bytes_total" + sda + "} 1536",
		`iotrace_request_errors_total{device="0:7",op="flush"} 1`,
		`iotrace_triggers_total{condition="lost > 0"} 1`,
		"iotrace_traces_written_total 1",
		"iotrace_events_lost_total 3",
		"iotrace_kept_bytes 4096",
		`iotrace_known{of="devices"} 1`,
		`iotrace_known{of="files"} 3`,
		`iotrace_known{of="processes"} 2`,
		`iotrace_build_info{version="v1"} 1`,
		"# TYPE iotrace_request_latency_seconds histogram",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
}

// Of very many devices the last ones are told together.
func TestManyDevices(t *testing.T) {
	c := New()
	for i := range 10_000 {
		c.Request(&trace.Request{Device: trace.DeviceID(i + 1), Op: trace.ReqRead, Completed: 1})
	}
	if len(c.requests) != maxDevices+1 || c.requests[kind{0, trace.ReqRead}].count != 10_000-maxDevices {
		t.Errorf("%d kinds", len(c.requests))
	}
}
