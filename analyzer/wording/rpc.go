package wording

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// RPC says what was asked of which server, as in "WRITE of 1 MiB by nas1".
func RPC(x *profile.PathPlace) string {
	text := x.RPC
	if x.RPCBytes > 0 {
		text += " of " + unit.Bytes(x.RPCBytes)
	}
	if x.Server != "" {
		text += " by " + x.Server
	}
	return text
}
