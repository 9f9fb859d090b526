package trace

import (
	"cmp"
	"slices"
)

// Sample is a place in programs where threads were on a CPU, of processes of one name, and how often. Each CPU was
// asked at regular times.
type Sample struct {
	Process string `json:"process"`        // command name
	Call    string `json:"call,omitempty"` // operation of the recorded call that it was in, "" outside of those
	// Library is the program or library, by the name that it calls itself; SampleKernel; "" if no file was mapped there,
	// as of code that a program has made while it ran.
	Library  string `json:"library,omitempty"`
	Function string `json:"function,omitempty"` // "" if that is not known
	Count    int64  `json:"count"`
}

// SampleKernel stands for a library in the kernel.
const SampleKernel = "kernel"

// MaxSamples is how many places are listed at most.
const MaxSamples = 64

// Sampled lists places with how often they were seen, most often first. Of too many the rarest are put together, for
// each library of a process, and then for each process.
func Sampled(counts map[Sample]int64) []Sample {
	list := listed(counts)
	for _, less := range []func(*Sample){
		func(s *Sample) { s.Function = "" }, func(s *Sample) { s.Call, s.Library, s.Function = "", "", "" },
	} {
		if len(list) <= MaxSamples {
			break
		}
		fewer := map[Sample]int64{}
		for i, s := range list {
			n := s.Count
			if s.Count = 0; i >= MaxSamples/2 {
				less(&s)
			}
			fewer[s] += n
		}
		list = listed(fewer)
	}
	return list[:min(len(list), MaxSamples)]
}

func listed(counts map[Sample]int64) []Sample {
	list := make([]Sample, 0, len(counts))
	for s, n := range counts {
		s.Count = n
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Process, b.Process), cmp.Compare(a.Library, b.Library),
			cmp.Compare(a.Function, b.Function), cmp.Compare(a.Call, b.Call))
	})
	return list
}
