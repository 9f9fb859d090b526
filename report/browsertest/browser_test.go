// Package browsertest opens report pages in a real browser. It is a module of
// its own, so that building iotrace does not need a browser driver.
package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/report/page"
)

// browser is shared by all tests; each opens a tab of its own.
var browser = sync.OnceValues(func() (context.Context, error) {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		return nil, errors.New("no chromium or chrome in PATH (apt-get install chromium)")
	}
	ctx, _ := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(path), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless, chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update",
			true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-extensions", true),
		chromedp.Flag("force-color-profile", "srgb"))
	ctx, _ = chromedp.NewContext(ctx)
	return ctx, chromedp.Do(ctx)
})

func TestMain(m *testing.M) { os.Exit(testenv.Suite{M: withBrowser{m}}.Run()) }

// withBrowser closes the browser after the tests, and removes what it leaves where temporary files are made.
type withBrowser struct{ *testing.M }

func (w withBrowser) Run() int {
	temp, err := os.MkdirTemp("", "iotrace-browser-")
	if err == nil {
		err = os.Setenv("TMPDIR", temp)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(temp)
	code := w.M.Run()
	if ctx, err := browser(); err == nil {
		chromedp.Cancel(ctx)
	}
	return code
}

// A tab is a page that is open in the browser, and everything it asked of the
// network or complained about.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	requests   []string
	complaints []string
	refuses    bool // what the page smuggles in, as it should be
}

// open shows a page in a window of the given size. The test fails at its end if
// the page asked for anything but itself or complained.
func open(t *testing.T, page string, width, height int64) *tab {
	t.Helper()
	parent, err := browser()
	if err != nil {
		if os.Getenv("IOTRACE_REQUIRE_BROWSER") == "1" {
			t.Fatalf("starting a browser: %v", err)
		}
		t.Skipf("starting a browser: %v", err)
	}
	ctx, cancel := context.WithTimeout(parent, 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height)); err != nil {
		t.Fatal(err)
	}
	err = chromedp.Listen(ctx, func(ev any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch ev := ev.(type) {
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(ev.Request.URL, "data:") && ev.Request.URL != "file://"+page {
				b.requests = append(b.requests, ev.Request.URL)
			}
		case *runtime.EventExceptionThrown:
			b.complaints = append(b.complaints, fmt.Sprintf("%s %+v", ev.ExceptionDetails.Text, ev.ExceptionDetails.Exception))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	console := chromedp.Console(ctx)
	go func() {
		for m, err := range console {
			if err != nil {
				return
			}
			b.mu.Lock()
			b.complaints = append(b.complaints, m.String())
			b.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, r := range b.requests {
			t.Errorf("the page asked for %s", r)
		}
		for _, c := range b.complaints {
			if b.refuses && strings.Contains(c, "Content Security Policy") {
				continue // they come when they come, also after the test has looked
			}
			t.Errorf("the browser complained: %s", c)
		}
	})
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate("file://"+page)); err != nil {
		t.Fatalf("opening %s: %v", page, err)
	}
	eval[bool](b, `new Promise((r) => { const ready = () => window.iotrace || !document.getElementById('data')
		? r(true) : setTimeout(ready, 5); ready(); })`, awaited) // what is packed comes after the page
	return b
}

// A screen is a window, and the theme that the system prefers.
type screen struct {
	width, height int64
	theme         string
}

// screens are a desk, a small laptop and a telephone, each in one of the themes; in both with
// IOTRACE_SCREENS=all, as the workflows set it.
func screens() []screen {
	list := []screen{{1400, 900, "light"}, {1024, 768, "dark"}, {390, 844, "dark"}}
	if os.Getenv("IOTRACE_SCREENS") == "all" {
		list = append(list, screen{1400, 900, "dark"}, screen{1024, 768, "light"}, screen{390, 844, "light"})
	}
	return list
}

// onScreens checks what a page shows and does on every screen.
func onScreens(t *testing.T, check func(*testing.T, screen)) {
	for _, s := range screens() {
		t.Run(fmt.Sprintf("%dx%d %s", s.width, s.height, s.theme), func(t *testing.T) { check(t, s) })
	}
}

// lane is how far below the top of a chart the bars of its first lane are: a telephone has the name above them.
func (s screen) lane() float64 {
	if s.width < 760 {
		return 27
	}
	return 12
}

// open shows a page on the screen.
func (s screen) open(t *testing.T, page string) *tab {
	t.Helper()
	b := open(t, page, s.width, s.height)
	b.scheme(s.theme)
	return b
}

// awaited makes eval wait for a promise.
var awaited chromedp.EvaluateOption = chromedp.EvalAwaitPromise

// eval runs a script in the page.
func eval[T any](b *tab, script string, options ...chromedp.EvaluateOption) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](script, options...))
	if err != nil {
		b.t.Fatalf("evaluating %s: %v", script, err)
	}
	return v
}

// do runs a script and gives the page two frames to follow.
func (b *tab) do(script string) {
	b.t.Helper()
	eval[bool](b, script+"; true")
	b.settle()
}

func (b *tab) settle() {
	b.t.Helper()
	eval[bool](b,
		`new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => r(true), 0))))`, awaited)
}

// scheme sets whether the system prefers dark pages.
func (b *tab) scheme(name string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.settle()
}

// stored reads a profile of the report tests.
func stored(t *testing.T, name string) *profile.Profile {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	p := new(profile.Profile)
	if err := json.Unmarshal(b, p); err != nil {
		t.Fatal(err)
	}
	return p
}

// write makes the page of a profile and returns its path.
func write(t *testing.T, p *profile.Profile) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := page.Profile(f, p); err != nil {
		t.Fatal(err)
	}
	return path
}
