//go:build !linux && !darwin

package backends

// Here are none: traces can be read here, not recorded.
func Here() List { return nil }
