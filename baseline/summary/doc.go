// Package summary says what runs show: medians with intervals, whether a result
// is valid, and what the original tool would print. It also says whether two
// places differ, and where a drive slowed down permanently. It measures
// nothing.
package summary
