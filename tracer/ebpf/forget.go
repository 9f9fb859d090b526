//go:build linux

package ebpf

import (
	"cmp"
	"fmt"
	"time"

	"github.com/iotrace/iotrace/trace"
)

// turnTime is how long a turn of the file table lasts.
const turnTime = 15 * time.Second

// aging is how files are forgotten.
type aging struct {
	every time.Duration // 0: turnTime
	next  int64
	gone  func([]trace.FileID) // nil: they are not
}

// Forget implements tracer.Forgetter.
func (t *Tracer) Forget(gone func([]trace.FileID)) { t.aging.gone = gone }

// turn begins a turn when it is time.
func (a *aging) turn(t *Tracer) error {
	now := t.Now()
	if a.gone == nil || now < a.next {
		return nil
	}
	a.next = now + int64(cmp.Or(a.every, turnTime))
	held := t.decoder.mappings.files()
	bios, err := kept[iotraceBioInfo](t.collection.Maps["bio_slots"], t.collection.Maps["bios"])
	if err != nil {
		return fmt.Errorf("reading which files are read and written: %w", err)
	}
	for _, b := range bios {
		held[t.decoder.files.id(b.File)] = true
	}
	gone, valid := t.decoder.files.age(held)
	err = t.collection.Variables["first_valid"].Set(valid)
	if err == nil {
		err = t.collection.Variables["turn"].Set(t.decoder.files.turn)
	}
	if err != nil {
		return fmt.Errorf("having files announced anew: %w", err)
	}
	a.gone(gone)
	return nil
}
