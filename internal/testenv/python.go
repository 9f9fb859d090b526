package testenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Python is a Python that has some modules of PyPI: the one that
// scripts/install-test-deps made, or that of the system. It ends a test for modules
// that neither has.
func Python(t testing.TB, modules ...string) string {
	t.Helper()
	return python(t, "iotrace-test-python", "scripts/install-test-deps", modules)
}

// EnginesPython is one that has databases which few tests ask, and which are large.
func EnginesPython(t testing.TB, modules ...string) string {
	t.Helper()
	return python(t, "iotrace-test-engines", "scripts/install-test-deps --engines", modules)
}

// BucketPython is one that has a server for buckets, and the DuckDB that reads from them.
func BucketPython(t testing.TB, modules ...string) string {
	t.Helper()
	return python(t, "iotrace-test-bucket", "scripts/install-test-deps", modules)
}

// imports are those that were tried in this process: some of them take a second of processor time.
var imports sync.Map

// imported reports whether a Python has modules.
func imported(python, statements string) bool {
	type key struct{ python, statements string }
	try, _ := imports.LoadOrStore(key{python, statements}, sync.OnceValue(func() bool {
		return exec.Command(python, "-c", statements).Run() == nil
	}))
	return try.(func() bool)()
}

func python(t testing.TB, environment, installer string, modules []string) string {
	t.Helper()
	candidates := []string{"python3"}
	if cache, err := os.UserCacheDir(); err == nil {
		candidates = append(candidates, filepath.Join(cache, environment, "bin", "python3"))
	}
	if own := os.Getenv("IOTRACE_TEST_PYTHON"); own != "" {
		candidates = []string{own}
	}
	statements := ""
	for _, m := range modules {
		statements += "import " + m + "\n"
	}
	for _, python := range candidates {
		if imported(python, statements) {
			return python
		}
	}
	Missing(t, "Python has not all of %v (%s)", modules, installer)
	return ""
}
