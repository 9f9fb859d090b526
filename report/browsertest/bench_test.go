package browsertest

import "testing"

// TestLabelsOfPlots checks that what labels an axis stands where the axis has that value: styles of other pages do
// not move it.
func TestLabelsOfPlots(t *testing.T) {
	for _, name := range []string{"bench", "gap"} {
		b := open(t, everyPage(t)[name], 1280, 900)
		const off = `[...document.querySelectorAll('svg text.tick[text-anchor=middle]')].filter((e) => {
			const box = e.ownerSVGElement.getBoundingClientRect(), scale = box.width / e.ownerSVGElement.viewBox.baseVal.width;
			const { left, width } = e.getBoundingClientRect();
			return Math.abs(left + width / 2 - box.left - e.getAttribute('x') * scale) > 2;
		}).length`
		if n := eval[int](b, off); n > 0 {
			t.Errorf("%d labels of the page of %s stand elsewhere", n, name)
		}
	}
	b := open(t, everyPage(t)["bench"], 1280, 900)
	if eval[int](b, "document.querySelectorAll('svg text.tick[text-anchor=middle]').length") == 0 {
		t.Error("the plots have no labels")
	}
}
