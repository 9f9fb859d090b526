package backends

import (
	"errors"
	"fmt"

	"github.com/iotrace/iotrace/trace"
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

// Attach tries one backend after the other. A system that lacks something is a reason to go on; a privilege that is
// missing is one to go on to those that need none. A process that is gone would be gone for the next as well.
func (c *chosen) Attach(scope tracer.Scope) error {
	var first, last error
	for _, b := range c.backends {
		if errors.Is(first, tracer.ErrPermission) && !b.Unprivileged {
			continue
		}
		source, err := b.Open(c.buffer)
		if err == nil {
			advise(source, c.warn)
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
		} else if b.Unprivileged {
			last = err
		}
		if !errors.Is(err, tracer.ErrUnsupported) && !errors.Is(err, tracer.ErrPermission) {
			break
		}
	}
	if last != nil && errors.Is(first, tracer.ErrPermission) {
		return fmt.Errorf("%w; without these rights strace would do: %w", first, last)
	}
	return first
}

// Notes implements tracer.Noter.
func (c *chosen) Notes() []string {
	if n, ok := c.Source.(tracer.Noter); ok {
		return n.Notes()
	}
	return nil
}

// Forget implements tracer.Forgetter.
func (c *chosen) Forget(gone func([]trace.FileID)) {
	if f, ok := c.Source.(tracer.Forgetter); ok {
		f.Forget(gone)
	}
}

// Mounts implements tracer.MountLister.
func (c *chosen) Mounts() (used []trace.Mount, syncedDirs []string) {
	if l, ok := c.Source.(tracer.MountLister); ok {
		return l.Mounts()
	}
	return nil, nil
}

// Samples implements tracer.Sampler.
func (c *chosen) Samples() []trace.Sample {
	if s, ok := c.Source.(tracer.Sampler); ok {
		return s.Samples()
	}
	return nil
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
