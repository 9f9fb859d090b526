// Package chart makes what the pages draw: the options of charts, their columns of numbers, and their text for people
// who cannot see them. The page computes nothing.
package chart
