package machine

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Limits of a property list that is read: diskutil's is some ten KiB.
const (
	maxPlist      = 16 << 20
	maxPlistDepth = 32
)

// parsePlist reads an XML property list into map[string]any, []any, string,
// int64 and bool. Other values (data, dates, reals) stay text.
func parsePlist(b []byte) (any, error) {
	if len(b) > maxPlist {
		return nil, fmt.Errorf("reading a property list: %d bytes are more than any tool of the system prints", len(b))
	}
	d := xml.NewDecoder(bytes.NewReader(b))
	d.Strict = true
	for {
		t, err := d.Token()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, fmt.Errorf("reading a property list: %w", err)
		}
		if s, ok := t.(xml.StartElement); ok && s.Name.Local != "plist" {
			v, err := plistValue(d, s, 0)
			if err != nil {
				return nil, fmt.Errorf("reading a property list: %w", err)
			}
			return v, nil
		}
	}
}

func plistValue(d *xml.Decoder, start xml.StartElement, depth int) (any, error) {
	if depth > maxPlistDepth {
		return nil, errors.New("nested too deeply")
	}
	switch start.Name.Local {
	case "dict":
		return plistDict(d, depth)
	case "array":
		list := []any{}
		for {
			s, err := nextStart(d)
			if err != nil || s == nil {
				return list, err
			}
			v, err := plistValue(d, *s, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
	case "true", "false":
		return start.Name.Local == "true", d.Skip()
	}
	var s string
	if err := d.DecodeElement(&s, &start); err != nil {
		return nil, err
	}
	if start.Name.Local == "integer" {
		return strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	}
	return s, nil
}

func plistDict(d *xml.Decoder, depth int) (map[string]any, error) {
	m := map[string]any{}
	for {
		s, err := nextStart(d)
		if err != nil || s == nil {
			return m, err
		}
		var key string
		if err := d.DecodeElement(&key, s); err != nil {
			return nil, err
		}
		if s, err = nextStart(d); err != nil || s == nil {
			return nil, errors.Join(err, fmt.Errorf("key %q has no value", key))
		}
		if m[key], err = plistValue(d, *s, depth+1); err != nil {
			return nil, err
		}
	}
}

// nextStart returns the next element of the enclosing one, nil at its end.
func nextStart(d *xml.Decoder) (*xml.StartElement, error) {
	for {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			return &t, nil
		case xml.EndElement:
			return nil, nil
		}
	}
}
