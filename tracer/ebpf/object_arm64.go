//go:build linux

package ebpf

import _ "embed"

// The probes for this architecture, packed.
var (
	//go:embed iotrace_arm64_bpfel.o.zst
	iotraceObject []byte
	//go:embed legacy_arm64_bpfel.o.zst
	legacyObject []byte
)
