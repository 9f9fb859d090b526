//go:build linux

package ebpf

import (
	"bytes"
	"fmt"

	"github.com/cilium/ebpf"
	"github.com/klauspost/compress/zstd"
)

// largestObject bounds what an embedded object unpacks to.
const largestObject = 16 << 20

// loadIotrace returns the probes for kernels of today.
func loadIotrace() (*ebpf.CollectionSpec, error) { return load(iotraceObject) }

// loadLegacy returns those for kernels that lack what the others need (bpf/flavour.h).
func loadLegacy() (*ebpf.CollectionSpec, error) { return load(legacyObject) }

func load(packed []byte) (*ebpf.CollectionSpec, error) {
	object, err := unpacked(packed)
	if err != nil {
		return nil, err
	}
	spec, err := ebpf.LoadCollectionSpecFromReader(bytes.NewReader(object))
	if err != nil {
		return nil, fmt.Errorf("reading the probes: %w", err)
	}
	return spec, nil
}

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
