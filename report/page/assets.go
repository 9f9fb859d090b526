package page

import (
	"embed"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// Styles and scripts of pages are in assets. The program has them as they stand in pages, packed, which makes it 0.5 MB
// smaller; TestAssets holds the two together.
//
//go:generate go test -run TestAssets -update .

//go:embed packed
var packedAssets embed.FS

// licence is that of the chart library, in a line.
//
//go:embed assets/echarts.NOTICE
var licence string

// largestAsset bounds what one unpacks to.
const largestAsset = 4 << 20

// asset is ours, or the chart library: it is trusted.
func asset(name string) (markup, error) {
	small, err := packedAssets.ReadFile("packed/" + name + ".zst")
	if err != nil {
		return "", err
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(largestAsset))
	if err != nil {
		return "", fmt.Errorf("unpacking %s: %w", name, err)
	}
	defer z.Close()
	b, err := z.DecodeAll(small, nil)
	if err != nil {
		return "", fmt.Errorf("unpacking %s: %w", name, err)
	}
	return markup(b), nil
}

// assetFor gives the text of an asset. What fails is told when the page is done.
func assetFor(w *writer, name string) markup {
	m, err := asset(name)
	if err != nil {
		w.fail(err)
	}
	return m
}
