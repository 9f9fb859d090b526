package backends

import (
	"errors"
	"fmt"

	"github.com/iotrace/iotrace/tracer"
)

// chosen is the first of several backends that can attach. Only Attach
// and Close may be called before it has attached.
type chosen struct {
	tracer.Source
	backends []Backend
	buffer   int
	warn     func(error)
}

// Attach tries one backend after the other. Only a system that lacks something
// is a reason to go on: a missing privilege, or a process that is gone, would
// be missing or gone for the next as well.
func (c *chosen) Attach(scope tracer.Scope) error {
	var first error
	for _, b := range c.backends {
		source, err := b.Open(c.buffer)
		if err == nil {
			if err = source.Attach(scope); err == nil {
				c.Source = source
				if first != nil {
					c.warn(fmt.Errorf("%w; recording with backend %s instead", first, b.Name))
				}
				return nil
			}
			err = errors.Join(err, source.Close())
		}
		if first == nil {
			first = err
		}
		if !errors.Is(err, tracer.ErrUnsupported) {
			break
		}
	}
	return first
}

// Used implements tracer.FileLister.
func (c *chosen) Used() []tracer.UsedFile {
	if l, ok := c.Source.(tracer.FileLister); ok {
		return l.Used()
	}
	return nil
}

// Close implements tracer.Source.
func (c *chosen) Close() error {
	if c.Source == nil {
		return nil
	}
	return c.Source.Close()
}
