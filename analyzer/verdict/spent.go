package verdict

import (
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

const onCPU = "on a CPU, outside of calls that move data"

// spentOn adds to what is said of computing what that was, by samples of CPU time: the kind of work that most of it
// was, or else where more of it was than anywhere else. What helps against the kind replaces what helps against
// computing.
func spentOn(a *account, r *profile.Reason) {
	own := computedIn(a.p.Trace.Samples)
	all := samplesOf(own)
	if all < several || r.Remedy != compute && r.Remedy != lessInAll {
		return
	}
	words := ""
	kind, n := largest(own, func(s *profile.Sample) string { return s.Work })
	if kind != "" && 2*n > all {
		within := slices.DeleteFunc(slices.Clone(own), func(s profile.Sample) bool { return s.Work != kind })
		words = unit.Share(float64(n)/float64(all)) + " of it " + kind
		place, _ := placeOf(within, all)
		words += " (" + place + ")"
		if r.Remedy == compute {
			r.Remedy = cause.WorkOf(within[0].Library, within[0].Function).Try
		}
	} else {
		var place string
		if place, n = placeOf(own, all); place == "" || place == own[0].Process || float64(n) < fifth*float64(all) {
			return
		}
		words = unit.Share(float64(n)/float64(all)) + " of it in " + place
	}
	a.figure("samples", float64(all))
	a.figure("samples_share", float64(n)/float64(all))
	for i := range a.p.Trace.Samples {
		if a.p.Trace.Samples[i] == own[0] {
			r.Evidence = append(r.Evidence, at("/trace/samples/"+strconv.Itoa(i)+"/count", float64(own[0].Count)))
		}
	}
	switch {
	case r.Text == onCPU:
		r.Text = strings.Replace(words, "of it", "of its CPU time", 1)
	case strings.HasSuffix(r.Text, " of CPU time"):
		r.Text += ", " + words
	default:
		r.Text += "; " + strings.Replace(words, "of it", "of their CPU time", 1)
	}
}

// computedIn are the samples of what is computing: those in calls that move data, are on names or make data safe are
// left out. Of several programs it is the one that computed most, if it did more than all others.
func computedIn(list []profile.Sample) []profile.Sample {
	own := slices.DeleteFunc(slices.Clone(list), func(s profile.Sample) bool {
		op := trace.OpNamed(s.Call)
		return op.MovesData() || op.Metadata() || op.Durability()
	})
	process, n := largest(own, func(s *profile.Sample) string { return s.Process })
	if 2*n <= samplesOf(own) {
		return own
	}
	return slices.DeleteFunc(own, func(s profile.Sample) bool { return s.Process != process })
}

func samplesOf(list []profile.Sample) (n int64) {
	for i := range list {
		n += list[i].Count
	}
	return n
}

// largest is what most samples have in common.
func largest(list []profile.Sample, of func(*profile.Sample) string) (name string, n int64) {
	counts := map[string]int64{}
	for i := range list {
		s := &list[i]
		counts[of(s)] += s.Count
	}
	for i := range list { // in their order, so that one of two is always the same
		if key := of(&list[i]); counts[key] > n {
			name, n = key, counts[key]
		}
	}
	return name, n
}

// placeOf names the library in which most samples are, with the function if that has much of all, and says how many are
// there. The program's own name goes without saying beside a function of it.
func placeOf(list []profile.Sample, all int64) (place string, n int64) {
	library, n := largest(list, func(s *profile.Sample) string { return s.Library })
	within := slices.DeleteFunc(slices.Clone(list), func(s profile.Sample) bool { return s.Library != library })
	place = library
	if library == trace.SampleKernel {
		place = "the kernel"
	}
	function, in := largest(within, func(s *profile.Sample) string { return s.Function })
	switch {
	case library == "" || function == "" || float64(in) < fifth*float64(all):
		return place, n
	case library == within[0].Process:
		return function, in
	}
	return function + " of " + place, in
}
