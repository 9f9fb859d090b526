package profile

// Replaced counts files that the workload made and that took the names of others, which had been there before.
type Replaced struct {
	Files     int64 `json:"files"`           // how many
	Bytes     int64 `json:"bytes"`           // written to them
	Same      int64 `json:"same_size_files"` // of these, as large as the one that they replaced
	SameBytes int64 `json:"same_size_bytes"` // written to them
	// files that were made under the names of ones that had been removed before, whatever their sizes
	Anew int64 `json:"made_anew"`
}
