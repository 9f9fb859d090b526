//go:build linux

package ebpf

import (
	"runtime"
	"testing"

	"github.com/cilium/ebpf/btf"
)

// How far the count of contexts lies from the scheduler's queue, of kernels that keep it in different places.
func TestDistanceOfTheCount(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("elsewhere the count is a part of the task")
	}
	number := &btf.Int{Name: "int", Size: 4, Encoding: btf.Signed}
	rq := &btf.Struct{Name: "rq", Size: 8}
	queue := &btf.Struct{Name: "cfs_rq", Size: 16, Members: []btf.Member{{Name: "rq", Type: rq, Offset: 64}}}
	hot := &btf.Struct{Name: "pcpu_hot", Size: 64, Members: []btf.Member{{Type: &btf.Union{Size: 64, Members: []btf.Member{
		{Type: &btf.Struct{Size: 16, Members: []btf.Member{{Name: "current_task", Type: number},
			{Name: "preempt_count", Type: number, Offset: 64}}}}}}}}}
	section := func(vars ...btf.VarSecinfo) btf.Type {
		return &btf.Datasec{Name: ".data..percpu", Size: 4096, Vars: vars}
	}
	at := func(name string, typ btf.Type, offset uint32) btf.VarSecinfo {
		return btf.VarSecinfo{Type: &btf.Var{Name: name, Type: typ, Linkage: btf.GlobalVar}, Offset: offset, Size: 8}
	}
	for name, test := range map[string]struct {
		types []btf.Type
		want  int64 // 0: it cannot be known
	}{
		"a variable":     {[]btf.Type{queue, section(at("__preempt_count", number, 64), at("runqueues", rq, 1024))}, -960},
		"part of one":    {[]btf.Type{queue, section(at("runqueues", rq, 1024), at("pcpu_hot", hot, 2048))}, 1032},
		"another queue":  {[]btf.Type{rq, section(at("__preempt_count", number, 64), at("runqueues", rq, 1024))}, 0},
		"queue of no rq": {[]btf.Type{&btf.Struct{Name: "cfs_rq", Size: 8}}, 0},
	} {
		got, err := countFromQueue(specOf(t, test.types))
		if got != test.want || (err == nil) != (test.want != 0) {
			t.Errorf("%s: %d, error %v; want %d", name, got, err, test.want)
		}
		k := &kernel{noCount: err}
		if refused := k.refusals(); (len(refused) > 0) != (test.want == 0) {
			t.Errorf("%s: refused %v", name, refused)
		}
	}
}
