package timeline

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// Of many events that began together and ended over a long time, few batches
// are held, and every event comes once.
func TestCrowdedBatches(t *testing.T) {
	const each = 100
	freed, most := 0, 0
	l := Late{limit: 10}
	var all []*trace.Batch
	for i := range int64(10 * maxHeldBatches) {
		b := new(trace.Batch)
		for j := range int64(each) {
			b.Waits = append(b.Waits, trace.Wait{Start: j, Duration: i*1000 + j, TID: uint32(i*each + j)})
		}
		all = append(all, b)
		l.Add(b)
	}
	got := &seen{}
	o := NewOrder(&l, func(*trace.Batch) { freed++ }, got)
	for _, b := range all {
		o.Add(b)
		most = max(most, len(o.batches))
	}
	o.Finish()
	if most > maxHeldBatches+1 || freed != len(all) || got.n != each*len(all) {
		t.Errorf("%d batches held, %d of %d freed, %d events", most, freed, len(all), got.n)
	}
}
