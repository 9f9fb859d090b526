package analyzer

import "github.com/iotrace/iotrace/analyzer/profile"

// The types of a profile have a package of their own; these names are for code
// that has not moved to it yet.
type (
	AccessPattern = profile.AccessPattern
	Bin           = profile.Bin
	Bound         = profile.Bound
	Cache         = profile.Cache
	CacheModes    = profile.CacheModes
	Call          = profile.Call
	Cause         = profile.Cause
	Cell          = profile.Cell
	Charts        = profile.Charts
	Copy          = profile.Copy
	CopyGroup     = profile.CopyGroup
	Depth         = profile.Depth
	Device        = profile.Device
	Dist          = profile.Dist
	Evidence      = profile.Evidence
	FaultCount    = profile.FaultCount
	File          = profile.File
	Flow          = profile.Flow
	Heat          = profile.Heat
	Items         = profile.Items
	Labels        = profile.Labels
	Lane          = profile.Lane
	Launch        = profile.Launch
	LaunchKind    = profile.LaunchKind
	Layer         = profile.Layer
	Level         = profile.Level
	Limit         = profile.Limit
	Line          = profile.Line
	Lost          = profile.Lost
	LostSlice     = profile.LostSlice
	Marker        = profile.Marker
	Mode          = profile.Mode
	Omitted       = profile.Omitted
	OpCount       = profile.OpCount
	Phase         = profile.Phase
	Process       = profile.Process
	Profile       = profile.Profile
	Queue         = profile.Queue
	Rates         = profile.Rates
	Recorder      = profile.Recorder
	Scrub         = profile.Scrub
	Sentence      = profile.Sentence
	Series        = profile.Series
	Share         = profile.Share
	SizeTime      = profile.SizeTime
	StackSlice    = profile.StackSlice
	Step          = profile.Step
	Steps         = profile.Steps
	Tiles         = profile.Tiles
	TimeStack     = profile.TimeStack
	Timeline      = profile.Timeline
	Trace         = profile.Trace
	Value         = profile.Value
	Waits         = profile.Waits
	Warning       = profile.Warning
	WholePattern  = profile.WholePattern
	Window        = profile.Window
	Zoom          = profile.Zoom
)

// Unknown stands for a time or a size that could not be determined.
const Unknown = profile.Unknown
