//go:build linux

package ebpf

import (
	"errors"
	"fmt"
	"math/bits"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/tracer/machine"
)

// DefaultBuffer holds about 0.3 s of the densest call storm one core can make.
const DefaultBuffer = 64 << 20

// What a recorder takes beside its buffer: the other maps of the probes (62 MiB with two processors) and itself (20
// to 25 MiB). Control groups are charged with all of it.
const (
	baseMemory = 84 << 20
	perCPU     = 1 << 20
)

// verifying is what the kernel takes besides while it verifies both halves of the programs at once: 24 to 33 MiB. One
// after the other they take 19 to 23 MiB.
const verifying = 32 << 20

// roomy reports whether there is memory for both halves at once beside a buffer.
func roomy(buffer int) bool {
	m, limited := machine.OwnMemory()
	return !limited || m.Free >= baseMemory+perCPU*int64(host.CPUs())+int64(buffer)+verifying
}

// smallestBuffer is taken where even less would be allowed: it loses events of many programs, and then that is told.
const smallestBuffer = 1 << 20

// fittingBuffer is the default size of the buffer, or what is left for it by a control group: half of what the
// recorder does not take itself, as the command, which is in the group as well, needs some. advice says so.
func fittingBuffer(m machine.Memory, limited bool) (size int, advice error) {
	base := baseMemory + perCPU*int64(host.CPUs())
	room := (m.Free - base) / 2
	if !limited || room >= DefaultBuffer {
		return DefaultBuffer, nil
	}
	size = smallestBuffer
	if room > smallestBuffer {
		size = 1 << (bits.Len64(uint64(room)) - 1)
	}
	advice = fmt.Errorf("the buffer has %s instead of %s: control group %s allows %s of memory, of which %s are free; "+
		"events may be lost (raise its limit, or set --buffer)", unit.BlockSize(int64(size)), unit.BlockSize(DefaultBuffer),
		m.Group, unit.BlockSize(m.Limit), unit.Bytes(m.Free))
	if m.Free < base+smallestBuffer {
		advice = fmt.Errorf("%w; a recorder takes about %s, so the kernel may end it", advice, unit.Bytes(base+int64(size)))
	}
	return size, advice
}

// doubt is what to think of a buffer that was asked for, nil if there is room for it. One that is larger than the group
// may be is refused (ENOMEM): the kernel would end the recorder rather than say so.
func doubt(buffer int, m machine.Memory, limited bool) error {
	base := baseMemory + perCPU*int64(host.CPUs())
	switch {
	case !limited || base+int64(buffer) <= m.Free:
		return nil
	case int64(buffer) >= m.Limit:
		return short(fmt.Errorf("making the buffer: %w", unix.ENOMEM), buffer)
	}
	return fmt.Errorf("a buffer of %s and the recorder take about %s: control group %s allows %s, of which %s are free, "+
		"so the kernel may end it (raise its limit, or set a smaller --buffer)", unit.BlockSize(int64(buffer)),
		unit.Bytes(base+int64(buffer)), m.Group, unit.BlockSize(m.Limit), unit.Bytes(m.Free))
}

// short says what to do where there was too little memory for probes with a buffer.
func short(err error, buffer int) error {
	if !errors.Is(err, unix.ENOMEM) {
		return err
	}
	if m, ok := machine.OwnMemory(); ok {
		return fmt.Errorf("%w: control group %s allows %s of memory: raise its limit, or take a smaller buffer than %s with "+
			"--buffer", err, m.Group, unit.BlockSize(m.Limit), unit.BlockSize(int64(buffer)))
	}
	return fmt.Errorf("%w: free some memory, or take a smaller buffer than %s with --buffer", err,
		unit.BlockSize(int64(buffer)))
}
