package stats

import (
	"math"
	"testing"
)

func TestBucketsPartitionValues(t *testing.T) {
	last := -1
	for v := int64(0); v < 1<<21; v++ {
		b := BucketOf(v)
		if b != last && b != last+1 {
			t.Fatalf("value %d is in bucket %d after bucket %d", v, b, last)
		}
		if f := BucketFloor(b); f > v || b != last && f != v {
			t.Fatalf("bucket %d begins at %d; its first value is %d", b, f, v)
		}
		last = b
	}
	if b := BucketOf(math.MaxInt64); b >= 1<<16 || BucketFloor(b) <= 0 {
		t.Fatalf("the greatest value is in bucket %d", b)
	}
}
