package profile

// Reread counts regular files of which calls read twice their size or more, and which they did not write.
type Reread struct {
	Files int64 `json:"files"`      // how many
	Bytes int64 `json:"bytes"`      // read of them
	Size  int64 `json:"size_bytes"` // of all of them together
	// the deepest directory with more than nine tenths of these bytes in or below it; missing if there is none
	Under string `json:"under,omitempty"`
}
