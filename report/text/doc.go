// Package text writes reports for a person at a terminal. Nothing it writes can act on
// the terminal, whatever the traced files are called.
package text
