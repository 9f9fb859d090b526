package experiment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// ErrBudget means that the time was used up before every cell was measured once.
var ErrBudget = errors.New("the budget was used up before each difference was measured once")

// budget is the time that an experiment may take.
type budget struct {
	total   time.Duration // 0: as long as it takes
	begun   time.Time
	leftOut []string // because of it
	cut     bool     // it ended the experiment
}

// leave notes what is left out because of the budget.
func (b *budget) leave(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	b.leftOut = append(b.leftOut, fmt.Sprintf("Because of the budget of %s %s.", unit.Duration(b.total), text))
}

// limited is a context that ends with the budget.
func (b *budget) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.total == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, b.begun.Add(b.total))
}

// left is how much of the budget is left; longer than anything takes without one.
func (b *budget) left() time.Duration {
	if b.total == 0 {
		return 1 << 62
	}
	return b.total - time.Since(b.begun)
}
