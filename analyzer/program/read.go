package program

import (
	"errors"
	"fmt"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Read gives all batches of a trace to take, which says how much it holds of all that it has seen. More than there is
// room for is an error: what takes a whole recording into memory has one limit. doing is what the trace is read for.
func Read(path, doing string, take func(*trace.Batch) (held int64), kinds ...trace.Kind) (room int64, err error) {
	f, err := tracefile.Open(path)
	if err != nil {
		return 0, fmt.Errorf("opening the recording: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	f.Only(kinds...)
	room = f.Room()
	err = f.Each(func(b *trace.Batch) error {
		if take(b) > room {
			return fmt.Errorf("it has more than %d operations, which are all held in memory (record a part of the workload, "+
				"with --duration)", room)
		}
		return nil
	})
	if err != nil {
		return room, fmt.Errorf("%s %s: %w", doing, path, err)
	}
	return room, nil
}
