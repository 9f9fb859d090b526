package tracer

// Check is one thing a backend needs, and whether it is here. doctor prints
// them; each was tried, not guessed.
type Check struct {
	Name     string `json:"name"`
	OK       bool   `json:"ok"`
	Required bool   `json:"required"` // nothing is recorded without it
	Found    string `json:"found"`
	Remedy   string `json:"remedy,omitempty"` // what to do if it is not OK
}
