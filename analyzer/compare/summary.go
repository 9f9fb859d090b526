package compare

// A Row sums up one side among several: what it is like and what it achieved.
// Numbers are null where they are not known, or do not apply.
type Row struct {
	Name        string   `json:"name"`
	Throughput  *float64 `json:"bytes_per_s"` // median of the runs
	CallSize    *float64 `json:"call_size_bytes"`
	CallDepth   *float64 `json:"call_depth"`
	Similarity  *float64 `json:"similarity"`  // to the first side
	Observation string   `json:"observation"` // the key one
}

// Summarize sets several sides under one another. comparisons are those of the
// first side with each of the others.
func Summarize(comparisons []*Comparison) []Row {
	var rows []Row
	for i, c := range comparisons {
		first, other := c.Subject, c.Reference
		if c.Swapped {
			first, other = other, first
		}
		if i == 0 {
			rows = append(rows, rowOf(first))
		}
		row := rowOf(other)
		row.Similarity = c.Similarity
		if row.Observation == "" {
			row.Observation = strongest(c)
		}
		rows = append(rows, row)
	}
	return rows
}

func rowOf(s *Side) Row {
	at := func(i int) *float64 {
		v := s.values[i]
		v.settle(&kinds[i])
		return v.Typical
	}
	return Row{Name: s.Name, Throughput: at(throughput), CallSize: at(callSize), CallDepth: at(callDepth),
		Observation: s.observation}
}

// strongest is the effect that tells the two apart most.
func strongest(c *Comparison) string {
	var most *Dimension
	for _, d := range c.Different() {
		if !d.Outcome && d.Factor != nil && (most == nil || *d.Factor < *most.Factor) {
			most = d
		}
	}
	if most == nil {
		return "no difference in what was compared"
	}
	return c.Subject.Name + ": " + most.Name + ": " + most.Effect
}
