package page

import (
	"strconv"

	explain "github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/chart"
	"github.com/iotrace/iotrace/report/content"
)

// gapParts are the causes of the recorded time as the parts of a bar, in the colours that they have on other pages.
func gapParts(r *explain.Report, causes []content.GapCause) (parts []barPart) {
	taken := map[string]bool{}
	rest := 1.0
	for i := range causes {
		color, share := "rest", rest
		if i < len(r.Causes) {
			color, share = chart.CauseColor(&r.Causes[i]), r.Causes[i].Share
			rest -= share
		}
		if taken[color] {
			color = "part" + strconv.Itoa(i)
		}
		taken[color] = true
		parts = append(parts, barPart{color, causes[i].Name, causes[i].Share, strconv.FormatFloat(100*share, 'f', 3, 64)})
	}
	return parts
}

// gapLimits has a row for the measured speed and one for each bound, on one axis; nil without bounds.
func gapLimits(bounds []explain.Bound) *Plot {
	if len(bounds) == 0 {
		return nil
	}
	top := 0.0
	for _, b := range bounds {
		top = max(top, b.High, b.Measured)
	}
	place, ticks := Linear(top, rateLabel)
	p := &Plot{Ticks: ticks}
	row := func(name, color string, rate, low, high float64) {
		p.Rows = append(p.Rows, Dots{Color: color, Label: name, Title: name + ": " + unit.Rate(rate), Median: place(rate),
			Value: unparted(unit.Rate(rate)), Low: place(low), High: place(high)})
	}
	measured := bounds[0].Measured
	row("measured", "write", measured, measured, measured)
	for _, b := range bounds {
		row(visible.Text(b.Text), "read", b.Rate, b.Low, b.High)
	}
	p.summarize("Speed measured, and at best. ")
	return p
}
