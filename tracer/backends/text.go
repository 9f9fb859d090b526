package backends

import (
	"fmt"
	"io"
	"strings"

	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/tracer"
)

// PrintDiagnosis writes a diagnosis for people.
func PrintDiagnosis(w io.Writer, d *diagnosis) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s/%s, kernel %s\n", d.Tool, d.OS, d.Arch, d.Kernel)
	for _, x := range d.Backends {
		fmt.Fprintf(&b, "\n%s: %s\n", visible.Text(x.Name), visible.Text(x.About))
		list(&b, x.Checks)
	}
	if t := d.SelfTest; t != nil {
		fmt.Fprintf(&b, "\nself-test with backend %s:\n", visible.Text(t.Backend))
		list(&b, t.Checks)
	}
	b.WriteString("\n")
	conclude(&b, d)
	_, err := io.WriteString(w, visible.Lines(b.String()))
	return err
}

// list prints one line for each check, and one for what to do about it.
func list(b *strings.Builder, checks []tracer.Check) {
	for _, c := range checks {
		mark := "ok"
		switch {
		case !c.OK && c.Required:
			mark = "MISSING"
		case !c.OK:
			mark = "partly"
		}
		fmt.Fprintf(b, "  %-8s %s: %s\n", mark, visible.Text(c.Name), visible.Text(c.Found))
		if !c.OK && c.Remedy != "" {
			fmt.Fprintf(b, "           → %s\n", visible.Text(c.Remedy))
		}
	}
}

func conclude(b *strings.Builder, d *diagnosis) {
	if !d.Records {
		b.WriteString("Nothing can be recorded here as it is. Traces from elsewhere can be read.\n")
		return
	}
	fmt.Fprintf(b, "Workloads can be recorded here, with backend %s.\n", visible.Text(d.Uses))
	for _, x := range d.Backends {
		if x.Works && x.Name != d.Uses {
			fmt.Fprintf(b, "Backend %s works as well: --backend %[1]s takes it.\n", visible.Text(x.Name))
		}
	}
}
