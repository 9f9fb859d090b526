package profile

// Reread counts regular files of which calls and page faults read twice their size or more, and which were not written.
type Reread struct {
	Files int64 `json:"files"`      // how many
	Bytes int64 `json:"bytes"`      // read of them
	Size  int64 `json:"size_bytes"` // of all of them together
	// the deepest directory with more than nine tenths of these bytes in or below it; missing if there is none
	Under string `json:"under,omitempty"`
}

// NameForm is what names of files have in common that differ in numbers or sums alone, as of snapshots of a backup.
// Some of the files were there before and were read, and others were made.
type NameForm struct {
	Form  string `json:"form"`       // of the names, `#` for each number, sum or directory of the first digits of a sum
	Read  int64  `json:"read_files"` // that were there before and were read or mapped, and not written
	Bytes int64  `json:"read_bytes"` // of these, by calls
	Made  int64  `json:"made_files"` // by the workload, which wrote to them
}
