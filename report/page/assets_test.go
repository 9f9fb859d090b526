package page

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

var update = flag.Bool("update", false, "pack the assets again")

// bundles are the assets of pages, and the files that they consist of, in the order in which they stand. What draws a
// kind of chart comes before the last of report.js, in any order.
var bundles = map[string][]string{
	"page.css": {"page.css"}, "echarts.simple.min.js": {"echarts.simple.min.js"}, "plain.js": {"save.js", "plain.js"},
	"report.js": {"save.js", "format.js", "theme.js", "data.js", "view.js", "curves.js", "raster.js", "draw.js",
		"kinds/*.js", "tables.js", "export.js", "selection.js", "gestures.js", "state.js", "find.js", "main.js"},
}

// bundle is an asset as it stands in a page.
func bundle(t *testing.T, files []string) string {
	t.Helper()
	if len(files) == 1 {
		return source(t, files[0])
	}
	var b strings.Builder
	b.WriteString("(async () => {\n'use strict';\n")
	for _, pattern := range files {
		for _, path := range glob(t, pattern) {
			b.WriteString(source(t, strings.TrimPrefix(path, "assets/")))
		}
	}
	b.WriteString("})();\n")
	return b.String()
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob("assets/" + pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %q, %v", pattern, paths, err)
	}
	return paths
}

func source(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("assets/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestAssets: what is packed is what the files are, and nothing else is.
func TestAssets(t *testing.T) {
	for name, files := range bundles {
		want := bundle(t, files)
		if have, err := asset(name); err == nil && string(have) == want {
			continue
		} else if !*update {
			t.Errorf("packed/%s.zst is not what is in assets (%v): run `go generate ./report/page`", name, err)
			continue
		}
		z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("packed/"+name+".zst", z.EncodeAll([]byte(want), nil), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	packed, err := filepath.Glob("packed/*")
	if err != nil || len(packed) != len(bundles) {
		t.Errorf("%q are packed, %v", packed, err)
	}
}

// Every script and style is in a bundle.
func TestEveryAssetIsPacked(t *testing.T) {
	known := map[string]bool{}
	for _, files := range bundles {
		for _, pattern := range files {
			for _, path := range glob(t, pattern) {
				known[path] = true
			}
		}
	}
	for _, pattern := range []string{"*.js", "*/*.js", "*.css"} {
		for _, path := range glob(t, pattern) {
			if !known[path] {
				t.Errorf("%s is in no bundle", path)
			}
		}
	}
}

// TestVersions checks that the chart library is the one that VERSIONS names.
func TestVersions(t *testing.T) {
	library := source(t, "echarts.simple.min.js")
	sum := sha256.Sum256([]byte(library))
	if !strings.Contains(source(t, "VERSIONS"), hex.EncodeToString(sum[:])) {
		t.Errorf("echarts.simple.min.js has the checksum %x, which is not in assets/VERSIONS", sum)
	}
	if strings.Contains(library, "</script") {
		t.Error("echarts.simple.min.js ends a script element and cannot be embedded")
	}
}
