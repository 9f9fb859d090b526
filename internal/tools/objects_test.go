package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bindings is a file as bpf2go makes it.
func bindings(types string) string {
	return "package ebpf\n\nimport (\n\t\"structs\"\n)\n" + types +
		"\n// Names of all BPF objects in the ELF.\nconst (\n)\n"
}

// Of what bpf2go writes the types are kept, once; what is not written as expected is an error, not left out.
func TestKeepTypes(t *testing.T) {
	const types = "\ntype iotraceApi uint32\n"
	for name, c := range map[string]struct {
		files map[string]string
		fault string
	}{
		"alike":     {map[string]string{"a": bindings(types), "b": bindings(""), "c": bindings(types)}, ""},
		"different": {map[string]string{"a": bindings(types), "c": bindings(types + types)}, "other types"},
		"no names":  {map[string]string{"a": types}, "not made as"},
		"none":      {nil, "has no"},
	} {
		dir := t.TempDir()
		for file, text := range c.files {
			if err := os.WriteFile(filepath.Join(dir, file+"_bpfel.go"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		switch err := keepTypes(dir); {
		case c.fault != "":
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v, want %q", name, err, c.fault)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		default:
			text, err := os.ReadFile(filepath.Join(dir, "types.go"))
			if err != nil || strings.Count(string(text), types) != 1 || strings.Contains(string(text), "Names of all") {
				t.Errorf("%s: %v\n%s", name, err, text)
			}
		}
	}
}
