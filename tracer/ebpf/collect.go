//go:build linux

package ebpf

import (
	"cmp"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// manyDescriptors are enough for the maps three times: each half of the programs is loaded with descriptors of its own.
const manyDescriptors = 2 * leastDescriptors

// collect makes the maps and loads the programs: half of them beside the other half where there is more than one
// processor, and memory for both. The kernel's verifier takes most of the time that passes before a recording begins.
func collect(spec *ebpf.CollectionSpec, k *kernel, roomy bool) (*ebpf.Collection, error) {
	options := ebpf.CollectionOptions{
		Programs: ebpf.ProgramOptions{ExtraRelocationTargets: k.modules}, Cache: k.decoded,
	}
	var files unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil || files.Cur < manyDescriptors ||
		runtime.GOMAXPROCS(0) < 2 || !roomy {
		return ebpf.NewCollectionWithOptions(spec, options)
	}
	bare := *spec
	bare.Programs = nil
	all, err := ebpf.NewCollectionWithOptions(&bare, options)
	if err != nil {
		return nil, err
	}
	var parts [2]*ebpf.Collection
	var failed [2]error
	var both sync.WaitGroup
	for i, programs := range divide(spec.Programs) {
		if i > 0 {
			options.Cache, options.Programs.ExtraRelocationTargets = k.typesBeside()
		}
		of := options
		both.Go(func() { parts[i], failed[i] = loadInto(all, spec, programs, of) })
	}
	both.Wait()
	for _, part := range parts {
		if part == nil {
			continue
		}
		for name := range part.Programs {
			all.Programs[name] = part.DetachProgram(name)
		}
		part.Close()
	}
	if err := cmp.Or(failed[0], failed[1]); err != nil { // one of them: whoever asks which program it was reads its text
		all.Close()
		return nil, err
	}
	return all, nil
}

// loadInto loads some programs, with those of the maps that they use.
func loadInto(all *ebpf.Collection, spec *ebpf.CollectionSpec, programs map[string]*ebpf.ProgramSpec,
	options ebpf.CollectionOptions) (*ebpf.Collection, error) {
	some := *spec
	some.Programs, some.Variables, some.Maps = programs, nil, map[string]*ebpf.MapSpec{}
	options.MapReplacements = map[string]*ebpf.Map{}
	for _, p := range programs {
		for _, i := range p.Instructions {
			if name := i.Reference(); i.IsLoadFromMap() && all.Maps[name] != nil {
				some.Maps[name], options.MapReplacements[name] = spec.Maps[name], all.Maps[name]
			}
		}
	}
	return ebpf.NewCollectionWithOptions(&some, options)
}

// divide makes two parts of programs, of about as many instructions.
func divide(programs map[string]*ebpf.ProgramSpec) (parts [2]map[string]*ebpf.ProgramSpec) {
	parts[0], parts[1] = map[string]*ebpf.ProgramSpec{}, map[string]*ebpf.ProgramSpec{}
	names := slices.SortedFunc(maps.Keys(programs), func(a, b string) int {
		return cmp.Or(len(programs[b].Instructions)-len(programs[a].Instructions), cmp.Compare(a, b))
	})
	var size [2]int
	for _, name := range names {
		i := 0
		if size[1] < size[0] {
			i = 1
		}
		parts[i][name] = programs[name]
		size[i] += len(programs[name].Instructions)
	}
	return parts
}
