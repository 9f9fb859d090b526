// Curves over time and the time stack. A curve holds each value until the next.
FILLERS.series = {
  paint(entry, r) {
    const shown = shownRows(entry);
    entry.spec.series.forEach((plot, i) => { if (!isOff(entry.spec, plot)) paintCurve(r, shown[i], plot, entry.spec.option.series[i]); });
  },
  scale(entry) {
    const shown = shownRows(entry), log = entry.spec.series.some((plot) => plot.log);
    if (log) return wholePowers(...ends(entry.spec.series.map((plot) => numbers(plot.y))));
    let high = 0;
    for (const [k, { c, first, last }] of shown.entries()) for (let i = isOff(entry.spec, entry.spec.series[k]) ? last + 1 : first; i <= last; i++) if (c.y[i] > high) high = c.y[i];
    return fromNothing(high, entry.spec.option.yAxis[0].splitNumber);
  },
  point: readout,
  details: valuesAt,
  everywhere: true, // wherever the pointer is on the time axis
};

FILLERS.stack = {
  paint(entry, r) {
    const shown = shownRows(entry), [{ c, first, last }] = shown;
    for (let i = first; i <= last; i++) {
      const x = r.x(startOf(c, i)), right = Math.max(x + 1, r.x(endOf(c, i)));
      let sum = 0;
      shown.forEach(({ c: { y } }, k) => {
        if (isOff(entry.spec, entry.spec.series[k])) return;
        if (y[i] > 0) bar(r, x, r.y(sum + y[i]), right, r.y(sum), entry.spec.series[k].color);
        sum += y[i];
      });
    }
  },
  scale: () => ({ low: 0, high: 1, ticks: [0, 0.5, 1] }),
  point: readout,
  details: valuesAt,
  everywhere: true,
};

// shownRows are the curves of a chart at the level in view: all of it in the bins that
// everything has, what the window shows at finer levels.
function shownRows(entry) {
  const grain = grainInView();
  entry.points = 0;
  entry.shown = entry.spec.series.map((plot) => {
    const c = curve(plot, grain), [first, last] = grain < 0 ? [0, c.y.length - 1] : rowsInView(c);
    for (let i = first; i <= last; i++) if (!isNaN(c.y[i])) entry.points++;
    return { c, first, last };
  });
  return entry.shown;
}

// paintCurve paints steps, and what is beneath them. Where values are few a dash may be too
// short to be seen, so each is a dot at least.
function paintCurve(r, { c, first, last }, plot, style) {
  const thick = Math.max(1, Math.round(1.5 * r.ratio)), half = thick >> 1, dotted = style.lineStyle.type === 'dotted', alpha = (style.areaStyle || {}).opacity;
  const [from, to] = rowsInView(c), beneath = alpha ? new Float64Array(r.width).fill(r.bottom) : null;
  let seen = 0, before = NaN;
  for (let i = from; i <= to; i++) if (!isNaN(c.y[i])) seen++;
  const dot = plot.log && seen <= r.entry.width / 10 ? 3 * r.ratio : 0;
  for (let i = Math.max(first, from); i <= Math.min(last, to); i++) {
    if (isNaN(c.y[i])) { before = NaN; continue; }
    const x = r.x(startOf(c, i)), right = Math.max(x + thick, r.x(endOf(c, i))), y = r.y(c.y[i]) - half;
    dash(r, x, y, Math.max(right, x + dot), y + thick, plot.color, dotted);
    if (dot) bar(r, x, y - 1, x + dot, y + thick + 1, plot.color);
    if (!isNaN(before)) dash(r, x, Math.min(y, before), x + thick, Math.max(y, before) + thick, plot.color, dotted);
    if (beneath) for (let k = Math.max(r.left, x); k < right && k < r.right; k++) beneath[k] = Math.min(beneath[k], y + thick);
    before = y;
  }
  for (let k = r.left; beneath && k < r.right; k++) if (beneath[k] < r.bottom) bar(r, k, beneath[k], k + 1, r.bottom, plot.color, alpha);
}

// dash is a bar, or every other piece of it.
function dash(r, x0, y0, x1, y1, name, dotted) {
  if (!dotted) return bar(r, x0, y0, x1, y1, name);
  const step = 2 * Math.round(2 * r.ratio), long = x1 - x0 > y1 - y0;
  const [from, to] = long ? [Math.max(x0, r.left), Math.min(x1, r.right)] : [y0, y1];
  for (let k = Math.floor(from / step) * step; k < to; k += step) {
    const a = Math.max(from, k), b = Math.min(to, k + step / 2);
    if (a < b) bar(r, long ? a : x0, long ? y0 : a, long ? b : x1, long ? y1 : b, name);
  }
}

// ends are the least and the largest of several columns.
function ends(columns) {
  let low = Infinity, high = -Infinity;
  for (const values of columns) for (const v of values) if (v < low || v > high) { low = Math.min(low, v); high = Math.max(high, v); }
  return isFinite(low) ? [low, high] : [0, 1];
}

// wholePowers frames logarithms by whole powers.
function wholePowers(low, high) {
  low = Math.floor(low + 1e-9);
  high = Math.max(low + 1, Math.ceil(high - 1e-9));
  const every = Math.ceil((high - low) / 4);
  return ticked(low, low + every * Math.ceil((high - low) / every), every);
}

// fromNothing frames values from zero on.
function fromNothing(high, pieces = 3) {
  const every = niceStep((high || 1) / pieces);
  return ticked(0, every * Math.ceil((high || 1) / every - 1e-9), every);
}

function ticked(low, high, every) {
  const ticks = [];
  for (let k = 0; low + k * every <= high + every / 1e6; k++) ticks.push(low + k * every);
  return { low, high, ticks };
}

// readout lists the series beside a chart: at the pointer, or the largest shown,
// of shares the mean.
function readout(entry, at) {
  const unit = print[entry.spec.unit], lines = [], stacked = entry.spec.kind === 'stack';
  const known = stacked && at === undefined ? entry.spec.series.reduce((sum, plot) => sum + meanInView(curve(plot, grainInView())), 0) : 1; // the window may begin before the command
  for (const plot of entry.spec.series) {
    const c = curve(plot, grainInView());
    const v = at !== undefined ? c.y[rowAt(c, at)] : stacked ? meanInView(c) / (known || 1) : largestInView(c);
    if (stacked && !(v > 0.0005)) continue;
    const value = plot.log ? plot.log ** v : v;
    const swatch = element('i', { class: / p9/.test(plot.name) ? 'dotted' : '' });
    swatch.style.background = swatch.style.color = color(plot.color);
    lines.push({ v, row: element('div', { title: plot.name, class: isOff(entry.spec, plot) ? 'off' : '' }, swatch, element('span', {}, plot.name), element('b', {}, isNaN(value) ? '–' : (at === undefined && !stacked ? '≤ ' : '') + unit(value))) });
  }
  if (stacked) lines.sort((a, b) => b.v - a.v).splice(3); // no more than fit beside the chart
  entry.readout.replaceChildren(...lines.map((s) => s.row));
}
