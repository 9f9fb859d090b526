// Package table holds tables of a report. Filled once, they are written as text, where they drop columns until they
// fit the terminal or are broken into blocks, as Markdown and as CSV. The page reads them too and shows all. All cells
// of a column of numbers have one unit, which its title states.
package table
