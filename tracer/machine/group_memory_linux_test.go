package machine

import (
	"os"
	"path/filepath"
	"testing"
)

// The tightest of the groups around a process counts, in both versions, and the page cache is free.
func TestMemory(t *testing.T) {
	const m = 1 << 20
	for name, c := range map[string]struct {
		unified bool
		files   map[string]string
		want    Memory
		ok      bool
	}{
		"version 2": {true, map[string]string{"/a/b/memory.max": "104857600", "/a/b/memory.high": "max",
			"/a/b/memory.current": "52428800", "/a/b/memory.stat": "anon 1\nactive_file 10485760\ninactive_file 5242880\n" +
				"slab_reclaimable 5242880\n"}, Memory{"/a/b", 100 * m, 70 * m}, true},
		"throttled from high on": {true, map[string]string{"/a/b/memory.max": "104857600", "/a/b/memory.high": "20971520"},
			Memory{"/a/b", 20 * m, 20 * m}, true},
		"the group around it": {true, map[string]string{"/a/b/memory.max": "max", "/a/memory.max": "104857600",
			"/a/memory.current": "209715200"}, Memory{"/a", 100 * m, 0}, true},
		"the root of a container": {true, map[string]string{"/memory.max": "104857600"}, Memory{"/", 100 * m, 100 * m}, true},
		"version 1": {false, map[string]string{"/a/b/memory.limit_in_bytes": "104857600",
			"/memory.limit_in_bytes": "9223372036854771712", "/a/b/memory.usage_in_bytes": "10485760",
			"/a/b/memory.stat": "inactive_file 99\ntotal_inactive_file 5242880\n"}, Memory{"/a/b", 100 * m, 95 * m}, true},
		"none":    {false, map[string]string{"/a/b/memory.limit_in_bytes": "9223372036854771712"}, Memory{}, false},
		"nothing": {true, nil, Memory{}, false},
	} {
		h := hierarchy{controller: "memory", root: t.TempDir(), unified: c.unified}
		for file, text := range c.files {
			path := filepath.Join(h.root, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, ok := h.memory("4:memory:/a/b\n0::/a/b\n"); got != c.want || ok != c.ok {
			t.Errorf("%s: %+v, %v, want %+v", name, got, ok, c.want)
		}
	}
}
