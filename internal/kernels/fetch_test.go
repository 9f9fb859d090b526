//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Every kernel of the catalogue that is in the cache has an image and, unless
// it is built in, the driver of the disk, with what that needs before it.
func TestMachinesCanBeMade(t *testing.T) {
	const cache = "/var/cache/iotrace-kernels"
	for _, k := range catalogue {
		dir := filepath.Join(cache, k.name)
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		trial := trial{scratch: t.TempDir()}
		for _, program := range []string{"iotrace", "guest"} {
			file := filepath.Join(trial.scratch, k.arch, program)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(program), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := kernelImage(dir); err != nil {
			t.Errorf("%s: %v", k.name, err)
		}
		if _, err := trial.initramfs(&k, dir, nil); err != nil {
			t.Errorf("%s: %v", k.name, err)
		}
	}
}
