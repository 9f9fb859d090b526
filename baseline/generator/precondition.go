package generator

import (
	"context"
	"fmt"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
)

// preconditioning brings a drive into the state of one in use, as the SNIA specification asks: a file is written twice
// in order, and then each block of it once more at random. It stays until the run ends: what is removed the drive
// may take for free.
func preconditioning(bytes int64) []baseline.Step {
	order := baseline.Step{Name: "in order", Op: baseline.Write, Access: baseline.Sequential, Block: 128 << 10, Depth: 32,
		Threads: 1, Cache: baseline.Direct, FileSize: baseline.WholeBlocks(bytes, 128<<10), Data: baseline.RandomData,
		Fresh: true}
	again, random := order, order
	again.Name, again.Fresh = "in order again", false
	random.Name, random.Fresh, random.Access, random.Block = "at random", false, baseline.Shuffled, 4<<10
	return []baseline.Step{order, again, random}
}

// precondition does so in a workspace.
func precondition(ctx context.Context, ws *storage.Workspace, place storage.Volume, bytes int64, threads bool,
	meter *meter, seed uint64) (*baseline.Preconditioned, error) {
	path := ws.NewPath("data")
	ws.Keep(path)
	p := &baseline.Preconditioned{Place: place.Path, Bytes: bytes}
	begun := time.Now()
	for i, step := range preconditioning(bytes) {
		x := &execution{step: step, path: path, data: &ws.DataFiles, place: place, seed: storage.Mix(seed, uint64(i)),
			threads: threads, meter: meter}
		m, err := x.blocks(ctx)
		if err != nil {
			return nil, ws.Explain(fmt.Errorf("preconditioning %s, %s: %w", place.Path, step.Name, err))
		}
		if p.Bytes = step.FileSize; step.Access == baseline.Shuffled {
			p.RandomBytes += m.bytes[0]
		} else {
			p.OrderedBytes += m.bytes[0]
		}
	}
	p.NS = int64(time.Since(begun))
	return p, ws.Sync()
}

// precondition prepares all places before the first pattern.
func (b *Bench) precondition(ctx context.Context, r *baseline.Report) error {
	if b.config.Precondition == 0 {
		return nil
	}
	for i, ws := range b.spaces {
		place := b.places[i]
		key := preconditionKey + place.Path
		b.begin(key, baseline.Activity{Pattern: "preconditioning", Place: place.Path})
		begun := time.Now()
		p, err := precondition(ctx, ws.Workspace, place, b.config.Precondition, b.config.Threads, &b.meter, b.rng.Uint64())
		if err != nil {
			return err
		}
		b.done(key, time.Since(begun))
		r.Preconditioned = append(r.Preconditioned, *p)
	}
	return nil
}

const preconditionKey = "precondition\x00"
