package timeline

import "slices"

// timeQueue hands back times in order. Few of them are a sorted list: most
// intervals end nearly in the order in which they began, so a new end belongs
// near the back. Many are a binary heap, which no order makes slow.
type timeQueue struct {
	list []int64
	gone int // at the front of the list, when it is sorted
	heap bool
}

// maxSorted is how many times are kept sorted.
const maxSorted = 64

func (m *timeQueue) len() int { return len(m.list) - m.gone }

// first is the earliest time; there has to be one.
func (m *timeQueue) first() int64 { return m.list[m.gone] }

// only puts a time into the place of the only one there is.
func (m *timeQueue) only(at int64) { m.list[m.gone] = at }

func (m *timeQueue) push(at int64) {
	if m.heap {
		m.list = append(m.list, at)
		m.up(len(m.list) - 1)
		return
	}
	if m.gone > m.len() && len(m.list) == cap(m.list) { // each time is moved at most once for one that has gone
		m.list = m.list[:copy(m.list, m.list[m.gone:])]
		m.gone = 0
	}
	m.list = append(m.list, at)
	i := len(m.list) - 1
	for ; i > m.gone && m.list[i-1] > at; i-- {
		m.list[i] = m.list[i-1]
	}
	m.list[i] = at
	if m.len() > maxSorted { // a sorted list is a heap
		m.list = m.list[:copy(m.list, m.list[m.gone:])]
		m.gone, m.heap = 0, true
	}
}

// pop removes the earliest time.
func (m *timeQueue) pop() {
	if m.heap {
		m.popHeap()
		return
	}
	if m.gone++; m.gone == len(m.list) {
		m.list, m.gone = m.list[:0], 0
	}
}

func (m *timeQueue) popHeap() {
	n := len(m.list) - 1
	m.list[0] = m.list[n]
	m.list = m.list[:n]
	m.down()
	if n <= maxSorted/4 {
		slices.Sort(m.list)
		m.heap = false
	}
}

func (m *timeQueue) up(i int) {
	h, at := m.list, m.list[i]
	for i > 0 && h[(i-1)/2] > at {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = at
}

func (m *timeQueue) down() {
	h := m.list
	at, i := h[0], 0
	for down := 1; down < len(h); down = 2*i + 1 {
		if down+1 < len(h) && h[down+1] < h[down] {
			down++
		}
		if h[down] >= at {
			break
		}
		h[i] = h[down]
		i = down
	}
	h[i] = at
}
