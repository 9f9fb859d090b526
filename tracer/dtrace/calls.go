package dtrace

import (
	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// linuxCalls are the calls of Linux. Which there are depends on the architecture,
// and the scripts are run with -Z, so all are listed.
var linuxCalls = makeLinux()

func makeLinux() (calls []call) {
	for i := range linux.Calls {
		c := &linux.Calls[i]
		calls = append(calls, call{probe: c.Function(), name: c.Name, op: c.Op, shape: linuxShape(c),
			lay: linuxLayout(c.Shape)})
	}
	return calls
}

// linuxShape says how the reader treats a call.
func linuxShape(c *linux.Call) shape {
	switch c.Shape {
	case linux.ShapeIO, linux.ShapeSend:
		return shIO
	case linux.ShapePIO:
		return shPIO
	case linux.ShapeVec, linux.ShapeMessage:
		return shVec
	case linux.ShapePVec, linux.ShapePVec2:
		return shPVec
	case linux.ShapeCopy, linux.ShapeSendfile, linux.ShapeTee:
		return shCopy
	case linux.ShapeOpen, linux.ShapeCreat, linux.ShapeOpenAt, linux.ShapeOpenAt2:
		return shOpen
	case linux.ShapeClose:
		return shClose
	case linux.ShapeDup, linux.ShapeDup2:
		return shDup
	case linux.ShapeCloseMany:
		return shCloses
	case linux.ShapeFcntl:
		return shFcntl
	case linux.ShapeIoctl:
		return shIoctl
	case linux.ShapeSeek:
		return shSeek
	case linux.ShapeMmap:
		return shMmap
	case linux.ShapeMemory:
		return shRange
	case linux.ShapeChdir, linux.ShapeFchdir:
		return shChdir
	case linux.ShapeClone, linux.ShapeClone3:
		return shFork
	}
	switch c.Op {
	case trace.OpTruncate:
		return shTruncate
	case trace.OpRename:
		return shRename
	case trace.OpUnlink:
		return shUnlink
	}
	return shOther
}

// darwinCalls are the calls of macOS that the kdebug backend records as well.
var darwinCalls = makeDarwin()

func makeDarwin() (calls []call) {
	for _, c := range macos.Calls {
		lay, ok := darwinLayouts[c.Shape]
		if !ok {
			continue
		}
		calls = append(calls, call{probe: c.Name, op: c.Op, shape: darwinShape(c), lay: &lay})
	}
	return calls
}

func darwinShape(c macos.Call) shape {
	switch c.Shape {
	case macos.ShapeIO, macos.ShapeGuardIO:
		if c.Op == trace.OpReaddir {
			return shOther
		}
		return shIO
	case macos.ShapePIO, macos.ShapeGuardPIO:
		return shPIO
	case macos.ShapeVec, macos.ShapeGuardVec:
		return shVec
	case macos.ShapePVec:
		return shPVec
	case macos.ShapeOpen, macos.ShapeOpenAt, macos.ShapeGuardOpen, macos.ShapeOpenByID:
		return shOpen
	case macos.ShapeClose:
		return shClose
	case macos.ShapeDup, macos.ShapeDup2:
		return shDup
	case macos.ShapeFcntl:
		return shFcntl
	case macos.ShapeSeek:
		return shSeek
	case macos.ShapeTruncate, macos.ShapeFtruncate:
		return shTruncate
	case macos.ShapeClone:
		return shClone
	case macos.ShapeMmap:
		return shMmap
	case macos.ShapeRange:
		return shRange
	case macos.ShapeAIO, macos.ShapeAIOReturn:
		return shAIO
	case macos.ShapeChdir, macos.ShapeFchdir:
		return shChdir
	}
	switch c.Op {
	case trace.OpRename:
		return shRename
	case trace.OpUnlink:
		return shUnlink
	case trace.OpClone, trace.OpCopyfile:
		return shClone
	}
	return shOther
}
