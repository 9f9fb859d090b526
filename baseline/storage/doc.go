// Package storage is what measurements work with: the directory that a run owns
// and cleans, files with a way past the page cache or through it, memory with
// data to write, and what the system tells of a file system, its device and its
// temperature.
package storage
