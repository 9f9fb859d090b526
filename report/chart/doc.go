// Package chart makes what the pages draw: the options of charts, their columns of
// numbers, and what a person who cannot see them is told. The page computes nothing.
package chart
