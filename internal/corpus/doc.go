// Package corpus records real programs with the built binary and checks what
// it says about them: which files were copied and how, where the time went,
// where a device slowed down, what a start of a program waited for. It holds
// tests only. They need root, a kernel with BTF and loop devices; a program that
// is not installed is skipped.
package corpus
