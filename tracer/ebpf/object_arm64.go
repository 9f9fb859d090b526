//go:build linux

package ebpf

import _ "embed"

// The probes for this architecture, packed.
//
//go:embed objects_arm64.zst
var objects []byte
