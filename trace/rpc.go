package trace

import "fmt"

// RPC is a remote procedure call: what a client of a network file system asked of its server. It is over when the
// client is through with the reply, and wakes whoever waits for it. One that is Served is the same at the server. It
// begins when a thread of the server takes it up, and is over when the reply was sent.
type RPC struct {
	// Start is when the client made it, in ns since the start of the recording.
	Start int64 `name:"start" unit:"ns" table:",delta" column:"3 end"`
	// Duration is how long it took, in ns.
	Duration int64    `name:"duration" unit:"ns" column:"4 lasted"`
	PID      uint32   `name:"pid" column:"5"`          // process that asked, for writeback perhaps a kernel worker
	TID      uint32   `name:"tid" column:"1 key"`      // thread that took the reply, or that served it
	Protocol Protocol `name:"protocol" column:"2 key"` // that it is of
	// Procedure is its name, as /proc/self/mountstats has it, or that of a command of SMB, as in QUERY_INFO.
	Procedure string `name:"procedure" table:",dict" column:"6"`
	Server    string `name:"server" omit:"" table:",dict" column:"7"` // name or address of the server, as it was mounted

	// Queued is how long it was with the client before it was sent, the last time, in ns; -1 if it never was. Of SMB it is
	// 0: nothing tells when a command was sent.
	Queued int64 `name:"queued" none:"-1" unit:"ns" column:"8"`
	// RTT is how long the reply took since then, in ns; -1 if none came.
	RTT  int64  `name:"rtt" none:"-1" unit:"ns" column:"9"`
	File FileID `name:"file" with:"path" none:"0" column:"10"` // file whose data it is for, 0 if not known
	// Offset is where that data is in the file, in bytes, NoOffset (-1) if not known.
	Offset int64 `name:"offset" none:"-1" table:"file_offset" column:"11"`
	Bytes  int64 `name:"bytes" omit:"0" unit:"bytes" column:"12"` // of data that was read or written
	// Out is how large its messages to the server were, all that were sent, with headers; 0 of SMB, as In.
	Out int64 `name:"out" unit:"bytes" text:"out" column:"13"`
	In  int64 `name:"in" unit:"bytes" text:"in" column:"14"` // size of the reply, with headers
	// Sends is how often it was sent: more than once if the connection broke or no reply came. Of SMB it is 1.
	Sends  uint32 `name:"sends" text:"sent" column:"15"`
	Status int32  `name:"status" omit:"0" column:"16"` // 0, or the errno with which it failed
	// Foreign: no recorded process asked for it or used the file.
	Foreign bool `name:"foreign" omit:"0" text:"foreign" column:"17"`
	// Served: it was recorded at the server. Of file, sizes and status nothing is known there, nor who asked.
	Served bool `name:"served" omit:"0" text:"served" column:"18"`
	// XID is the number by which client and server tell it from others of the connection, 0 if that is not known.
	XID uint32 `name:"xid" omit:"0" text:"xid" column:"19"`
}

// End is when the client was through with it.
func (r *RPC) End() int64 { return r.Start + r.Duration }

// Impossible says what about the event cannot be, "" if it is plausible.
func (r *RPC) Impossible() string {
	if why := during(r.Start, r.Duration); why != "" {
		return why
	}
	queued, rtt := max(r.Queued, 0), max(r.RTT, 0)
	switch {
	case r.Queued < -1 || r.RTT < -1 || queued > r.Duration || rtt > r.Duration-queued:
		return fmt.Sprintf("queued for %d ns and answered after %d ns, in %d ns", r.Queued, r.RTT, r.Duration)
	case !place(r.Offset):
		return fmt.Sprintf("offset %d", r.Offset)
	case !Within(MaxTransfer, r.Bytes) || !Within(MaxFilled, r.Out, r.In):
		return fmt.Sprintf("%d bytes of data, %d sent and %d received", r.Bytes, r.Out, r.In)
	}
	return ""
}

// Protocol is how a client of a network file system speaks to its server.
type Protocol uint8

// The protocols.
const (
	ProtocolNFS2  Protocol = 1 + iota
	ProtocolNFS3           // with ProtocolLock beside it
	ProtocolNFS4           // of all minor versions
	ProtocolACL            // access control lists of NFS 2 and 3
	ProtocolLock           // locks of files of NFS 2 and 3 (NLM)
	ProtocolMount          // mounting NFS 2 and 3
	ProtocolBind           // which port a service has (rpcbind)
	ProtocolOther          // another program of ONC RPC
	ProtocolSMB            // 2 and 3
)

var protocolNames = [...]string{"unknown", "nfs2", "nfs3", "nfs4", "nfsacl", "nlm", "mount", "rpcbind", "other", "smb"}

func (p Protocol) String() string {
	if int(p) < len(protocolNames) {
		return protocolNames[p]
	}
	return "unknown"
}
