package flight

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/metrics"
)

// What is served over the loopback device is what the trace has: requests, their times and bytes.
func TestMetrics(t *testing.T) {
	t.Parallel()
	c := metrics.New()
	s, err := metrics.Serve("127.0.0.1:0", c, func() metrics.Own { return metrics.Own{} })
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	written, failed := run(t, requests(20, 1, 0), Options{Keep: time.Minute, Duration: 2 * time.Second, Counters: c,
		When: when(t, "request.latency > 150ms")})
	if len(written) != 1 || len(failed) > 0 {
		t.Fatalf("%v, %v", written, failed)
	}
	_, list, _ := read(t, written[0].Path)
	var latency, bytes, fast int64
	for i := range list {
		latency, bytes = latency+list[i].Latency(), bytes+list[i].Bytes
		if list[i].Latency() <= 100*ms {
			fast++
		}
	}
	r, err := http.Get(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	const sda = `{device="sda",op="` + "read" + `"`
	for _, want := range []string{
		fmt.Sprintf(`iotrace_request_latency_seconds_count%s} %d`, sda, len(list)),
		fmt.Sprintf(`iotrace_request_latency_seconds_bucket%s,le="0.1"} %d`, sda, fast),
		fmt.Sprintf(`iotrace_request_latency_seconds_sum%s} %v`, sda, float64(latency)/1e9),
		fmt.Sprintf(`iotrace_request_bytes_total%s} %d`, sda, bytes),
		`iotrace_triggers_total{condition="request.latency > 150ms"} 1`,
		"iotrace_traces_written_total 1", "iotrace_events_lost_total 0",
		`iotrace_known{of="devices"} 1`, `iotrace_known{of="files"} 1`, `iotrace_known{of="processes"} 1`,
	} {
		if !strings.Contains(string(text), want+"\n") {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	if len(list) != 21 || list[0].Op != trace.ReqRead {
		t.Errorf("%d requests", len(list))
	}
}
