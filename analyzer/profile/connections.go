package profile

// Connection says what became of what programs asked of one address: of its connects, and of what was sent to it. A
// thread waits for the answer from the call that asks to its next one.
type Connection struct {
	Address    string `json:"address"`    // `192.0.2.7:80`, `unix:/run/x`
	Connects   int64  `json:"connects"`   // calls that began one
	Refused    int64  `json:"refused"`    // of these, that nobody listened for (ECONNREFUSED)
	Unmet      int64  `json:"unmet"`      // of these, of which nothing came until they were given up
	Asked      int64  `json:"asked"`      // times that something was sent and an answer was waited for, or came
	Unanswered int64  `json:"unanswered"` // of these, to which nothing came until the socket was closed
	// that threads waited for connects, and for answers; and for those of them that did not come
	WaitNS    int64 `json:"wait_ns"`
	UnmetNS   int64 `json:"unmet_ns"`      // for connects of which nothing came
	VainNS    int64 `json:"unanswered_ns"` // for answers that did not come
	LongestNS int64 `json:"longest_ns"`    // the longest of all these waits
}
