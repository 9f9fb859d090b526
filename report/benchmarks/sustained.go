package benchmarks

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// WriteSustained prints the report of a sustained run for people.
func WriteSustained(w io.Writer, r *baseline.SustainedReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", Describe(r.Place))
	for _, p := range r.Passes {
		writePass(&b, p)
	}
	writeVerdict(&b, r.Verdict, r.Passes)
	if r.Interrupted {
		fmt.Fprintf(&b, "The run was cut short: this is what was seen until then.\n")
	}
	_, err := io.WriteString(w, visible.Lines(b.String()))
	return err
}

func writePass(b *strings.Builder, p baseline.Pass) {
	var bytes int64
	for _, f := range p.Files {
		bytes += f.Bytes
	}
	fmt.Fprintf(b, "\n%s rate: %s in %d files\n", strings.ToUpper(p.Name[:1])+p.Name[1:], unit.Bytes(bytes), len(p.Files))
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i, l := range p.Levels {
		if i == 0 {
			fmt.Fprint(t, "from\tafter\tmedian\t\n")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t\n", unit.Bytes(l.FromBytes), unit.Duration(time.Duration(l.FromNS)),
			unit.Rate(float64(l.Rate)))
	}
	t.Flush()
}

func writeVerdict(b *strings.Builder, v baseline.Verdict, passes []baseline.Pass) {
	b.WriteByte('\n')
	if len(passes) == 0 || len(passes[0].Files) == 0 {
		return
	}
	if !v.Throttled {
		b.WriteString("No lasting drop of the rate.\n")
		return
	}
	o := passes[0].Onset
	fmt.Fprintf(b, "Throttled after %s (%s): from %s to %s.\n", unit.Bytes(o.Bytes), unit.Duration(time.Duration(o.NS)),
		unit.Rate(float64(o.Before)), unit.Rate(float64(o.After)))
	for _, e := range v.Evidence {
		fmt.Fprintf(b, "- %s\n", e)
	}
	switch v.Cause {
	case "cache":
		fmt.Fprintf(b, "Cause: a write cache of about %s that is full.\n", unit.Bytes(o.Bytes))
	case "heat":
		b.WriteString("Cause: heat.\n")
	default:
		fmt.Fprintf(b, "Possible causes: %s.\n", strings.Join(v.Candidates, "; "))
	}
	if v.Experiment != "" {
		fmt.Fprintf(b, "To decide: %s.\n", v.Experiment)
	}
}
