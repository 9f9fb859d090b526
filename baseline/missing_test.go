package baseline

import (
	"os"
	"testing"
)

// missing ends a test that needs something this machine lacks: it is skipped, but
// where IOTRACE_REQUIRE_BPF=1 says that nothing may be missing, it fails.
func missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("IOTRACE_REQUIRE_BPF") == "1" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
