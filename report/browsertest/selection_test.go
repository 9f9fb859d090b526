package browsertest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestSelection selects a stretch in which events are shown singly: its sums are theirs, and each is listed.
func TestSelection(t *testing.T) { onScreens(t, selection) }

func selection(t *testing.T, s screen) {
	p := stored(t, "copy")
	b := s.open(t, write(t, p))
	detail := p.Charts.Timeline.Detail[1]
	from := detail.FromNS + 1e6
	to := from + 4e6
	b.do(unfold + fmt.Sprintf("; document.getElementById('events').open = true; iotrace.show(%d, %d)", from, to))
	eval[bool](b, "new Promise((r) => setTimeout(() => r(true), 400))", awaited)
	listed := 0
	for _, l := range p.Charts.Timeline.Lanes {
		overlapping := countItems(&l, from, to)
		if l.Kind != "file" {
			listed += overlapping
		}
		if overlapping == 0 {
			continue
		}
		rows := eval[[]string](b, fmt.Sprintf("[...document.querySelector('#selection .list').tBodies[0].rows]"+
			".filter((r) => r.cells[0].innerText.startsWith(%q)).map((r) => r.cells[1].innerText)", l.Name))
		if len(rows) == 0 || strings.ReplaceAll(rows[0], ",", "") != strconv.Itoa(overlapping) {
			t.Errorf("the window has %d events of %s, the page says %q", overlapping, l.Name, rows)
		}
	}
	for range 10 {
		b.do("document.querySelector('#events .more').click()")
	}
	if n := eval[int](b, "document.querySelectorAll('#events tbody tr').length"); n != listed || n == 0 {
		t.Errorf("%d events are listed, want %d", n, listed)
	}
	if s := eval[string](b, "document.querySelector('#events .note').textContent"); !strings.HasSuffix(s, "events.") {
		t.Errorf("a window in which all events are at hand says %q", s)
	}
	const event = "document.querySelectorAll('#events .go')[3]"
	want := eval[window](b, "({From: Number("+event+".dataset.from), To: Number("+event+".dataset.to)})")
	b.do(event + ".click()")
	if got := eval[window](b, "({From: iotrace.view.from, To: iotrace.view.to})"); got != want {
		t.Errorf("an event leads to %v, it lies in %v", got, want)
	}
}

// countItems are the events of a lane of which a part lies in a stretch.
func countItems(l *profile.Lane, from, to int64) (n int) {
	for i, at := range l.Items.Start {
		if at < to && (at >= from || at+l.Items.Dur[i] > from) {
			n++
		}
	}
	return n
}

// TestEvidenceLights unfolds what the verdict rests on and has the charts show when.
func TestEvidenceLights(t *testing.T) { onScreens(t, evidenceLights) }

func evidenceLights(t *testing.T, s screen) {
	p := stored(t, "copy")
	b := s.open(t, write(t, p))
	const numbers = "[...document.querySelectorAll('.reasons:not(.observations) li li')].filter((e) => " +
		"e.checkVisibility()).length"
	if n := eval[int](b, numbers); n != 0 {
		t.Errorf("%d numbers are shown before anybody asks", n)
	}
	b.do("document.querySelector('.reasons').open = true")
	want := 0
	for _, c := range p.Verdict.Causes {
		want += len(c.Evidence)
	}
	if n := eval[int](b, numbers); n < want || want == 0 {
		t.Errorf("%d numbers are shown of %d", n, want)
	}
	buttons := eval[int](b, "document.querySelectorAll('.light').length")
	if buttons == 0 {
		t.Fatal("no cause can be shown in the charts")
	}
	for i := range buttons {
		b.do(fmt.Sprintf("document.querySelectorAll('.light')[%d].click()", i))
		if n := eval[int](b, "document.querySelectorAll('#overlay .lit').length"); n == 0 {
			t.Errorf("cause %d lights nothing up", i)
		}
		if n := eval[int](b, "document.querySelectorAll('.light[aria-pressed=true]').length"); n != 1 {
			t.Errorf("%d causes are lit at once", n)
		}
	}
	b.do(fmt.Sprintf("document.querySelectorAll('.light')[%d].click()", buttons-1))
	if n := eval[int](b, "document.querySelectorAll('#overlay .lit').length"); n != 0 {
		t.Errorf("%d stretches stay lit", n)
	}
}
