package browsertest

import (
	"os"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestLook opens a page that is named by the environment and saves a picture of
// it. It is a tool for people who work on the page:
//
//	IOTRACE_PAGE=/tmp/x.html IOTRACE_PICTURE=/tmp/x.png [IOTRACE_WIDTH=1400] [IOTRACE_SCHEME=dark] \
//	  [IOTRACE_SCRIPT='iotrace.show(0, 1e6)'] go test -run TestLook .
func TestLook(t *testing.T) {
	page, picture := os.Getenv("IOTRACE_PAGE"), os.Getenv("IOTRACE_PICTURE")
	if page == "" {
		t.Skip("IOTRACE_PAGE is not set")
	}
	width, _ := strconv.ParseInt(os.Getenv("IOTRACE_WIDTH"), 10, 64)
	if width == 0 {
		width = 1400
	}
	b := open(t, page, width, 1000)
	if s := os.Getenv("IOTRACE_SCHEME"); s != "" {
		b.scheme(s)
	}
	b.do("iotrace.drawAll()")
	if s := os.Getenv("IOTRACE_SCRIPT"); s != "" {
		b.do(s)
	}
	t.Logf("scripts have run after %.0f ms, first charts are drawn after %.0f ms",
		eval[float64](b, "iotrace.timing.ready"), eval[float64](b, "iotrace.timing.shown"))
	capture := chromedp.FullScreenshot(100)
	if os.Getenv("IOTRACE_PART") != "" {
		capture = chromedp.CaptureScreenshot()
	}
	png, err := chromedp.Run(b.ctx, capture)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(picture, png, 0o666); err != nil {
		t.Fatal(err)
	}
}
