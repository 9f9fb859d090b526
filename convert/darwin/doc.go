// Package darwin reads what tools of macOS print: dtruss, fs_usage, ktrace trace, and tables of Instruments that
// xctrace exported as XML. It is a package of its own, as every group of formats is: none knows another.
package darwin
