package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// The pages carry names that strangers chose. They are escaped wherever they
// stand; should that ever fail somewhere, the browser still runs no script and
// applies no style but those that were in the page when it was made: its content
// security policy names them by their hashes.

var (
	elements   = regexp.MustCompile(`(?s)<(style|script)>(.*?)</(?:style|script)>`)
	attributes = regexp.MustCompile(` style="([^"]*)"`)
)

// seal completes a page: style attributes, which cannot be named by hashes in
// every browser, become rules of a style sheet, and the policy gets the hashes.
func seal(page []byte) []byte {
	body, scripts := page, []byte(nil)
	if i := bytes.Index(page, []byte("<script")); i >= 0 {
		body, scripts = page[:i], page[i:]
	}
	page = append(withoutAttributes(body), scripts...)
	hashes := map[string][]string{}
	for _, m := range elements.FindAllSubmatch(page, -1) {
		sum := sha256.Sum256(m[2])
		kind := string(m[1])
		hashes[kind] = append(hashes[kind], "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	for _, kind := range []string{"style", "script"} {
		page = bytes.Replace(page, []byte(kind+"-hashes"), []byte(strings.Join(hashes[kind], " ")), 1)
	}
	return page
}

// withoutAttributes moves the style attributes of a page to the end of its head.
// What users name is escaped, so it has no quotation marks and none of these.
func withoutAttributes(page []byte) []byte {
	var sheet bytes.Buffer
	numbers := map[string]int{}
	page = attributes.ReplaceAllFunc(page, func(m []byte) []byte {
		rules := string(attributes.FindSubmatch(m)[1])
		n, known := numbers[rules]
		if !known {
			n = len(numbers)
			numbers[rules] = n
			fmt.Fprintf(&sheet, "[data-s=\"%d\"][data-s][data-s]{%s}\n", n, rules) // before every other rule
		}
		return fmt.Appendf(nil, ` data-s="%d"`, n)
	})
	if sheet.Len() == 0 {
		return page
	}
	return bytes.Replace(page, []byte("</head>"), []byte("<style>\n"+sheet.String()+"</style>\n</head>"), 1)
}

// writePage writes what a page is made of.
func writePage(w io.Writer, fill func(*writer)) error {
	var page writer
	fill(&page)
	if page.err != nil {
		return fmt.Errorf("making the page: %w", page.err)
	}
	// Spaces that part no line stand as entities: as characters they would be hidden from who reads the source.
	_, err := w.Write(seal(bytes.ReplaceAll(page.Bytes(), []byte("\u00a0"), []byte("&nbsp;"))))
	return err
}
