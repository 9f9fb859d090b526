package profile

// ServerRequests are what clients of network file systems asked of a server by one procedure, for the workload.
type ServerRequests struct {
	Server string `json:"server"` // name or address, as it was mounted
	// `nfs2`, `nfs3`, `nfs4`, `nfsacl`, `nlm`, `mount`, `rpcbind`, `smb` or `other`
	Protocol  string `json:"protocol"`
	Procedure string `json:"procedure"` // its name, as in /proc/self/mountstats, or that of a command of SMB
	Flow      Flow   `json:"flow"`      // data that it moved; latencies are from when the client made the request
	Out       int64  `json:"out_bytes"` // of all messages to the server, with headers; 0 of SMB
	In        int64  `json:"in_bytes"`  // of all replies, with headers; 0 of SMB
	Resent    int64  `json:"resent"`    // how often one was sent again
	// until it was sent: the client waited for a connection or for earlier ones; 0 of SMB, where that is not seen
	Queued   Dist     `json:"queued_ns"`
	Answered Dist     `json:"answered_ns"`     // from then until the reply came
	Marks    []string `json:"marks,omitempty"` // codes of warnings that touch these numbers
}
