// Package page writes reports as HTML pages that need nothing else: no network, no
// server, no further file. The same report always gives the same bytes.
package page
