// Charts: options and data put together, drawn when they come near the screen. A kind of
// chart is a file in kinds/, which adds itself to the three lists that follow.
const FUNCTIONS = {}; // renderItem functions by name
const TABLES = {}; // the numbers behind a kind of chart: heads and rows
const FILLERS = {}; // how a kind of chart is filled and kept up to date with the window
const drawn = new Map(); // id → { chart, spec, plot, dirty, points }
const specs = new Map(page.charts.map((c) => [c.id, c]));

// resolved replaces names of colours and functions in options.
function resolved(value, key) {
  if (Array.isArray(value)) return value.map((v) => resolved(v, key));
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, resolved(v, k)]));
  if (typeof value !== 'string') return value;
  if (key === 'color' && value.startsWith('$')) return color(value.slice(1));
  if (key === 'formatter' && value.startsWith('fn:')) return labels[value.slice(3)];
  if (key === 'renderItem' && value.startsWith('fn:')) return FUNCTIONS[value.slice(3)];
  return value;
}

function draw(id) {
  const spec = specs.get(id), plot = document.getElementById(id);
  let entry = drawn.get(id);
  if (!entry) {
    entry = { id, spec, plot, chart: echarts.init(plot, null, { renderer: 'canvas' }), points: 0 };
    drawn.set(id, entry);
  }
  const option = resolved(spec.option);
  option.animation = false;
  for (const grid of option.grid) grid.outerBoundsMode = 'none'; // or wide labels would move the time axis
  option.textStyle = { fontFamily: getComputedStyle(document.body).fontFamily };
  FILLERS[spec.kind].fill(entry, option);
  entry.chart.setOption(option, true);
  entry.dirty = false;
  update(entry);
}

// update adapts a drawn chart to the window.
function update(entry) {
  const follow = FILLERS[entry.spec.kind].follow;
  if (follow) follow(entry);
}

// window is the time axis as it is now.
const timeWindow = (entry) => ({ min: view.from, max: view.to, interval: tickStep(entry.plot.clientWidth) });
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
  if (!timing.shown) timing.shown = performance.now();
}, { rootMargin: '300px' });

function followView() {
  for (const entry of drawn.values()) {
    if (near.has(entry.id)) update(entry);
    else entry.dirty = true;
  }
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
  redrawRuler();
}

FILLERS.series = {
  fill(entry, option) {
    entry.grain = undefined;
    if (entry.spec.series.some((plot) => plot.log)) logAxis(entry.spec, option.yAxis[0]);
  },
  follow(entry) {
    const grain = grainInView(), change = { xAxis: [timeWindow(entry)] };
    if (grain !== entry.grain || grain >= 0) change.series = lines(entry, grain);
    entry.grain = grain;
    entry.chart.setOption(change);
    readout(entry);
    showLevel();
  },
  point: readout,
  everywhere: true, // wherever the pointer is on the time axis
};
FILLERS.stack = {
  fill(entry, option) {
    entry.grain = undefined;
    option.series.forEach((s, i) => { s.z = 2 + option.series.length - i; }); // the lowest in front of those it is part of
    Object.assign(option.yAxis[0], { max: 1, interval: 0.5 });
  },
  follow: FILLERS.series.follow,
  point: readout,
  everywhere: true,
};

// logAxis frames an axis of logarithms by whole powers.
function logAxis(spec, axis) {
  let low = Infinity, high = -Infinity;
  for (const plot of spec.series) for (const v of numbers(plot.y)) if (v < low || v > high) { low = Math.min(low, v); high = Math.max(high, v); }
  if (!isFinite(low)) return;
  wholePowers(axis, low, high);
}

function wholePowers(axis, low, high) {
  axis.min = Math.floor(low + 1e-9);
  axis.max = Math.max(axis.min + 1, Math.ceil(high - 1e-9));
  axis.interval = Math.ceil((axis.max - axis.min) / 4);
  axis.max = axis.min + axis.interval * Math.ceil((axis.max - axis.min) / axis.interval);
}

FILLERS.bars = {
  fill(entry, option) {
    entry.points = 0;
    entry.spec.series.forEach((plot, i) => {
      option.series[i].data = Array.from(numbers(plot.y), (v) => v || null);
      entry.points += option.series[i].data.filter((v) => v !== null).length;
    });
    const top = Math.max(...entry.spec.series.map((p) => Math.max(...numbers(p.y))));
    if (top > 0.75) Object.assign(option.yAxis[0], { max: 1, interval: 0.25 });
  },
};

FILLERS.curve = {
  fill(entry, option) {
    const [plot] = entry.spec.series, x = numbers(plot.x), y = numbers(plot.y);
    option.series[0].data = Array.from(x, (v, i) => [v, y[i]]);
    option.series[0].data.unshift([0, y[0]]);
    entry.points = x.length;
  },
};

// readout lists the series beside a chart: at the pointer, or the largest shown,
// of shares the mean.
function readout(entry, at) {
  const box = document.querySelector(`.readout[data-chart="${entry.id}"]`);
  if (!box) return;
  const unit = print[entry.spec.unit];
  const lines = [], stacked = entry.spec.kind === 'stack';
  for (const plot of entry.spec.series) {
    const c = curve(plot, grainInView());
    const v = at !== undefined ? c.y[rowAt(c, at)] : stacked ? meanInView(c) : largestInView(c);
    if (stacked && !(v > 0.0005)) continue;
    const value = plot.log ? plot.log ** v : v;
    const swatch = element('i', { class: / p9/.test(plot.name) ? 'dotted' : '' });
    swatch.style.background = swatch.style.color = color(plot.color);
    lines.push({ v, row: element('div', { title: plot.name }, swatch, element('span', {}, plot.name), element('b', {}, isNaN(value) ? '–' : (at === undefined && !stacked ? '≤ ' : '') + unit(value))) });
  }
  if (stacked) lines.sort((a, b) => b.v - a.v).splice(3); // no more than fit beside the chart
  box.replaceChildren(...lines.map((s) => s.row));
}

// whatBar tells the values of a bar chart under the pointer.
function whatBar(entry, event) {
  const [x] = entry.chart.convertFromPixel({ gridIndex: 0 }, [event.offsetX, event.offsetY]) || [];
  const axis = entry.spec.option.xAxis[0].data;
  if (x === undefined || x < 0 || x >= axis.length) return tip(null);
  const unit = entry.spec.unit === 'size' ? print.size : print.time;
  const from = 2 ** Number(axis[x]), to = 2 ** (Number(axis[x]) + 0.25);
  const rows = entry.spec.series.map((plot) => [plot.name, print.share(numbers(plot.y)[x])]);
  tip([`${unit(from)} to ${unit(to)}`, ...rows], event);
}
