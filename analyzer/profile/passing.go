package profile

// Passing counts names that the workload made: of files, directories and symbolic links.
type Passing struct {
	Made      int64 `json:"made"`            // how many
	Removed   int64 `json:"removed"`         // of these, that it removed again
	Links     int64 `json:"symbolic_links"`  // of these, symbolic links
	Different int64 `json:"different_names"` // that were removed again: different last elements of paths
	// that calls wrote to those that were removed again, where they read less than half as much of one
	Bytes int64 `json:"bytes"`
	// the deepest directory with more than nine tenths of those that were removed below it; missing if there is none
	Under string `json:"under,omitempty"`
}
