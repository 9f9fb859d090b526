package generator

import (
	"context"
	"errors"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
)

// generated does a task of a curve once, with the load generator, and removes what it made.
func (v *volume) generated(ctx context.Context, t baseline.Task) (r baseline.TaskRun, err error) {
	if t.Work == "sustained" {
		r, err = v.sustained(ctx, t)
	} else {
		r, err = v.generate(ctx, t)
	}
	if t.Op != baseline.Write || t.Point != nil || t.Work == "blackmagic" {
		return r, err
	}
	_, removed := v.ws.RemoveData()
	return r, errors.Join(err, removed, v.ws.Sync())
}

// generate has the load generator do a task once.
func (v *volume) generate(ctx context.Context, t baseline.Task) (baseline.TaskRun, error) {
	s := step(t)
	if t.Op == baseline.Read && s.Cache != baseline.Direct {
		if err := v.ws.DropPages(); err != nil {
			return baseline.TaskRun{}, err
		}
	}
	m, err := v.once(ctx, s, v.source)
	if err != nil {
		return baseline.TaskRun{}, err
	}
	return baseline.TaskRun{NS: m.ActiveNS, Bytes: m.ReadBytes + m.WriteBytes, Parts: m.Files,
		Invalid: unreachedIn(s, v.place.Place, m)}, nil
}

func (v *volume) once(ctx context.Context, s baseline.Step, path string) (baseline.RunResult, error) {
	v.seed++
	return Single{Step: s, Path: path, Space: v.ws, Place: v.place, Seed: storage.Mix(v.seed, 3)}.Once(ctx)
}

// sustained writes new files, one after the other.
func (v *volume) sustained(ctx context.Context, t baseline.Task) (r baseline.TaskRun, err error) {
	s := step(t)
	for range t.Files {
		m, err := v.once(ctx, s, v.ws.NewPath("data"))
		if err != nil {
			return r, err
		}
		if err := v.ws.Check(); err != nil {
			return r, err
		}
		r.NS, r.Bytes = r.NS+m.ActiveNS, r.Bytes+m.WriteBytes
		r.Parts = append(r.Parts, baseline.FileTime{Bytes: m.WriteBytes, NS: m.ActiveNS})
		if r.Invalid == "" {
			r.Invalid = unreachedIn(s, v.place.Place, m)
		}
	}
	return r, nil
}
