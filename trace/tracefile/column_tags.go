package tracefile

import (
	"fmt"
	"reflect"

	"github.com/iotrace/iotrace/trace/schema"
)

// columnsOf makes the table of a type of events from the tags of its fields (package schema). The tag column has the
// number of the column, from 1, and how it is stored:
//
//	key       part of the context of the columns after it; keys are the first columns
//	end       the field and Duration together
//	lasted    a Duration whose end is stored
//	less X    X less the field, where X has a column before
//	above X   the field less X
//	zero, previous
//	          compared to nothing, or to the row before, instead of the row of the same context
//
// Columns that are made otherwise, of several fields or of lists, are given by their numbers.
func columnsOf[T any](made map[int]column[T]) table[T] {
	row := reflect.TypeFor[T]()
	fields := schema.Of(row)
	keyed := false
	for i := range fields {
		keyed = keyed || len(fields[i].Stored) > 0 && fields[i].Stored[0] == "key"
	}
	t := make(table[T], len(made)+len(fields))
	n := 0
	put := func(at int, c column[T]) {
		if t[at-1] != nil {
			panic(fmt.Sprintf("two columns %d of %s", at, row))
		}
		t[at-1] = c
		n = max(n, at)
	}
	for at, c := range made {
		put(at, c)
	}
	for i := range fields {
		if f := &fields[i]; len(f.Columns) == 1 && made[f.Columns[0]] == nil {
			put(f.Columns[0], of[T](f, row, keyed))
		}
	}
	for i, c := range t[:n] {
		if c == nil {
			panic(fmt.Sprintf("no column %d of %s", i+1, row))
		}
	}
	return t[:n:n]
}

// of is the column of one field.
func of[T any](f *schema.Field, row reflect.Type, keyed bool) column[T] {
	switch f.Class {
	case schema.Text, schema.Words:
		return text[T](f.Offset)
	case schema.Truth:
		return truth[T](f.Offset)
	}
	other := func(name string) uintptr {
		o, ok := row.FieldByName(name)
		if !ok || o.Type.Size() != 8 || f.Type.Size() != 8 {
			panic(fmt.Sprintf("%s of %s: no field %s of the same size", f.Name, row, name))
		}
		return o.Offset
	}
	predict := FromZero
	if keyed {
		predict = FromContext
	}
	c := number[T](f.Type.Kind(), f.Offset)
	for i, word := range f.Stored {
		switch word {
		case "key":
			c.key, predict = true, FromZero
		case "end":
			predict = FromPrevious
			c.isEnd(other("Duration"))
		case "lasted":
			predict = FromZero
			c.isDuration(other("Start"))
		case "less":
			c.isRelative(other(f.Stored[i+1]), -1)
		case "above":
			c.isRelative(other(f.Stored[i+1]), 1)
		case "zero":
			predict = FromZero
		case "previous":
			predict = FromPrevious
		}
	}
	c.predict = predict
	return c
}
