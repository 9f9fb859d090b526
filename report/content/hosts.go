package content

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// Hosts says where the files of containers lie on the host.
func Hosts(p *profile.Profile) *table.Table {
	t := &table.Table{ID: "hosts", Title: "Files of containers on the host",
		Note: "Left: as the container calls them. Of an overlay that the host does not mount it is the file of a layer."}
	var rows []profile.File
	for _, f := range p.Files {
		if f.Elsewhere {
			rows = append(rows, f)
		}
	}
	return t.Fill(
		table.Phrases("file", "as the container calls it", 0, rows, FilePath),
		table.Labels("on the host", rows, func(f profile.File) string {
			return visible.Text(cmp.Or(f.Host, "(no mount of the host shows it)"))
		}),
	)
}
