package compare

import "github.com/iotrace/iotrace/analyzer/profile"

// order reads from a profile in which order its calls went through the files, and
// when.
type order struct{ *traced }

// patterns yields the access patterns of all files with the bytes they moved.
func (o order) patterns(yield func(p *profile.AccessPattern, bytes float64)) {
	for i := range o.p.Files {
		f := &o.p.Files[i]
		if f.ReadPattern != nil && f.Read != nil {
			yield(f.ReadPattern, float64(f.Read.Bytes))
		}
		if f.Faults != nil && f.Faults.Pattern != nil && o.mapped != nil {
			yield(f.Faults.Pattern, float64(f.Faults.Filled))
		}
		if f.WritePattern != nil && f.Write != nil {
			yield(f.WritePattern, float64(f.Write.Bytes))
		}
	}
}

// locality is the share of accesses, by bytes, that continued a sequential run.
func (o order) locality() Value {
	var sequential, strided, random float64
	o.patterns(func(p *profile.AccessPattern, bytes float64) {
		jumps := 0.0
		if p.Accesses > 1 {
			jumps = bounded(float64(p.Run.Count-1) / float64(p.Accesses-1))
		}
		sequential += bytes * (1 - jumps)
		strided += bytes * jumps * p.StrideShare
		random += bytes * jumps * (1 - p.StrideShare)
	})
	return portions{{"sequential", sequential}, {"strided", strided}, {"random", random}}.value(o.nowhere())
}

func (o order) runs() Value {
	s := spread{}
	o.patterns(func(p *profile.AccessPattern, _ float64) { s.sizes(&p.Run) })
	return s.value(o.nowhere())
}

// nowhere is what there is to say of places where none is known.
func (o order) nowhere() Value {
	if len(o.flows()) > 0 {
		return unknown("the places of the accesses are not known")
	}
	return none(noCalls)
}

func (o order) busy() Value {
	span, busy := o.span(), float64(o.p.Pattern.CallDepth.BusyNS)
	if o.mapped != nil {
		busy += float64(o.mapped.Depth.BusyNS)
	}
	if span <= 0 {
		return none(noCalls)
	}
	share := bounded(busy / span)
	return portions{{"in flight", share}, {"idle", 1 - share}}.value(none(noCalls))
}
