package jsonl

import (
	"encoding/json"
	"fmt"
)

// object is any JSON object.
type object map[string]json.RawMessage

// get reads a member, if there is one.
func (o object) get(name string, to any) error {
	raw, ok := o[name]
	if !ok {
		return nil
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// bytes reads those of a text, if they are there.
func (o object) bytes(name string, text *string) error {
	var exact []byte
	err := o.get(name+"_bytes", &exact)
	if exact != nil {
		*text = string(exact)
	}
	return err
}
