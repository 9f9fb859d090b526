//go:build linux

package strace

import (
	"os"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/tracer"
)

func TestMain(m *testing.M) {
	tracer.RunHeld()
	workload.Main()
	os.Exit(testenv.Suite{M: m}.Run())
}
