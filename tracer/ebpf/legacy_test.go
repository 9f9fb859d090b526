//go:build linux

package ebpf

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cilium/ebpf/btf"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/tracer"
)

// The probes for old kernels load on this one too, and record the same.
func TestProbesForOldKernels(t *testing.T) {
	useOldProbes(t)
	t.Run("calls", TestCallsEqualStrace)
	t.Run("vectors", TestVectoredCalls)
	t.Run("libaio", TestLibaioOperations)
	t.Run("waits", TestWaits)
	t.Run("no room", TestNoRoom)
	t.Run("names", TestReusedDirect)
	t.Run("limits", TestLimitedDirect)
}

// useOldProbes takes the probes for old kernels while a test runs.
func useOldProbes(t *testing.T) {
	needBPF(t)
	before := legacyProbes
	legacyProbes = true
	t.Cleanup(func() { legacyProbes = before })
}

// A kernel that lacks one helper that the usual probes call, or folios, gets the others.
func TestWhichProbes(t *testing.T) {
	for _, lacking := range append(slices.Clone(newest), "folio", "") {
		var helpers btf.Enum
		helpers.Name, helpers.Size = "bpf_func_id", 4
		for i, name := range newest {
			if name != lacking {
				helpers.Values = append(helpers.Values, btf.EnumValue{Name: name, Value: uint64(i)})
			}
		}
		types := []btf.Type{&helpers}
		if lacking != "folio" {
			types = append(types, &btf.Struct{Name: "folio", Size: 8})
		}
		k := &kernel{types: specOf(t, types)}
		if old := k.lacksNewest(); old != (lacking != "") {
			t.Errorf("without %q: the probes for old kernels: %v", lacking, old)
		}
	}
}

// Hooks of the block layer are told apart by what comes first.
func TestFirstParameter(t *testing.T) {
	hook := func(name string, structs ...string) btf.Type {
		proto := &btf.FuncProto{Return: &btf.Void{},
			Params: []btf.FuncParam{{Name: "__data", Type: &btf.Pointer{Target: &btf.Void{}}}}}
		for _, s := range structs {
			proto.Params = append(proto.Params,
				btf.FuncParam{Name: s, Type: &btf.Pointer{Target: &btf.Struct{Name: s, Size: 8}}})
		}
		return &btf.Typedef{Name: "btf_trace_" + name, Type: &btf.Pointer{Target: proto}}
	}
	k := &kernel{types: specOf(t, []btf.Type{hook("block_rq_issue", "request"), hook("block_bio_queue", "request_queue",
		"bio"), hook("empty")})}
	for name, want := range map[string]string{"block_rq_issue": "request", "block_bio_queue": "request_queue", "empty": "",
		"absent": ""} {
		if got := k.firstParameter(name); got != want {
			t.Errorf("%s begins with %q, want %q", name, got, want)
		}
	}
}

// The hook at completion has had a status of the block layer, or an error number.
func TestErrorsOfRequests(t *testing.T) {
	for status, want := range map[int]int32{0: 0, 3: 28, 10: 5, 13: 16, -5: 5, -28: 28, -121: 121, 99: 5} {
		if got := errnoOf(uint8(status)); got != want {
			t.Errorf("status %d is error %d, want %d", status, got, want)
		}
	}
}

func specOf(t *testing.T, types []btf.Type) *btf.Spec {
	t.Helper()
	b, err := btf.NewBuilder(types, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := b.Marshal(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := btf.LoadSpecFromReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// What a kernel can do is tried: a version that says otherwise, as setarch --uname-2.6 shows one, changes nothing.
func TestVersionDoesNotMatter(t *testing.T) {
	needBPF(t)
	type found struct {
		release string
		checks  []tracer.Check
	}
	done := make(chan found)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with this goroutine
		const uname26 = 0x0020000
		if _, _, errno := unix.Syscall(unix.SYS_PERSONALITY, uname26, 0, 0); errno != 0 {
			t.Error(errno)
		}
		checks := Probe()
		done <- found{kernelVersion().Found, checks}
	}()
	f := <-done
	if !strings.HasPrefix(f.release, "Linux 2.6.") {
		t.Fatalf("the version is %s: the test proves nothing", f.release)
	}
	for _, c := range f.checks {
		if c.Required && !c.OK {
			t.Errorf("%s: %s", c.Name, c.Found)
		}
	}
}
