// Package manual makes the pages of the manual and the completions for shells, when a package is built: the program
// has neither. A page is what the command says of itself, with what would not fit on a screen of help (pages/*.txt). It
// is a package of its own because only packagers need it: it writes files, and runs nothing.
package manual

import (
	"bufio"
	"bytes"
	"embed"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/output"
)

//go:embed pages/*.txt
var pages embed.FS

// Release is what the pages say of the version they belong to.
type Release struct {
	Version string
	Date    time.Time
}

// Write writes the pages of all commands to dir/man1, and the completions to dir/completions.
func (r Release) Write(root *cobra.Command, dir *output.Tree) error {
	files, err := r.Pages(root)
	if err != nil {
		return err
	}
	for _, shell := range []struct {
		name  string
		write func(*bytes.Buffer) error
	}{
		{"iotrace.bash", func(b *bytes.Buffer) error { return root.GenBashCompletionV2(b, true) }},
		{"_iotrace", func(b *bytes.Buffer) error { return root.GenZshCompletion(b) }},
		{"iotrace.fish", func(b *bytes.Buffer) error { return root.GenFishCompletion(b, true) }},
	} {
		var b bytes.Buffer
		if err := shell.write(&b); err != nil {
			return fmt.Errorf("completion %s: %w", shell.name, err)
		}
		files["completions/"+shell.name] = b.Bytes()
	}
	for name, text := range files {
		if err := dir.Write(name, true, func(w *bufio.Writer) error { _, err := w.Write(text); return err }); err != nil {
			return err
		}
	}
	return nil
}

// Pages are those of all commands, by their file: man1/iotrace-record.1. The commands are changed on the way.
func (r Release) Pages(root *cobra.Command) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := r.add(files, root)
	return files, err
}

func (r Release) add(files map[string][]byte, c *cobra.Command) error {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			if err := r.add(files, sub); err != nil {
				return err
			}
		}
	}
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	more, err := pages.ReadFile("pages/" + name + ".txt")
	if err != nil {
		return err
	}
	said := strings.TrimSuffix(c.Long, cli.More(c.CommandPath()))
	c.Long = markdown(said + "\n\n" + strings.Replace(string(more), "FORMATS\n", c.Annotations[cli.Formats], 1))
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	c.Flags().VisitAll(named)
	var b bytes.Buffer
	header := &doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Date: &r.Date, Source: "iotrace " + r.Version,
		Manual: "iotrace"}
	if err := doc.GenMan(c, header, &b); err != nil {
		return fmt.Errorf("page %s: %w", name, err)
	}
	files["man1/"+name+".1"] = ordered(b.Bytes())
	return nil
}
