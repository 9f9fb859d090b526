// Charts are drawn when they come near the screen. A kind of chart is a file in kinds/,
// which adds itself to the two lists that follow.
const TABLES = {}; // the numbers behind a kind of chart: heads and rows
const FILLERS = {}; // how a kind of chart is painted and kept up to date with the window
const drawn = new Map(); // id → { spec, plot, dirty, points, … }
const specs = new Map(page.charts.map((c) => [c.id, c]));

function draw(id) {
  const spec = specs.get(id);
  let entry = drawn.get(id);
  if (!entry) {
    entry = { id, spec, plot: document.getElementById(id), readout: document.querySelector(`.readout[data-chart="${id}"]`) || element('div', {}), points: 0 };
    drawn.set(id, entry);
    if (FILLERS[spec.kind].frame) FILLERS[spec.kind].frame(entry);
    measure(entry);
  }
  entry.dirty = false;
  if (FILLERS[spec.kind].still) return FILLERS[spec.kind].still(entry);
  if (!FILLERS[spec.kind].paint) return drawByLibrary(entry);
  update(entry);
}

// update paints a chart over time for the window.
function update(entry) {
  const kind = FILLERS[entry.spec.kind];
  if (kind.still) return kind.still(entry);
  if (!kind.paint || entry.width <= LEFT + RIGHT) return;
  entry.scale = kind.scale(entry);
  const r = raster(entry);
  kind.paint(entry, r);
  finish(r);
  if (kind.point) kind.point(entry);
}

const tickStep = (width) => niceStep((span() * 100) / Math.max(100, width - LEFT - RIGHT));

const timing = { ready: 0, shown: 0 }; // ms since the page was asked for: scripts have run; first charts are drawn
const near = new Set();
const watcher = new IntersectionObserver((entries) => {
  for (const e of entries) {
    if (!e.isIntersecting) { near.delete(e.target.id); continue; }
    near.add(e.target.id);
    const entry = drawn.get(e.target.id);
    if (!entry) draw(e.target.id);
    else if (entry.dirty) { entry.dirty = false; update(entry); }
  }
  later(showLevel);
  if (!timing.shown) timing.shown = performance.now();
}, { rootMargin: '300px' });

function followView() {
  for (const entry of drawn.values()) {
    if (near.has(entry.id)) update(entry);
    else entry.dirty = true;
  }
  showLevel();
  drawRest();
}

// drawRest draws the charts that are not near the screen when there is nothing else to do:
// a picture of the whole page has them, and so has a print.
let resting = false;
const idle = window.requestIdleCallback || ((job) => setTimeout(job, 30));
function drawRest() {
  if (!resting) idle(next);
  resting = true;
  function next() {
    const id = [...specs.keys()].find((id) => !drawn.has(id) || drawn.get(id).dirty), entry = drawn.get(id);
    resting = id !== undefined;
    if (!resting) return;
    if (entry) { entry.dirty = false; update(entry); } else draw(id);
    idle(next);
  }
}

function redrawAll() {
  for (const id of drawn.keys()) draw(id);
  paintOverview();
  redrawRuler();
}

function resizeAll() {
  for (const entry of drawn.values()) measure(entry);
  // The library paints at the next frame, which a print does not wait for.
  for (const entry of drawn.values()) if (entry.chart) { entry.chart.resize(); entry.chart.getZr().flush(); } else update(entry);
  paintOverview();
  redrawRuler();
}
