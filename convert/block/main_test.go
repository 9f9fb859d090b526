package block

import (
	"os"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Suite{M: m}.Run()) }
