package baseline

import "time"

// Activity is what a run of patterns is doing.
type Activity struct {
	Pattern string
	Step    string
	Place   string
	Run     int           // from 1, of those that count; 0 while a file is prepared, and before runs count
	Runs    int           // that count, at most
	Trying  bool          // to see how long it takes
	Warming bool          // a run that does not count
	Moved   int64         // bytes of this step so far
	Since   time.Duration // that the step has taken
	Left    time.Duration // estimated, of the whole run
}

// SustainedProgress is how far a sustained run is.
type SustainedProgress struct {
	Pass    string
	Written int64
	Total   int64
	Rate    int64 // of the last file
	Left    time.Duration
}
