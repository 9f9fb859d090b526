package manual

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// order is that of the sections of a page, as man-pages(7) has it.
var order = []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "OPTIONS INHERITED FROM PARENT COMMANDS", "EXAMPLES",
	"EXIT STATUS", "FILES", "SEE ALSO"}

// ordered has the sections of a page in that order. Of two with the same name one is made.
func ordered(page []byte) []byte {
	parts := bytes.Split(page, []byte("\n.SH "))
	sections := map[string]string{}
	for _, part := range parts[1:] {
		title, body, _ := strings.Cut(string(part), "\n")
		if title = strings.Trim(title, `"`); title == "EXAMPLE" {
			title = "EXAMPLES"
		}
		body = strings.TrimRight(body, "\n") + "\n"
		if had := sections[title]; had != "" {
			body = strings.TrimPrefix(body, ".PP\n")
			body = strings.TrimRight(had, "\n") + ",\n" + body // SEE ALSO: of the text, and of the tree of commands
		}
		sections[title] = body
	}
	var b bytes.Buffer
	b.Write(parts[0])
	b.WriteByte('\n')
	for _, title := range order {
		if body, found := sections[title]; found {
			b.WriteString(".SH " + title + "\n" + body)
		}
	}
	return values.ReplaceAll(b.Bytes(), []byte("${1}${2}${3}"))
}

// values are those of flags as the generator writes them: quoted, and of those without one.
var values = regexp.MustCompile(`(\\fP)(?:\[=false\]|(=)"([^"]*)")`)

// named has a flag show the name of its value, as help does, and the default behind what it does.
func named(f *pflag.Flag) {
	name, usage := pflag.UnquoteUsage(f)
	if none := []string{"", "0", "[]", "false"}; !slices.Contains(none, f.DefValue) {
		usage += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	if f.Usage = escape(usage); f.Value.Type() != "bool" {
		f.DefValue = name
	}
}
