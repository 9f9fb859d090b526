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

// drawMarks draws instants as lines and losses as bands across all charts.
function drawMarks() {
  const axis = document.getElementById('axis'), offset = axis.getBoundingClientRect().left - overlay.getBoundingClientRect().left;
  overlay.querySelectorAll('.line, .lost').forEach((e) => e.remove());
  axis.querySelectorAll('.instant').forEach((e) => e.remove());
  const width = axis.clientWidth, visible = (page.marks).filter((m) => m.to >= view.from && m.from <= view.to);
  const crowded = visible.filter((m) => m.kind === 'exec').length > 12;
  const taken = [-Infinity, -Infinity]; // right ends of the labels in two rows
  for (const m of visible) {
    const x = offset + Math.max(LEFT, place(m.from, width));
    if (m.kind === 'lost') {
      const band = element('div', { class: 'lost', title: m.text });
      band.style.left = x + 'px';
      band.style.width = offset + Math.min(width - RIGHT, place(m.to, width)) - x + 'px';
      overlay.append(band);
      continue;
    }
    if (crowded && m.kind === 'exec') continue;
    const line = element('div', { class: 'line' }), label = element('span', { class: 'instant' }, m.text);
    line.style.left = x + 'px';
    overlay.append(line);
    axis.append(label); // which stays in view
    const at = x - offset, size = label.offsetWidth + 4, flip = at + size > width, left = flip ? at - size : at;
    const row = taken.findIndex((right) => left > right);
    if (row < 0 || left < 0) { label.remove(); continue; }
    taken[row] = left + size;
    label.classList.toggle('flip', flip);
    label.style.left = (flip ? left + 4 : left) + 'px';
    label.style.top = 22 + row * 14 + 'px';
  }
}

// redrawRuler draws the axis and the overview of the whole recording.
function redrawRuler() {
  if (!linked) return;
  const axis = document.getElementById('axis'), width = axis.clientWidth, every = tickStep(width), ticks = [];
  for (let t = Math.ceil(view.from / every) * every; t <= view.to; t += every) {
    const label = element('span', {}, instant(t, every * 500));
    label.style.cssText = `position:absolute;left:${place(t, width)}px;transform:translateX(-50%);font-size:11.5px;color:var(--muted);top:5px;white-space:nowrap`;
    ticks.push(label);
  }
  axis.style.position = 'relative';
  axis.replaceChildren(...ticks);
  drawOverview();
  drawMarks();
}

function drawOverview() {
  const box = document.getElementById('overview'), width = box.clientWidth, height = box.clientHeight, ratio = devicePixelRatio || 1;
  if (width <= LEFT + RIGHT) return;
  const canvas = element('canvas', {});
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.cssText = `width:${width}px;height:${height}px;display:block`;
  const g = canvas.getContext('2d');
  g.scale(ratio, ratio);
  const scale = (width - LEFT - RIGHT) / END, spec = page.charts.find((c) => c.kind === 'series' && c.unit === 'rate');
  if (spec) {
    const all = spec.series.map((p) => numbers(p.y)), bins = all[0].length;
    let top = 0;
    for (let i = 0; i < bins; i++) top = Math.max(top, all.reduce((n, y) => (page.overlaid ? Math.max(n, y[i]) : n + y[i]), 0));
    for (let i = 0; i < bins && top > 0; i++) {
      let base = height - 3;
      all.forEach((y, k) => {
        const h = (y[i] / top) * (height - 8);
        g.fillStyle = faded(spec.series[k].color, page.overlaid ? 0.5 : 0.75);
        g.fillRect(LEFT + i * page.bin * scale, base - h, Math.max(0.7, page.bin * scale), h);
        if (!page.overlaid) base -= h;
      });
    }
  }
  const piece = (kind, from, to) => {
    const e = element('div', { class: kind });
    e.style.left = LEFT + from * scale + 'px';
    e.style.width = Math.max(2, (to - from) * scale) + 'px';
    return e;
  };
  const parts = (page.detail).map(([a, b]) => piece('fine', a, b));
  if (span() < END) parts.push(piece('shade', 0, view.from), piece('shade', view.to, END), piece('grip', view.from, view.to));
  box.replaceChildren(canvas, ...parts);
}

// Printing shows every chart, in light colours, at the width of the paper.
function startPrinting() {
  let theme, closed = [];
  addEventListener('beforeprint', () => {
    theme = document.documentElement.dataset.theme;
    document.querySelector('main').style.cssText = 'width:702px;padding:0;--gutter:150px';
    closed = [...document.querySelectorAll('details.against:not([open])')];
    for (const d of closed) d.open = true;
    colors.clear();
    document.documentElement.dataset.theme = 'light';
    for (const id of specs.keys()) { draw(id); drawn.get(id).chart.resize(); update(drawn.get(id)); }
    redrawRuler();
  });
  addEventListener('afterprint', () => {
    document.querySelector('main').style.cssText = '';
    for (const d of closed) d.open = false;
    setTheme(theme);
    resizeAll();
  });
}

function resizeAll() {
  for (const entry of drawn.values()) { entry.chart.resize(); update(entry); }
  redrawRuler();
}

for (const id of specs.keys()) watcher.observe(document.getElementById(id));
if (linked) {
  startView();
  viewers.push(followView, redrawRuler);
  showWindow();
  fromHash();
}
for (const card of document.querySelectorAll('.card .plot')) {
  card.addEventListener('pointermove', (e) => { const entry = drawn.get(card.id); if (entry && entry.spec.kind === 'bars') whatBar(entry, e); });
  card.addEventListener('pointerleave', () => tip(null));
}
startTables();
startPrinting();
setTheme(document.documentElement.dataset.theme);
addEventListener('resize', () => later(resizeAll));

// For tests, and for the curious.
window.iotrace = { page, view, show, zoom, drawn, print, follow: update, drawAll: () => { for (const id of specs.keys()) if (!drawn.has(id)) draw(id); }, timing };
timing.ready = performance.now();
drawRest();
