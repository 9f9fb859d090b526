package jsonl

// event reads the line of an event; false if this version knows no such kind. An
// error that is no sinkError is one of the line.
func (d *decoder) event(name string, text []byte) (known bool, err error) {
	kind, known := d.lines.kinds[name]
	if !known {
		return false, nil
	}
	l := d.lines.of[kind]
	if d.events[kind] == nil {
		d.events[kind] = l.make()
	}
	e := d.events[kind]
	if err := l.read(d, text, e); err != nil {
		return true, err
	}
	return true, l.put(d.sink, e)
}
