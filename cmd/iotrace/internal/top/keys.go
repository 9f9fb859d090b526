package top

import (
	"fmt"
	"unicode"

	"github.com/gdamore/tcell/v2"

	"github.com/iotrace/iotrace/internal/visible"
)

// action is what a key asks for that is not the view's to do.
type action int

const (
	nothing action = iota
	quit
	record  // start a recording, or end it
	suspend // give the terminal to the shell
)

// keys are what the help lists.
var keys = [][2]string{
	{"Tab", "next pane"},
	{"Up, Down, PgUp, PgDn", "move the cursor"},
	{"Enter", "files of a process, requests of a file; Esc: back"},
	{"g", "processes, control groups, containers, users"},
	{"u", "users instead of processes, and back"},
	{"s, S", "sort by the next column, by the one before"},
	{"i", "invert the order"},
	{"/", "only processes and files with this text; Esc ends it"},
	{"space", "freeze, and go on"},
	{"Left, Right", "freeze, and look at an earlier or later interval"},
	{"r", "record all to a file until r is pressed again"},
	{"?", "this help"},
	{"q, Ctrl-C", "quit"},
}

// press does what a key asks for.
func (v *view) press(e *tcell.EventKey) action {
	switch {
	case e.Key() == tcell.KeyCtrlC:
		return quit
	case e.Key() == tcell.KeyCtrlZ:
		return suspend
	case v.help:
		v.help = false
		return nothing
	case v.editing:
		v.edit(e)
		return nothing
	}
	v.message = ""
	if e.Key() == tcell.KeyRune {
		return v.letter(e.Rune())
	}
	switch e.Key() {
	case tcell.KeyTab:
		v.focus = (v.focus + 1) % panes
	case tcell.KeyBacktab:
		v.focus = (v.focus + panes - 1) % panes
	case tcell.KeyUp:
		v.panes[v.focus].cursor--
	case tcell.KeyDown:
		v.panes[v.focus].cursor++
	case tcell.KeyPgUp:
		v.panes[v.focus].cursor -= 10
	case tcell.KeyPgDn:
		v.panes[v.focus].cursor += 10
	case tcell.KeyHome:
		v.panes[v.focus].cursor = 0
	case tcell.KeyLeft:
		v.step(-1)
	case tcell.KeyRight:
		v.step(1)
	case tcell.KeyEnter:
		v.drill()
	case tcell.KeyEscape:
		v.back()
	}
	return nothing
}

// letter does what a letter asks for.
func (v *view) letter(r rune) action {
	switch r {
	case 'q':
		return quit
	case 'r':
		return record
	case '?', 'h':
		v.help = true
	case ' ':
		v.pause()
	case '/':
		v.editing = true
	case 's':
		v.sort(1)
	case 'S':
		v.sort(-1)
	case 'g':
		v.group((v.by + 1) % groupings)
	case 'u':
		if v.by == byUser {
			v.group(byProcess)
		} else {
			v.group(byUser)
		}
	case 'i':
		v.panes[v.focus].reverse = !v.panes[v.focus].reverse
	case 'j':
		v.panes[v.focus].cursor++
	case 'k':
		v.panes[v.focus].cursor--
	}
	return nothing
}

// group puts the processes together in another way.
func (v *view) group(by grouping) {
	v.by, v.drilled, v.inside = by, false, false
	v.panes[processPane] = pane{sort: -1}
}

// sort goes on to the next column, or back to the one before; between the last and the first is the order of bytes.
func (v *view) sort(by int) {
	p, n := &v.panes[v.focus], len(v.titles(v.focus))+1
	p.sort = (p.sort+1+by+n)%n - 1
}

// maxFilter is how long a text to look for may be.
const maxFilter = 100

// edit changes the filter.
func (v *view) edit(e *tcell.EventKey) {
	switch e.Key() {
	case tcell.KeyEnter:
		v.editing = false
	case tcell.KeyEscape:
		v.editing, v.filter = false, ""
	case tcell.KeyBackspace, tcell.KeyBackspace2:
		if r := []rune(v.filter); len(r) > 0 {
			v.filter = string(r[:len(r)-1])
		}
	case tcell.KeyRune:
		if unicode.IsPrint(e.Rune()) && len(v.filter) < maxFilter {
			v.filter += string(e.Rune())
		}
	}
}

// drill shows the files of the process under the cursor.
func (v *view) drill() {
	switch {
	case v.interval() == nil:
		return
	case v.focus == filePane:
		v.enter()
		return
	case v.focus != processPane:
		return
	}
	list := v.processes()
	if at := v.panes[processPane].cursor; at >= 0 && at < len(list) {
		p := list[at]
		v.drilled, v.inside, v.process, v.name = true, false, p.Key, visible.Text(p.Command)
		if p.PID != 0 {
			v.name += fmt.Sprintf(" (%d)", p.PID)
		}
		v.panes[filePane] = pane{sort: -1}
	}
}

// enter shows the requests of the file under the cursor.
func (v *view) enter() {
	at, paths := v.panes[filePane].cursor, []string{}
	switch {
	case v.inside:
		return
	case v.drilled:
		for _, p := range v.pairs() {
			paths = append(paths, p.Path)
		}
	default:
		for _, f := range v.files() {
			paths = append(paths, f.Path)
		}
	}
	if at >= 0 && at < len(paths) {
		v.inside, v.path = true, paths[at]
		v.panes[filePane] = pane{sort: -1}
	}
}

// back ends what narrows the view, the latest first.
func (v *view) back() {
	switch {
	case v.inside:
		v.inside = false
		v.panes[filePane] = pane{sort: -1}
	case v.drilled:
		v.drilled = false
		v.panes[filePane] = pane{sort: -1}
	case v.filter != "":
		v.filter = ""
	}
}
