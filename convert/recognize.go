package convert

import (
	"bytes"

	"github.com/iotrace/iotrace/trace"
)

// HeadSize is how much of an input its format is found out from.
const HeadSize = 256 << 10

// Recognize returns those importers that can read the beginning of an input: those that find events in it and more
// readable lines than damaged ones, or whose it is proved to be. whole says that the input ends there; otherwise its
// last line is left out. Every format is tried on the content, so a name that misleads does no harm.
func Recognize(head []byte, whole bool, importers []*Importer) (fit []*Importer) {
	for _, i := range importers {
		if i.fits(head, whole) {
			fit = append(fit, i)
		}
	}
	return fit
}

func (i *Importer) fits(head []byte, whole bool) bool {
	if n := bytes.LastIndexByte(head, '\n'); !whole && n >= 0 && i.Merge == nil {
		head = head[:n+1]
	}
	if i.Proves != nil && i.Proves(head) {
		return true
	}
	s := &counter{}
	c, err := i.Read([]Input{{Reader: bytes.NewReader(head)}}, s)
	return err == nil && s.events > 0 && c.Lines-c.Skipped > 2*c.Damaged
}

// counter counts the events of a trial.
type counter struct{ events int }

var _ trace.Sink = (*counter)(nil)

func (c *counter) count() error                 { c.events++; return nil }
func (c *counter) Syscall(*trace.Syscall) error { return c.count() }
func (c *counter) AsyncOp(*trace.AsyncOp) error { return c.count() }
func (c *counter) Fault(*trace.Fault) error     { return c.count() }
func (c *counter) Request(*trace.Request) error { return c.count() }
func (c *counter) Wait(*trace.Wait) error       { return c.count() }
func (c *counter) RPC(*trace.RPC) error         { return c.count() }
func (c *counter) Process(*trace.Process) error { return c.count() }
func (c *counter) File(*trace.File) error       { return nil }
func (c *counter) Device(*trace.Device) error   { return nil }
func (c *counter) Lost(*trace.Lost) error       { return nil }
