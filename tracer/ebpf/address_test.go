//go:build linux

package ebpf

import (
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
)

func TestAddresses(t *testing.T) {
	needBPF(t)
	dir := workDir(t)
	rec := recordCommand(t, Options{}, nil, workload.Args("connects", dir)...)
	var got, want []string
	for i := range rec.Syscalls {
		if c := &rec.Syscalls[i]; c.Op == trace.OpConnect {
			got = append(got, rec.path(c.File2))
		}
	}
	for _, to := range workload.Connects {
		want = append(want, strings.Replace(to, "DIR", dir, 1))
	}
	if !slices.Equal(got, want) {
		t.Errorf("connected to %q, want %q", got, want)
	}
}

func TestAddressOfSockaddr(t *testing.T) {
	for want, b := range map[string]string{
		"192.0.2.7:5432": "\x02\x00\x15\x38\xc0\x00\x02\x07\x00\x00\x00\x00\x00\x00\x00\x00",
		"[2001:db8::7%3]:80": "\x0a\x00\x00\x50\x00\x00\x00\x00\x20\x01\x0d\xb8" +
			strings.Repeat("\x00", 11) + "\x07\x03\x00\x00\x00",
		"unix:/run/x": "\x01\x00/run/x\x00rest",
		"unix:@name":  "\x01\x00\x00name",
		"":            "\x02\x00\x15",
	} {
		if got := address([]byte(b)); got != want {
			t.Errorf("%q is %q, want %q", b, got, want)
		}
	}
}
