// Package table holds tables of a report: filled once, they are written as text, where
// they drop columns until they fit the terminal, and read by the page, which shows all.
// All cells of a column have one unit, which its title states.
package table
