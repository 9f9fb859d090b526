package analyzer

import (
	"maps"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// TestFailedRequests: requests that ended with an error are counted per device
// and error number, moved nothing, and are told first.
func TestFailedRequests(t *testing.T) {
	s := newScene(t, "dd")
	b := s.create("/dst/b")
	for i := range int64(12) {
		s.write(b, i*MiB, MiB, ms)
		r := s.request(trace.ReqWrite, b, i*MiB, MiB, s.now-ms, s.now)
		switch {
		case i < 2:
			r.Error = 5
		case i == 2:
			r.Error = 28
		case i == 3:
			r.Error, r.Flags = 5, trace.ReqForeign
		}
	}
	s.request(trace.ReqFlush, 0, 0, 0, s.now, s.now+ms).Error = 5
	s.request(trace.ReqOther, 0, 0, 0, s.now, s.now+ms).Error = 1234
	s.request(trace.ReqWriteZeroes, 0, 0, 0, s.now, s.now+ms).Error = 95 // the kernel writes them itself
	others := s.request(trace.ReqDiscard, 0, 0, 0, s.now, s.now+ms)
	others.Error, others.Flags = 95, trace.ReqForeign
	p := s.finish()
	d := p.Devices[0]
	if d.Failed != 5 || !maps.Equal(d.Errno, map[trace.Errno]int64{5: 3, 28: 1, 1234: 1}) || d.Foreign.Errors != 1 {
		t.Errorf("failed %d, %v, of others %d", d.Failed, d.Errno, d.Foreign.Errors)
	}
	if d.Write.Count != 11 || d.Write.Errors != 3 || d.Write.Bytes != 8*MiB || d.Flush.Errors != 1 {
		t.Errorf("writes %+v, flushes %+v", d.Write, d.Flush)
	}
	o := p.Observations[0]
	const want = "nvme0n1: 5 requests failed: 3 with EIO (the device could not do it), " +
		"1 with ENOSPC (the storage behind the device is full), 1 with error 1234; 1 request of others failed."
	if o.Code != "failed_requests" || !strings.HasPrefix(o.Text, want) || o.Subject != "/devices/0" ||
		len(o.Evidence) != 5 ||
		o.Evidence[0] != (profile.Evidence{Pointer: "/devices/0/failed", Value: 5}) {
		t.Errorf("%+v", o)
	}
}

// TestNoFailedRequests: nothing is said of devices that did what they were asked.
func TestNoFailedRequests(t *testing.T) {
	p := readWriteCopy(t, 8).finish()
	for _, o := range p.Observations {
		if o.Code == "failed_requests" {
			t.Errorf("%+v", o)
		}
	}
	for _, d := range p.Devices {
		if d.Failed != 0 || d.Errno != nil {
			t.Errorf("%s: %d failed, %v", d.Name, d.Failed, d.Errno)
		}
	}
}
