package chart

// A Section is charts over time that belong together, beneath a heading if it has one.
type Section struct {
	ID, Title, Note string
	Groups          []Group
}

// Group is the charts of one layer or device.
type Group struct {
	Name   string
	Charts []*Chart
}

// Shown are the charts of a group that are shown at once.
func (g Group) Shown() (list []*Chart) {
	for _, c := range g.Charts {
		if !c.Folded {
			list = append(list, c)
		}
	}
	return list
}

// Folded are the others.
func (g Group) Folded() (list []*Chart) {
	for _, c := range g.Charts {
		if c.Folded {
			list = append(list, c)
		}
	}
	return list
}
