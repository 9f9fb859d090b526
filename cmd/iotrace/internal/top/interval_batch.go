package top

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/internal/unit"
)

// IntervalText is the tables of an interval in lines of a width, with at most so many rows of processes and of files.
func IntervalText(i *Interval, width, rows int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  interval %d, %s\n", i.Time.Format("15:04:05.000"), i.Number, unit.Nanoseconds(i.DurationNS))
	intervalTable(&b, Devices, i.Devices, i, width, len(i.Devices))
	intervalTable(&b, Processes, i.Processes, i, width, rows)
	intervalTable(&b, Files, i.Files, i, width, rows)
	b.WriteString(ownText(i) + "\n\n")
	return b.String()
}

func intervalTable[T any](b *strings.Builder, columns []Column[T], list []T, i *Interval, width, rows int) {
	if len(list) == 0 {
		return
	}
	b.WriteString(strings.TrimRight(Head(columns, width), " ") + "\n")
	for k := range min(rows, len(list)) {
		b.WriteString(strings.TrimRight(Row(columns, list[k], Seconds(i), width), " ") + "\n")
	}
	if more := len(list) - rows; more > 0 {
		fmt.Fprintf(b, "… and %d more\n", more)
	}
}

// ownText is the line about the cost of looking.
func ownText(i *Interval) string {
	s := fmt.Sprintf("iotrace: CPU %s, probes %s, %s events/s, lost %s", percent(i.Own.CPU).Text,
		percent(i.Own.Probes).Text, short(float64(i.Own.Events)/Seconds(i)), unit.Count(int64(i.Own.Lost)))
	if n := i.Omitted.Processes + i.Omitted.Files; n > 0 {
		s += fmt.Sprintf(", %s not told apart", unit.Things(int64(n), "process or file", "processes or files"))
	}
	return s
}
