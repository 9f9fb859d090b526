package page

import (
	"fmt"
	"io"

	"github.com/iotrace/iotrace/baseline"
)

// Results writes the page of what baseline.ReadResults has read.
func Results(w io.Writer, results any) error {
	switch r := results.(type) {
	case *baseline.Report:
		return Bench(w, r)
	case *baseline.Review:
		return Review(w, r)
	case *baseline.SustainedReport:
		return Sustained(w, r)
	}
	return fmt.Errorf("making a page: %T is no result", results)
}
