//go:build linux

package ebpf

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// largestObject bounds what an embedded object unpacks to.
const largestObject = 16 << 20

// unpacked is an embedded object as the compiler wrote it. The program carries them packed (internal/tools objects).
func unpacked(packed []byte) ([]byte, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(largestObject))
	if err != nil {
		return nil, fmt.Errorf("unpacking the probes: %w", err)
	}
	defer z.Close()
	object, err := z.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpacking the probes: %w", err)
	}
	return object, nil
}
