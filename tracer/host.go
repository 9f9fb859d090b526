package tracer

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// NewHeader describes a recording that src has just been attached for.
func NewHeader(o *Options, scope Scope, src Source) trace.Header {
	h := trace.Header{
		Tool:    o.Tool,
		Backend: src.Name(),
		OS:      runtime.GOOS,
		Arch:    runtime.GOARCH,
		CPUs:    host.CPUs(),
		Memory:  host.Memory(),
		Command: o.Command,
		PIDs:    scope.PIDs,
		Scope:   scope.kind(),
		UID:     uint32(os.Getuid()),
		Calls:   src.Calls(),
		Limits:  append(scope.Only.limits(), src.Limits()...),
	}
	if o.User != nil {
		h.UID = o.User.UID
	}
	if scope.Launch != 0 {
		h.PIDs = append([]uint32{scope.Launch}, scope.PIDs...)
	}
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		h.Kernel, h.Host = unix.ByteSliceToString(u.Release[:]), unix.ByteSliceToString(u.Nodename[:])
	}
	h.Dir, _ = os.Getwd()
	h.WallStart, h.ClockError = host.ClockZero(src.Now), int64(host.ClockError())
	return h
}
