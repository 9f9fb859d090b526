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
