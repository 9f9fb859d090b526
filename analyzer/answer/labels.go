package answer

// The labels of the lines, in their order. Lines about devices have the device's name as their label.
const (
	Bottleneck = "Bottleneck"
	Operations = "Operations"
	Longest    = "Longest"
	Time       = "Time"
	Copied     = "Copied"
	Program    = "Program"
	Pauses     = "Pauses" // between the calls of a copy
	Next       = "Next"   // what would come first if others did not
	Note       = "Note"   // a kind of work that costs more than it seems to
	Warning    = "Warning"
	Try        = "Try"
	FindOut    = "To know more"
	WhatIf     = "What if"
	More       = "More"
)
