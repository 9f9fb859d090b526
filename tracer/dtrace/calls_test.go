package dtrace

import (
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/tracer"
)

// Every call of the common table has its probes in the script.
func TestTheScriptHasEveryCall(t *testing.T) {
	script := Script(Parameters{Platform: Linux, Scope: tracer.Scope{All: true}, BufferKiB: 64, CPUs: 1})
	for i := range linux.Calls {
		c := &linux.Calls[i]
		for _, point := range []string{":entry", ":return"} {
			if !strings.Contains(script, "syscall::"+c.Function()+point) {
				t.Errorf("%s has no probe %s%s", c.Name, c.Function(), point)
			}
		}
		if !slices.ContainsFunc(linuxCalls, func(k call) bool { return k.name == c.Name && k.op == c.Op }) {
			t.Errorf("%s has no row", c.Name)
		}
	}
}

// The columns of a line are the places of the arguments.
func TestColumnsOfLinux(t *testing.T) {
	for _, test := range []struct {
		shape linux.Shape
		want  layout
	}{
		{linux.ShapeCopy, layout{fd: "arg0", fd2: "arg2", length: "arg4", offsetAt: "arg1", offset2At: "arg3"}},
		{linux.ShapeSendfile, layout{fd: "arg1", fd2: "arg0", length: "arg3", offsetAt: "arg2"}},
		{linux.ShapeOpenAt, layout{fd2: "arg0", path: "arg1", flags: "arg2"}},
		{linux.ShapeAt, layout{fd: "arg0", path: "arg1"}},
		{linux.ShapeTwoAt, layout{fd: "arg0", path: "arg1", fd2: "arg2", path2: "arg3"}},
		{linux.ShapeSymlinkAt, layout{fd2: "arg1", path2: "arg2"}},
		{linux.ShapeAllocate, layout{fd: "arg0", flags: "arg1", offset: "arg2", length: "arg3"}},
		{linux.ShapeSeek, layout{fd: "arg0", flags: "arg2"}},
		{linux.ShapeSend, layout{fd: "arg0", length: "arg2", only: "!(arg3 & 2)"}},
	} {
		test.want.name = strings.ReplaceAll(test.shape.String(), ", …", "")
		if got := *linuxLayout(test.shape); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.shape, got, test.want)
		}
	}
}
