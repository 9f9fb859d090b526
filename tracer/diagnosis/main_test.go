package diagnosis

import (
	"os"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/selftest"
)

// The self-test starts this program again, as the workload.
func TestMain(m *testing.M) {
	tracer.RunHeld()
	selftest.RunWorkload()
	os.Exit(testenv.Suite{M: m}.Run())
}
