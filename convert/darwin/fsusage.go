package darwin

import (
	"errors"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/fsusage"
)

// FSUsage reads the output of fs_usage -w of macOS.
var FSUsage = convert.Importer{
	From:  "fs_usage",
	About: "sudo fs_usage -w -f filesys -f diskio cp > FILE",
	Header: trace.Header{Backend: "import:fs_usage", OS: "darwin", Scope: "import", Calls: fsusage.Names(),
		Limits: fsusage.Limits(macos.AppleSilicon)},
	Joins:  true,
	Import: convert.Checked(fsusageRead),
}

func fsusageRead(in io.Reader, sink trace.Sink) (convert.Counts, error) {
	d := fsusage.NewDecoder(fsusage.Config{Start: -1}, sink)
	c := convert.Counts{}
	err := convert.Lines(in, func(line []byte) error {
		c.Lines++
		before := d.Counts().Damaged
		err := d.Line(line)
		if d.Counts().Damaged > before {
			c.AddDamaged()
		}
		return err
	}, c.AddLong)
	err = errors.Join(err, d.Flush())
	n := d.Counts()
	c.Skipped = n.Skipped
	if err != nil {
		return c, err
	}
	if c.Lines > 0 && c.Damaged == c.Lines {
		return c, fmt.Errorf("importing from fs_usage: %w: none of %d lines ends in a time, a command and a thread; "+
			"was it made with fs_usage -w?", convert.ErrFormat, c.Lines)
	}
	if n.Steps > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("the clock was set back %d times during the recording; times go on from "+
			"where they were", n.Steps))
	}
	c.AddNote(d.Files().Note())
	c.Notes = append(c.Notes, "fs_usage does not say how large the blocks of a disk are: that is inferred from requests "+
		"that follow each other, "+
		"and taken to be 4096 bytes where none do")
	c.Notes = append(c.Notes, "fs_usage names threads, not processes: threads with one command name are taken for one "+
		"process, until they have the same descriptor open at once, or one exits and others go on")
	return c, nil
}
