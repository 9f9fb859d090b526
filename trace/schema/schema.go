// Package schema reads what an event consists of from the tags of its type in package trace. Those tags, the types of
// the fields and their comments are the only description of an event there is. The columns of the file format, the
// lines of JSON, the tables and their pages of the documentation are made from it. A Resolver names what the numbers of
// events stand for: files, devices, system calls and the bits of flags.
//
// The tags of a field:
//
//	name:"start"      what lines of JSON call it
//	unit:"ns"         of its value; the end of its name in tables
//	none:"-1"         value that stands for none: left out of lines, NULL in tables
//	omit:"0"          value that is left out of lines alone
//	since:"Submit"    lines and tables have what it is more than that field
//	with:"path"       members of lines that follow it, for readers of single lines
//	is:"call"         what its type does not tell: a call, a list joined by NUL, or a number and no reference
//	text:"filled"     word before it at the end of a line of text, where the line does not say it otherwise
//	table:"name,dict" its name in tables, if it is another, "-" for no column; and how Parquet stores it (dict, delta)
//	column:"3 end"    the number of its column in the file format, and how that is stored (see package column)
package schema

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Field is one of the fields of an event.
type Field struct {
	reflect.StructField
	Class
	JSON    string   // name in lines
	Table   string   // name in tables, "" if it is in none
	Options []string // of its column in Parquet's format
	Since   string   // Go name of the field that it is counted from
	With    []string
	Word    string // before it in text
	None    *int64 // value that stands for none
	Omit    *int64 // value that lines leave out: None, and "" of texts, too
	Columns []int  // numbers in the file format, from 1
	Stored  []string
}

// Class is what a field holds.
type Class uint8

// The classes of fields.
const (
	Number Class = iota
	Truth
	Text
	Words // texts joined by NUL
	Enum  // one of some values with names
	Flags
	Call   // index of the name of a system call
	Others // several numbers or structs
)

// Of lists the fields of a type of events, in the order of the type.
func Of(event reflect.Type) []Field {
	all := make([]Field, event.NumField())
	for i := range all {
		all[i] = field(event.Field(i))
	}
	return all
}

func field(f reflect.StructField) Field {
	tag := f.Tag.Get
	x := Field{StructField: f, Class: classOf(f), JSON: tag("name"), Since: tag("since"), Word: tag("text"),
		With: strings.Fields(tag("with"))}
	x.None = value(f, "none")
	if x.Omit = value(f, "omit"); x.Omit == nil {
		x.Omit = x.None
	}
	name, options, _ := strings.Cut(tag("table"), ",")
	switch x.Table = name; {
	case name == "-":
		x.Table = ""
	case name == "":
		x.Table = x.JSON
		if unit := tag("unit"); unit != "" && unit != x.JSON {
			x.Table += "_" + unit
		}
	}
	if options != "" {
		x.Options = strings.Split(options, ",")
	}
	for _, word := range strings.Fields(tag("column")) {
		if n, err := strconv.Atoi(word); err == nil {
			x.Columns = append(x.Columns, n)
		} else {
			x.Stored = append(x.Stored, word)
		}
	}
	return x
}

// value is a number in a tag: a text that may be left out is left out if it is empty.
func value(f reflect.StructField, key string) *int64 {
	text, ok := f.Tag.Lookup(key)
	if !ok {
		return nil
	}
	n := int64(0)
	if text != "" {
		var err error
		if n, err = strconv.ParseInt(text, 10, 64); err != nil {
			panic(fmt.Sprintf("field %s: %s:%q", f.Name, key, text))
		}
	}
	return &n
}

func classOf(f reflect.StructField) Class {
	switch f.Tag.Get("is") {
	case "call":
		return Call
	case "list":
		return Words
	}
	switch kind := f.Type.Kind(); {
	case kind == reflect.Slice:
		return Others
	case kind == reflect.String:
		return Text
	case kind == reflect.Bool:
		return Truth
	case strings.HasSuffix(f.Type.Name(), "Flags"):
		return Flags
	case kind == reflect.Uint8 && f.Type.Implements(reflect.TypeFor[fmt.Stringer]()):
		return Enum
	}
	return Number
}

// Unnamed is the name of values that have none: a newer version recorded them.
const Unnamed = "unknown"

// Names are those of all values of an enumeration.
func Names(enum reflect.Type) *[256]string {
	var all [256]string
	for v := range all {
		x := reflect.New(enum).Elem()
		x.SetUint(uint64(v))
		all[v] = x.Interface().(fmt.Stringer).String()
	}
	return &all
}
