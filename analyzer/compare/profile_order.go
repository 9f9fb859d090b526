package compare

import "github.com/iotrace/iotrace/analyzer/profile"

// patterns yields the access patterns of all files with the bytes they moved.
func (t *traced) patterns(yield func(p *profile.AccessPattern, bytes float64)) {
	for i := range t.p.Files {
		f := &t.p.Files[i]
		if f.ReadPattern != nil && f.Read != nil {
			yield(f.ReadPattern, float64(f.Read.Bytes))
		}
		if f.WritePattern != nil && f.Write != nil {
			yield(f.WritePattern, float64(f.Write.Bytes))
		}
	}
}

// locality is the share of accesses, by bytes, that continued a sequential run.
func (t *traced) locality() Value {
	var sequential, strided, random float64
	t.patterns(func(p *profile.AccessPattern, bytes float64) {
		jumps := 0.0
		if p.Accesses > 1 {
			jumps = bounded(float64(p.Run.Count-1) / float64(p.Accesses-1))
		}
		sequential += bytes * (1 - jumps)
		strided += bytes * jumps * p.StrideShare
		random += bytes * jumps * (1 - p.StrideShare)
	})
	return portions{{"sequential", sequential}, {"strided", strided}, {"random", random}}.value(t.nowhere())
}

func (t *traced) runs() Value {
	s := spread{}
	t.patterns(func(p *profile.AccessPattern, _ float64) { s.sizes(&p.Run) })
	return s.value(t.nowhere())
}

// nowhere is what there is to say of places where none is known.
func (t *traced) nowhere() Value {
	if len(t.flows()) > 0 {
		return unknown("the places of the accesses are not known")
	}
	return none(noCalls)
}

// span is the time from the first data call to the end of the last. Files that
// hold less than a hundredth of the bytes have no say, unless they are many:
// the libraries and logs of a program are not its workload.
func (t *traced) span() float64 {
	total := bytes(t.calls.Read) + bytes(t.calls.Write)
	var main, all stretch
	covered := 0.0
	for _, f := range t.flows() {
		all.add(f)
	}
	for i := range t.p.Files {
		f := &t.p.Files[i]
		if moved := bytes(f.Read) + bytes(f.Write); moved >= total/100 && moved > 0 {
			covered += moved
			main.add(f.Read)
			main.add(f.Write)
		}
	}
	if covered < total*0.9 || main.length() <= 0 {
		return all.length()
	}
	return main.length()
}

// stretch is the time that flows take together.
type stretch struct {
	from, to int64
	any      bool
}

func (s *stretch) add(f *profile.Flow) {
	if f == nil || f.Count == 0 {
		return
	}
	if !s.any || f.FirstNS < s.from {
		s.from = f.FirstNS
	}
	s.to, s.any = max(s.to, f.LastNS), true
}

func (s *stretch) length() float64 { return float64(s.to - s.from) }

func (t *traced) busy() Value {
	span, busy := t.span(), float64(t.p.Pattern.CallDepth.BusyNS)
	if span <= 0 {
		return none(noCalls)
	}
	share := bounded(busy / span)
	return portions{{"in flight", share}, {"idle", 1 - share}}.value(none(noCalls))
}
