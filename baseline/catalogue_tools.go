package baseline

import (
	"fmt"
	"time"
)

// atto sweeps the block size in powers of two.
func atto() []Pattern {
	p := Pattern{
		Name: "atto/sweep", Title: "ATTO Disk Benchmark: 512 B to 64 MiB, write and read",
		Source: "ATTO Disk Benchmark manual and public reports: 512 B to 64 MB in powers of two, 256 MB file, direct " +
			"I/O, overlapped",
		Inferred: []Inference{
			{"depth 4", "the default is not published; reviews use 4 or 6"},
			{"one pass over the file", "the manual gives the length, not the number of passes"},
			{"data random", "not published"},
		},
		Target:   TargetFile,
		Original: Original{Runs: 1, Pick: PickPerStep, Factor: 1},
		Runs:     1,
	}
	for block := int64(512); block <= 64*mib; block *= 2 {
		for _, op := range []Op{Write, Read} {
			p.Steps = append(p.Steps, Step{
				Name: blockName(block) + "-" + string(op), Op: op, Access: Sequential, Block: block, Depth: 4, Threads: 1,
				Cache: Direct, FileSize: 256 * mib, Data: RandomData,
			})
		}
	}
	return []Pattern{p}
}

// blockName is a block size as it appears in names: 512, 4k, 1m.
func blockName(n int64) string {
	switch {
	case n%mib == 0:
		return fmt.Sprintf("%dm", n/mib)
	case n%kib == 0:
		return fmt.Sprintf("%dk", n/kib)
	}
	return fmt.Sprint(n)
}

// dd: one thread that writes zeros. Which of its variants was run decides
// whether memory or the disk was measured.
func dd() []Pattern {
	step := Step{Name: "write", Op: Write, Access: Sequential, Block: mib, Depth: 1, Threads: 1, Blocking: true,
		Cache:    Buffered,
		FileSize: gib, Data: Zero, Fresh: true}
	pattern := func(name, command string, change func(*Step)) Pattern {
		s := step
		change(&s)
		return Pattern{
			Name: "dd/" + name, Title: command, Source: "GNU coreutils dd: dd if=/dev/zero of=FILE bs=1M count=1024",
			Target: TargetFile, Steps: []Step{s},
			Original: Original{Runs: 1, Pick: PickSingle, Factor: 1},
			Runs:     EnoughRuns, Discard: 1,
		}
	}
	read := func(c Cache) func(*Step) {
		return func(s *Step) { s.Name, s.Op, s.Cache, s.Fresh, s.Data = "read", Read, c, false, RandomData }
	}
	all := []Pattern{
		pattern("zero-buffered", "dd if=/dev/zero bs=1M count=1024 (measures memory)", func(*Step) {}),
		pattern("zero-fdatasync", "dd if=/dev/zero bs=1M count=1024 conv=fdatasync", func(s *Step) { s.Sync = SyncData }),
		pattern("zero-direct", "dd if=/dev/zero bs=1M count=1024 oflag=direct", func(s *Step) { s.Cache = Direct }),
		pattern("zero-dsync", "dd if=/dev/zero bs=1M count=1024 oflag=dsync", func(s *Step) { s.Sync = SyncWrite }),
		pattern("read-direct", "dd of=/dev/null bs=1M count=1024 iflag=direct", read(Direct)),
		pattern("read-buffered", "dd of=/dev/null bs=1M count=1024, the cache empty", read(Buffered)),
	}
	all[len(all)-1].DropCaches = true
	return all
}

// fioExamples are jobs that come with fio.
func fioExamples() []Pattern {
	var all []Pattern
	for _, t := range []struct {
		name   string
		access Access
		op     Op
	}{{"seq-read", Sequential, Read}, {"rand-read", Shuffled, Read}, {"seq-write", Sequential, Write},
		{"rand-write", Shuffled, Write}} {
		all = append(all, Pattern{
			Name: "fio/ssd-test/" + t.name, Title: "fio examples/ssd-test.fio, " + t.name + ": 4 KiB, iodepth 4",
			Source: "fio examples/ssd-test.fio: bs=4k iodepth=4 size=10g direct=1 runtime=60, no time_based",
			Target: TargetFile,
			Steps: []Step{{Name: string(t.op), Op: t.op, Access: t.access, Block: 4 * kib, Depth: 4, Threads: 1, Cache: Direct,
				FileSize: 10 * gib, Limit: Limit{Time: time.Minute, Bytes: 10 * gib}, Data: RandomData}},
			Original: Original{Runs: 1, Pick: PickSingle, Factor: 1},
			Runs:     1,
		})
	}
	return all
}

// snia is the IOPS test of the SNIA performance specification: the matrix of
// mixes and block sizes, round after round until the 4 KiB random write is in
// steady state.
func snia() []Pattern {
	p := Pattern{
		Name: "snia/iops-ss", Title: "SNIA SSS PTS: IOPS in steady state (destroys the device's content, takes hours)",
		Source: "SNIA Solid State Storage Performance Test Specification, as TKperf (638b083) implements it",
		Inferred: []Inference{
			{"depth 32", "the specification leaves threads and depth to the tester"},
			{"purge by discarding the whole device",
				"the specification asks for a purge; a secure erase needs the drive's own command"},
		},
		Target:   TargetDevice,
		Original: Original{Runs: 1, Pick: PickWindowMean, Factor: 1},
		Runs:     1,
		Until:    &SteadyState{Track: "w100-4k", Window: 5, Range: 0.20, Slope: 0.10, Max: 25},
	}
	for _, name := range []string{"precondition1", "precondition2"} { // twice the capacity
		p.Before = append(p.Before, Step{Name: name, Op: Write, Access: Sequential, Block: 128 * kib, Depth: 32, Threads: 1,
			Cache: Direct, Data: RandomData})
	}
	for _, share := range []int{100, 95, 65, 50, 35, 5, 0} {
		for _, block := range []int64{1024 * kib, 128 * kib, 64 * kib, 32 * kib, 16 * kib, 8 * kib, 4 * kib, 512} {
			s := Step{Name: fmt.Sprintf("r%d-%s", share, blockName(block)), Op: Mixed, ReadShare: share, Access: Random,
				Block: block,
				Depth: 32, Threads: 1, Cache: Direct, Limit: Limit{Time: time.Minute}, Data: RandomData}
			if share == 0 {
				s.Name, s.Op = "w100-"+blockName(block), Write
			}
			p.Steps = append(p.Steps, s)
		}
	}
	return []Pattern{p}
}

// copies are the ways programs copy a file.
func copies() []Pattern {
	pattern := func(name, title, source string, method Method, block int64, cache Cache) Pattern {
		return Pattern{
			Name: "copy/" + name, Title: title, Source: source, Target: TargetFile,
			Steps: []Step{{Name: "copy", Op: Copy, Method: method, Access: Sequential, Block: block, Depth: 1, Threads: 1,
				Blocking: true,
				Cache:    cache, FileSize: gib, Data: RandomData, Fresh: true}},
			Original:   Original{Runs: 1, Pick: PickSingle, Factor: 1},
			Runs:       EnoughRuns,
			Discard:    1,
			DropCaches: true,
		}
	}
	const loops = "GNU coreutils ioblksize.h and NEWS; Apple copyfile-224 and file_cmds"
	return []Pattern{
		pattern("loop-128k", "read 128 KiB, write 128 KiB (GNU cp before 9.5, many programs)", loops, CopyLoop, 128*kib,
			Buffered),
		pattern("loop-256k", "read 256 KiB, write 256 KiB (GNU cp from 9.5)", loops, CopyLoop, 256*kib, Buffered),
		pattern("loop-1m", "read 1 MiB, write 1 MiB (macOS cp)", loops, CopyLoop, mib, Buffered),
		pattern("loop-1m-uncached", "read 1 MiB, write 1 MiB, past the cache (macOS copyfile, Finder)", loops, CopyLoop,
			mib, Direct),
		pattern("copy_file_range", "copy_file_range (GNU cp from 9.0)", "GNU coreutils 9.0 NEWS; strace of coreutils 9.1",
			CopyFileRange, 0, Buffered),
		pattern("sendfile", "sendfile (Go, Python, many servers)", "Linux sendfile(2)", CopySendfile, 0, Buffered),
		pattern("clone", "FICLONE or clonefile: no data is moved", "Linux ioctl_ficlone(2), macOS clonefile(2)", CopyClone,
			0, Buffered),
	}
}
