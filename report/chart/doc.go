// Package chart makes what the pages draw: the options of charts, their columns of numbers, and their text for people
// who cannot see them. The page computes nothing. It is a package of its own because only charts know the options of
// ECharts; a page draws them as they are.
package chart
