package profile

// Computed is what threads computed from when they had read a file until they wrote another one, by the extensions of
// both.
type Computed struct {
	From  string `json:"from"`   // extension of the file that most was read of, since the last one was written
	To    string `json:"to"`     // extension of the file that was written
	Files int64  `json:"files"`  // written
	NS    int64  `json:"cpu_ns"` // outside of calls and waits
}
