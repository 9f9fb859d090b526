// Package storage is what measurements work with: the directory that a run owns
// and cleans, files past the page cache or through it, and memory with data to
// write. It also has what the system reports about a file system, its device
// and its temperature.
package storage
