package chrome

import (
	"encoding/json"
	"strconv"

	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
)

// quoted is a text as JSON has it.
func quoted(s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		return []byte(`""`)
	}
	return visible.AppendJSON(nil, text)
}

// mostNames bounds the names that are kept quoted: a trace has few, unless it is made to have many.
const mostNames = 10_000

// name is the quoted name of a call or an operation.
func (c *writer) name(s string) []byte {
	q, ok := c.names[s]
	if !ok {
		if q = quoted(s); len(c.names) < mostNames {
			c.names[s] = q
		}
	}
	return q
}

func (c *writer) key(name string) {
	c.args = append(append(append(c.args, ",\""...), name...), "\":"...)
}

func (c *writer) text(name string, quoted []byte) {
	c.key(name)
	c.args = append(c.args, quoted...)
}

func (c *writer) number(name string, n int64) {
	c.key(name)
	c.args = strconv.AppendInt(c.args, n, 10)
}

// file adds the path of a file, if the event has one.
func (c *writer) file(name string, id trace.FileID) {
	if path, ok := c.files[id]; ok && id != 0 {
		c.text(name, path)
	}
}

// offset adds a place in a file.
func (c *writer) offset(name string, id trace.FileID, offset int64) {
	if _, ok := c.files[id]; ok && id != 0 && offset != trace.NoOffset {
		c.number(name, offset)
	}
}
