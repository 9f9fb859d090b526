// Package corpus records real programs with the built binary and checks what it says about them. That is which files
// were copied and how, where the time went, where a device slowed down, and what the start of a program waited for.
// It holds tests only. With IOTRACE_CORPUS=DIR the recordings of TestPrograms are kept there, with what is true of
// them, for work on the analyzer. They need root, a kernel with BTF and loop devices; a program that is not installed
// is skipped.
package corpus
