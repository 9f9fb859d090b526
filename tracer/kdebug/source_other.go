//go:build !darwin

package kdebug

import (
	"fmt"
	"runtime"

	"github.com/iotrace/iotrace/tracer"
)

// New says that there is no kdebug here.
func New(Options) (*Source, error) {
	return nil, fmt.Errorf("recording through kdebug: %w: it is a facility of macOS, and this is %s",
		tracer.ErrUnsupported, runtime.GOOS)
}
