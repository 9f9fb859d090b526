//go:build linux

package ebpf

import _ "embed"

// The probes for this architecture, packed.
//
//go:embed objects_x86.zst
var objects []byte
