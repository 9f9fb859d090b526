//go:build linux

package ebpf

import (
	"cmp"
	"maps"
	"slices"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/machine"
)

// sampleTable counts the samples of CPU time by where they are.
type sampleTable struct {
	counts map[sampleKey]int64
	all    int64
	seen   map[nodeKey]uint32 // a process that has a file mapped
}

// sampleKey is a place in the program of processes of one name.
type sampleKey struct {
	command string
	op      trace.Op // that it was in; OpOther: in none that is recorded
	inCall  bool
	file    mappedFile
	at      uint64 // in the file, or the address in the kernel
	kernel  bool
}

// mappedFile is a file that is mapped; zero where there is none, as of code that a program made while it ran.
type mappedFile struct {
	node nodeKey
	name string
}

// mostPlaces bounds the places that are told apart; further ones count for their file. fewSamples, 0.16 s of CPU time,
// tell nothing.
const (
	mostPlaces = 1 << 16
	fewSamples = 16
)

func newSampleTable() sampleTable {
	return sampleTable{counts: map[sampleKey]int64{}, seen: map[nodeKey]uint32{}}
}

// count counts one.
func (t *sampleTable) count(r *iotraceSample, calls *callTable) {
	k := sampleKey{command: cString(r.Comm[:]), at: r.At, kernel: r.User == 0}
	if r.Nr != noCall {
		k.inCall, k.op = true, calls.op[r.Nr]
	}
	if r.Inode != 0 {
		k.file = mappedFile{nodeKey{trace.DeviceID(r.Dev), r.Inode}, cString(r.Name[:])}
		t.seen[k.file.node] = r.Pid
	}
	if _, known := t.counts[k]; !known && len(t.counts) >= mostPlaces {
		k.at = 0
	}
	t.counts[k]++
	t.all++
}

// noCall is the number of a sample outside of recorded calls.
const noCall = 0x3fff

// list is what was counted, by functions.
func (s *sampleTable) list(files *fileTable) []trace.Sample {
	if s.all < fewSamples {
		return nil
	}
	kernel := machine.KernelSymbols(s.inKernel())
	programs := map[mappedFile]*machine.Symbols{}
	rows := map[trace.Sample]int64{}
	for k, n := range s.counts {
		row := trace.Sample{Process: k.command}
		if k.inCall {
			row.Call = k.op.String()
		}
		switch {
		case k.kernel:
			name := kernel[k.at]
			if name.Module == machine.ProbesModule {
				continue // what recording costs
			}
			row.Library, row.Function = trace.SampleKernel, name.Function
		case k.file != mappedFile{}:
			symbols, known := programs[k.file]
			if !known {
				symbols = machine.ReadSymbols(files.mapped(k.file.node, s.seen[k.file.node]), k.file.node.inode)
				programs[k.file] = symbols
			}
			row.Library = cmp.Or(symbols.Name(), k.file.name)
			row.Function = symbols.At(k.at)
		}
		rows[row] += n
	}
	return trace.Sampled(rows)
}

// inKernel are the addresses in the kernel.
func (s *sampleTable) inKernel() []uint64 {
	list := map[uint64]bool{}
	for k := range s.counts {
		if k.kernel {
			list[k.at] = true
		}
	}
	return slices.Sorted(maps.Keys(list))
}

// mapped is where a file is that a process has mapped, "" if nothing tells. Those of a command were opened while it was
// recorded, those of a process that was there before are asked of it.
func (t *fileTable) mapped(node nodeKey, pid uint32) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if id, ok := t.byNode.get(node); ok {
		if name, ok := t.names.get(id); ok && name.path != "" {
			return name.here()
		}
	}
	return machine.MappedFile(pid, node.inode)
}
