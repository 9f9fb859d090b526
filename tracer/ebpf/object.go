//go:build linux

package ebpf

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/cilium/ebpf"
	"github.com/klauspost/compress/zstd"
)

// largestObjects bounds what the embedded objects unpack to.
const largestObjects = 16 << 20

// loadIotrace returns the probes for kernels of today.
func loadIotrace() (*ebpf.CollectionSpec, error) {
	object, _, err := unpacked()
	return load(object, err)
}

// loadLegacy returns those for kernels that lack what the others need (bpf/flavour.h).
func loadLegacy() (*ebpf.CollectionSpec, error) {
	_, object, err := unpacked()
	return load(object, err)
}

func load(object []byte, err error) (*ebpf.CollectionSpec, error) {
	if err != nil {
		return nil, fmt.Errorf("unpacking the probes: %w", err)
	}
	spec, err := ebpf.LoadCollectionSpecFromReader(bytes.NewReader(object))
	if err != nil {
		return nil, fmt.Errorf("reading the probes: %w", err)
	}
	return spec, nil
}

// unpacked are the embedded objects as the compiler wrote them. The program carries them packed, together, as they have
// much in common: the length of the first, and both (internal/tools objects).
func unpacked() (iotrace, legacy []byte, err error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(largestObjects))
	if err != nil {
		return nil, nil, err
	}
	defer z.Close()
	both, err := z.DecodeAll(objects, nil)
	if err != nil {
		return nil, nil, err
	}
	first := binary.LittleEndian.Uint64(both)
	return both[8:][:first], both[8:][first:], nil
}
