//go:build linux

package ebpf

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/tracer"
)

// sampledThreads is the program that takes samples of what threads do on a CPU (bpf/sample.bpf.h).
const sampledThreads = "sampled"

// samplesPerSecond is how often each CPU is asked. A round number would fall in with what programs do at regular times.
const samplesPerSecond = 99

// errNoSampling says of which kernels no samples are taken.
var errNoSampling = errors.New("this kernel does not tell probes which file is mapped at an address")

// samples tells of programs that are run by a clock.
func samples(p *ebpf.ProgramSpec) bool { return p.Type == ebpf.PerfEvent }

// clocks are those by which the samples are taken, one for each CPU.
type clocks []int

// startClocks has samples taken until the clocks are stopped.
func startClocks(c *ebpf.Collection) (clocks, error) {
	program := c.Programs[sampledThreads]
	if program == nil {
		return nil, errNoSampling
	}
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return nil, err
	}
	var list clocks
	for cpu := range cpus {
		switch fd, err := startClock(program, cpu); {
		case err == nil:
			list = append(list, fd)
		case !errors.Is(err, unix.ENODEV): // of one that is off
			list.stop()
			return nil, fmt.Errorf("sampling CPU %d: %w", cpu, err)
		}
	}
	return list, nil
}

func startClock(program *ebpf.Program, cpu int) (int, error) {
	const everybody = -1
	fd, err := unix.PerfEventOpen(&unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK, Size: unix.PERF_ATTR_SIZE_VER0,
		Sample: samplesPerSecond, Bits: unix.PerfBitFreq | unix.PerfBitDisabled,
	}, everybody, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return 0, err
	}
	err = unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_SET_BPF, program.FD())
	if err == nil {
		err = unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_ENABLE, 0)
	}
	if err != nil {
		unix.Close(fd)
	}
	return fd, err
}

// samplingCheck tells whether samples can be taken. Without them nothing is said of what CPU time was spent on.
func samplingCheck(of *ebpf.Collection) tracer.Check {
	c := tracer.Check{Name: "samples of CPU time", OK: true,
		Found: fmt.Sprintf("%d a second on each CPU", samplesPerSecond)}
	list, err := startClocks(of)
	list.stop()
	if err != nil {
		c.OK, c.Found = false, fmt.Sprintf("not recorded: what CPU time is spent on (%s)", err)
		c.Remedy = "a newer kernel, and more descriptors (ulimit -n) on many CPUs; everything else is recorded"
	}
	return c
}

func (list clocks) stop() {
	for _, fd := range list {
		unix.Close(fd)
	}
}
