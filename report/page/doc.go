// Package page writes reports as HTML pages that need nothing else: no network, no
// server, no further file. The same report always gives the same bytes. It is a package
// of its own because neither the terminal nor a command may know how a page is made.
package page
