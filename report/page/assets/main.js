// The ruler above the charts, what is drawn across them, and the start.
const tipBox = document.getElementById('tip');

// tip shows a title and pairs of name and value beside the pointer; null hides it.
function tip(lines, event) {
  if (!lines || !event) { tipBox.hidden = true; return; }
  const [title, ...rows] = lines;
  tipBox.replaceChildren(element('b', {}, title), element('table', {}, element('tbody', {}, ...rows.map(([k, v]) => element('tr', {}, element('td', {}, k), element('td', {}, v))))));
  tipBox.hidden = false;
  const { width, height } = tipBox.getBoundingClientRect();
  tipBox.style.left = Math.max(4, event.clientX + 16 + width > innerWidth ? event.clientX - width - 12 : event.clientX + 16) + 'px';
  tipBox.style.top = Math.max(4, Math.min(innerHeight - height - 4, event.clientY + 14)) + 'px';
}

const overlay = document.getElementById('overlay') || element('div', {});
let cursor, selection;

// pointAt draws the cursor across all charts and reads their values there.
function pointAt(plot, event) {
  if (!cursor) { cursor = element('div', { class: 'cursor' }); overlay.append(cursor); }
  const t = plot ? timeAt(plot, event.clientX) : NaN;
  const inside = t >= view.from && t <= view.to;
  cursor.style.display = inside ? '' : 'none';
  if (inside) cursor.style.left = event.clientX - overlay.getBoundingClientRect().left + 'px';
  for (const entry of drawn.values()) {
    if (!near.has(entry.id)) continue;
    const { point, everywhere } = FILLERS[entry.spec.kind];
    if (point) point(entry, inside && (everywhere || entry.plot === plot) ? t : undefined, event);
  }
}

function drawSelection(plot, a, b) {
  if (selection) selection.remove();
  selection = null;
  if (!plot) return;
  const left = overlay.getBoundingClientRect().left;
  selection = element('div', { class: 'select' });
  selection.style.left = Math.min(a, b) - left + 'px';
  selection.style.width = Math.abs(a - b) + 'px';
  overlay.append(selection);
}

// drawMarks draws instants as lines and losses as bands across all charts. Labels are put on
// the page together and then measured together, so that it is laid out once.
function drawMarks(axis, width) {
  const offset = axis.getBoundingClientRect().left - overlay.getBoundingClientRect().left;
  overlay.querySelectorAll('.line, .lost, .lit, .chosen').forEach((e) => e.remove());
  const visible = page.marks.filter((m) => m.to >= view.from && m.from <= view.to);
  const crowded = visible.filter((m) => m.kind === 'exec').length > 12, bands = [], lines = [], instants = [];
  for (const m of visible) {
    const x = Math.max(LEFT, place(m.from, width));
    if (m.kind === 'lost') {
      const band = element('div', { class: 'lost', title: m.text });
      band.style.left = offset + x + 'px';
      band.style.width = Math.min(width - RIGHT, place(m.to, width)) - x + 'px';
      bands.push(band);
    } else if (!(crowded && m.kind === 'exec')) {
      const line = element('div', { class: 'line' });
      line.style.left = offset + x + 'px';
      lines.push(line);
      instants.push({ x, label: element('span', { class: 'instant' }, m.text) });
    }
  }
  for (const [from, to] of lit) {
    if (to < view.from || from > view.to) continue;
    const band = element('div', { class: 'lit' }), x = Math.max(LEFT, place(from, width));
    band.style.left = offset + x + 'px';
    band.style.width = Math.max(1, Math.min(width - RIGHT, place(to, width)) - x) + 'px';
    bands.push(band);
  }
  if (chosen && chosen[1] >= view.from && chosen[0] <= view.to) {
    const band = element('div', { class: 'chosen' }), x = Math.max(LEFT, place(chosen[0], width));
    band.style.left = offset + x + 'px';
    band.style.width = Math.max(1, Math.min(width - RIGHT, place(chosen[1], width)) - x) + 'px';
    bands.push(band);
  }
  overlay.append(...bands, ...lines);
  axis.append(...instants.map((i) => i.label)); // which stays in view
  for (const i of instants) i.size = i.label.offsetWidth + 4;
  placeInstants(instants, width);
}

// startLights has the charts show when a cause of the verdict took most of the time.
function startLights() {
  document.addEventListener('click', (e) => {
    const button = e.target.closest('.light');
    if (!button) return;
    const on = button.getAttribute('aria-pressed') !== 'true';
    for (const b of document.querySelectorAll('.light')) b.setAttribute('aria-pressed', String(b === button && on));
    lit = on ? page.lit[button.dataset.lit] : [];
    redrawRuler();
    if (on) linked.scrollIntoView();
  });
}

let lit = []; // stretches of time

// placeInstants spreads labels over two rows; those for which there is no room go.
function placeInstants(instants, width) {
  const taken = [-Infinity, -Infinity]; // right ends of the labels in the rows
  for (const { x, label, size } of instants) {
    const flip = x + size > width, left = flip ? x - size : x, row = taken.findIndex((right) => left > right);
    if (row < 0 || left < 0) { label.remove(); continue; }
    taken[row] = left + size;
    label.classList.toggle('flip', flip);
    label.style.left = (flip ? left + 4 : left) + 'px';
    label.style.top = 22 + row * 14 + 'px';
  }
}

// redrawRuler draws the axis, and the window in the overview of the whole recording.
function redrawRuler() {
  if (!linked) return;
  const axis = document.getElementById('axis'), width = axis.clientWidth, every = tickStep(width), ticks = [];
  for (let t = Math.ceil(view.from / every) * every; t <= view.to; t += every) {
    const label = element('span', { class: 'tick' }, instant(t, every * 500));
    label.style.left = place(t, width) + 'px';
    ticks.push(label);
  }
  showInOverview();
  axis.replaceChildren(...ticks);
  drawMarks(axis, width);
}

// paintOverview draws the speed of the whole recording.
function paintOverview() {
  const box = document.getElementById('overview'), width = box ? box.clientWidth : 0, spec = page.charts.find((c) => c.kind === 'series' && c.unit === 'rate');
  if (width <= LEFT + RIGHT) return;
  const height = box.clientHeight, ratio = devicePixelRatio || 1, canvas = element('canvas', {}), g = canvas.getContext('2d'), scale = (width - LEFT - RIGHT) / END;
  Object.assign(canvas, { width: width * ratio, height: height * ratio });
  canvas.style.cssText = `width:${width}px;height:${height}px;display:block`;
  g.scale(ratio, ratio);
  const all = spec ? spec.series.map((p) => numbers(p.y)) : [], sum = (i) => all.reduce((n, y) => (page.overlaid ? Math.max(n, y[i]) : n + y[i]), 0);
  let top = 0;
  for (let i = 0; all.length && i < all[0].length; i++) top = Math.max(top, sum(i));
  for (let i = 0; top > 0 && i < all[0].length; i++) {
    let base = height - 3;
    all.forEach((y, k) => {
      const h = (y[i] / top) * (height - 8);
      g.fillStyle = faded(spec.series[k].color, page.overlaid ? 0.5 : 0.75);
      g.fillRect(LEFT + i * page.bin * scale, base - h, Math.max(0.7, page.bin * scale), h);
      if (!page.overlaid) base -= h;
    });
  }
  box.replaceChildren(canvas);
}

// showInOverview says in the overview what can be seen singly and what the window is.
function showInOverview() {
  const box = document.getElementById('overview'), scale = (box.clientWidth - LEFT - RIGHT) / END;
  const piece = (kind, from, to) => {
    const e = element('div', { class: kind });
    e.style.left = LEFT + from * scale + 'px';
    e.style.width = Math.max(2, (to - from) * scale) + 'px';
    return e;
  };
  const parts = page.detail.map(([a, b]) => piece('fine', a, b));
  if (span() < END) parts.push(piece('shade', 0, view.from), piece('shade', view.to, END), piece('grip', view.from, view.to));
  box.querySelectorAll('div').forEach((e) => e.remove());
  box.append(...parts);
}

// startFolds has what was folded draw its charts when it opens, and open when a link leads into it. What a desk has room
// for is folded on a telephone.
function startFolds() {
  const fit = () => { for (const d of document.querySelectorAll('.fold.desk')) d.open = !narrow.matches; };
  narrow.addEventListener('change', fit);
  fit();
  document.addEventListener('toggle', (e) => {
    if (!e.target.open || !e.target.matches('.fold, .reasons')) return;
    for (const plot of e.target.querySelectorAll('.plot')) {
      const entry = drawn.get(plot.id);
      if (entry && !entry.width) { measure(entry); draw(plot.id); }
    }
  }, true);
  const reveal = (id) => {
    const target = id && document.getElementById(decoded(id));
    if (!target) return;
    for (let d = target.closest('details') || target.querySelector(':scope > details.fold'); d; d = d.parentElement.closest('details')) d.open = true;
  };
  document.addEventListener('click', (e) => { const a = e.target.closest('a[href^="#"]'); if (a) reveal(a.hash.slice(1)); });
  addEventListener('hashchange', () => reveal(location.hash.slice(1)));
  reveal(location.hash.slice(1));
}

// Printing shows every chart, in light colours, at the width of the paper.
function startPrinting() {
  let theme, closed = [];
  addEventListener('beforeprint', () => {
    theme = document.documentElement.dataset.theme;
    document.querySelector('main').style.cssText = 'width:702px;padding:0;--gutter:150px';
    closed = [...document.querySelectorAll('details.against:not([open]), details.fold:not([open])')];
    for (const d of closed) d.open = true;
    forgetColors();
    document.documentElement.dataset.theme = 'light';
    for (const id of specs.keys()) draw(id);
    resizeAll();
  });
  addEventListener('afterprint', () => {
    document.querySelector('main').style.cssText = '';
    for (const d of closed) d.open = false;
    setTheme(theme);
    resizeAll();
  });
}

for (const id of specs.keys()) watcher.observe(document.getElementById(id));
if (linked) {
  startView();
  viewers.push(followView, redrawRuler, followSelection);
  showWindow();
}
for (const card of document.querySelectorAll('.card .plot')) {
  card.addEventListener('pointermove', (e) => { const entry = drawn.get(card.id); if (entry && entry.spec.kind === 'bars') whatBar(entry, e); });
  card.addEventListener('pointerleave', () => tip(null));
}
startTables();
startSelection();
startFinding();
startLights();
startPrinting();
startFolds();
startExports();
if (linked) startState();
setTheme(document.documentElement.dataset.theme);
addEventListener('resize', () => later(resizeAll));

// corners are the rows of a curve as it is painted.
function corners(id, i) {
  const { c, first, last } = drawn.get(id).shown[i], out = [];
  for (let k = first; k <= last; k++) out.push([startOf(c, k), c.y[k]], [endOf(c, k), c.y[k]]);
  return out;
}

// For tests, and for the curious.
window.iotrace = { page, view, show, zoom, drawn, print, follow: update, corners, find, keep, choose, chartCsv, svgOf, pngOf, tableCsv, state: stateText, get words() { return words; }, drawAll: () => { for (const id of specs.keys()) if (!drawn.has(id)) draw(id); }, timing };
timing.ready = performance.now();
drawRest();
