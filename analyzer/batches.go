package analyzer

import "github.com/iotrace/iotrace/trace"

// batches are used again and again between decoding and analysis.
var batches = make(batchList, 4)

// batchList keeps batches until they are wanted, no more than it has room for. A
// sync.Pool would lose them at each garbage collection, and would bring the next
// one on by that: next to batches, an analysis holds little.
type batchList chan *trace.Batch

func (l batchList) take() *trace.Batch {
	select {
	case b := <-l:
		return b
	default:
		return new(trace.Batch)
	}
}

func (l batchList) give(b *trace.Batch) {
	select {
	case l <- b:
	default:
	}
}

// drop lets go of all of them.
func (l batchList) drop() {
	for {
		select {
		case <-l:
		default:
			return
		}
	}
}
