// Dragging, clicking and touching the charts over time. A drag zooms, or selects with Shift or where the button says so;
// a click keeps the details of what is under it.
let selecting = false; // a drag selects

// startDragging also lets the window be moved in the overview.
function startDragging(overview) {
  let drag = null;
  linked.addEventListener('pointerdown', (e) => {
    const plot = e.target.closest('.plot');
    if (!plot || e.button !== 0 || e.pointerType === 'touch') return;
    drag = { plot, x: e.clientX, overview: plot === overview, select: selecting || e.shiftKey };
    if (drag.overview) moveTo(overview, e.clientX);
    plot.setPointerCapture(e.pointerId);
  });
  linked.addEventListener('pointermove', (e) => {
    if (e.pointerType === 'touch') return;
    if (drag && drag.overview) return moveTo(overview, e.clientX);
    const plot = drag ? drag.plot : e.target.closest('.plot');
    pointAt(plot && plot !== overview ? plot : null, e);
    if (drag) drawSelection(drag.plot, drag.x, e.clientX);
  });
  linked.addEventListener('pointerup', (e) => {
    if (drag && !drag.overview) release(drag, e);
    drag = null;
  });
  linked.addEventListener('pointercancel', () => { drag = null; drawSelection(null); });
  linked.addEventListener('pointerleave', () => pointAt(null));
  linked.addEventListener('dblclick', (e) => { if (e.target.closest('.plot')) { keepDetails(null); actions.all(); } });
}

// release ends a drag: what it passed over is shown, or selected.
function release(drag, e) {
  drawSelection(null);
  if (Math.abs(e.clientX - drag.x) <= 4) return pinAt(drag.plot, e);
  const [a, b] = [timeAt(drag.plot, drag.x), timeAt(drag.plot, e.clientX)].sort((p, q) => p - q), from = Math.max(a, view.from), to = Math.min(b, view.to);
  if (drag.select) choose([from, to]);
  else show(from, to);
}

// choose selects a stretch: its sums are shown, and the window stays.
function choose(range) {
  if (!range && !chosen) return;
  chosen = range && range[1] > range[0] ? range : null;
  const sums = document.getElementById('window-sums');
  if (sums && chosen) sums.open = true;
  later(redrawRuler);
  followSelection();
  showWindow();
  noteState();
}

// startTouch has one finger move the window, two zoom it, and a tap keep details.
function startTouch() {
  const fingers = new Map();
  let began = null;
  const start = () => {
    const [first] = fingers.values(), xs = [...fingers.values()].map((f) => f.x);
    began = first && { plot: first.plot, from: view.from, to: view.to, x: xs.reduce((a, b) => a + b, 0) / xs.length, wide: Math.max(...xs) - Math.min(...xs), moved: false };
  };
  linked.addEventListener('pointerdown', (e) => {
    const plot = e.target.closest('.plot');
    if (!plot || e.pointerType !== 'touch') return;
    fingers.set(e.pointerId, { plot, x: e.clientX });
    start();
  });
  linked.addEventListener('pointermove', (e) => {
    if (!fingers.has(e.pointerId)) return;
    fingers.get(e.pointerId).x = e.clientX;
    const xs = [...fingers.values()].map((f) => f.x), x = xs.reduce((a, b) => a + b, 0) / xs.length, box = began.plot.getBoundingClientRect(), width = box.width - LEFT - RIGHT;
    began.moved = began.moved || Math.abs(x - began.x) > 8 || xs.length > 1;
    if (!began.moved) return;
    if (selecting && xs.length === 1) return drawSelection(began.plot, began.x, x);
    const factor = xs.length > 1 && began.wide > 10 ? began.wide / Math.max(10, Math.max(...xs) - Math.min(...xs)) : 1, wide = Math.min(END, (began.to - began.from) * factor);
    const at = began.from + ((began.x - box.left - LEFT) / width) * (began.to - began.from); // it stays under the fingers
    const from = at - ((x - box.left - LEFT) / width) * wide;
    show(from, from + wide);
  });
  const end = (e) => {
    if (!fingers.delete(e.pointerId)) return;
    if (fingers.size === 0 && began && e.type === 'pointerup') {
      if (!began.moved) pinAt(began.plot, e);
      else if (selecting) release({ plot: began.plot, x: began.x, select: true }, e);
    }
    start();
  };
  linked.addEventListener('pointerup', end);
  linked.addEventListener('pointercancel', end);
}

// pinAt keeps the details of what lies at a point of a chart.
function pinAt(plot, event) {
  const entry = drawn.get(plot.id), details = entry && FILLERS[entry.spec.kind].details;
  keepDetails(details ? details(entry, timeAt(plot, event.clientX), event) : null, event);
}

// keepDetails shows details until they are closed; null closes them.
function keepDetails(found, event) {
  const box = document.getElementById('kept');
  if (!box) return;
  box.hidden = !found;
  if (!found) return;
  const [title, ...rows] = found.lines, close = element('button', { type: 'button', 'aria-label': 'Close' }, '×'), copy = element('button', { type: 'button' }, 'Copy'), zoomed = element('button', { type: 'button' }, 'Zoom to it');
  close.addEventListener('click', () => keepDetails(null));
  copy.addEventListener('click', () => copyText(found.lines.map((l) => [].concat(l).join('\t')).join('\n'), copy));
  zoomed.addEventListener('click', () => show(found.from - (found.to - found.from), found.to + (found.to - found.from) + SMALLEST));
  box.replaceChildren(close, element('b', {}, title), element('table', {}, element('tbody', {}, ...rows.map(([k, v]) => element('tr', {}, element('td', {}, k), element('td', {}, v))))), element('p', {}, ...(found.to > found.from ? [zoomed] : []), copy));
  const { width, height } = box.getBoundingClientRect();
  box.style.left = Math.max(4, Math.min(innerWidth - width - 4, event.clientX + 12)) + 'px';
  box.style.top = Math.max(48, Math.min(innerHeight - height - 4, event.clientY + 12)) + 'px';
}

// valuesAt are the values of a chart of curves at a time.
function valuesAt(entry, t) {
  const unit = print[entry.spec.unit], of = (plot) => { const c = curve(plot, grainInView()), v = c.y[rowAt(c, t)]; return plot.log ? plot.log ** v : v; };
  const rows = entry.spec.series.filter((plot) => !isOff(entry.spec, plot)).map((plot) => [plot.name, plot.x ? print.amount(sumAt(plot, t)) : unit(of(plot))]);
  return { from: t, to: t, lines: [entry.spec.title, ['at', instant(t, span())], ...rows] };
}
