// Heat maps are painted cell by cell onto a canvas of their own, which the
// chart shows as an image: a chart element per cell would be too slow.
FUNCTIONS.heat = function (params) {
  const entry = drawn.get(params.seriesId), area = params.coordSys;
  return { type: 'image', style: { image: paint(entry, area), x: area.x, y: area.y, width: area.width, height: area.height } };
};

// heatInView is the finest level of a heat map that fits the window and covers it.
function heatInView(heat) {
  if (span() >= END) return heat;
  const inDetail = page.detail.some(([a, b]) => a <= view.from && b >= view.to);
  return (heat.fine || []).findLast((level) => span() / level.bin <= BINS && (level.whole || inDetail)) || heat;
}

function paint(entry, area) {
  const heat = entry.spec.heat, level = heatInView(heat), ratio = devicePixelRatio || 1;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(area.width * ratio));
  canvas.height = Math.max(1, Math.round(area.height * ratio));
  const g = canvas.getContext('2d');
  const at = numbers(level.at), row = numbers(level.row), count = numbers(level.count);
  const x = (t) => Math.round(((t - view.from) / span()) * canvas.width);
  const y = (v) => Math.round((1 - (v - entry.low) / (entry.high - entry.low)) * canvas.height);
  const top = Math.log1p(level.max);
  entry.points = 0;
  for (let i = lowerBound(at, Math.floor(view.from / level.bin)); i < at.length; i++) {
    const from = at[i] * level.bin;
    if (from >= view.to) break;
    const left = x(from), bottom = y(heat.edges[row[i]]), high = y(heat.edges[row[i] + 1]);
    g.fillStyle = faded(heat.color, (0.16 + 0.84 * Math.log1p(count[i]) / top).toFixed(3));
    g.fillRect(left, high, Math.max(1, x(from + level.bin) - left), Math.max(1, bottom - high));
    entry.points++;
  }
  return canvas;
}

FILLERS.heat = {
  fill(entry, option) {
    const edges = entry.spec.heat.edges, axis = option.yAxis[0];
    wholePowers(axis, edges[0], edges[edges.length - 1]);
    entry.low = axis.min;
    entry.high = axis.max;
    option.series[0].id = entry.id;
    option.series[0].data = [];
  },
  follow(entry) {
    entry.turn = (entry.turn || 0) + 1; // new data, or the chart would keep the old image
    entry.chart.setOption({ xAxis: [timeWindow(entry)], series: [{ id: entry.id, data: [[view.from, entry.turn]] }] });
    heatReadout(entry);
  },
  point: (entry, t, event) => heatReadout(entry, t, event && event.clientY),
};

// heatReadout tells the scale, or the cell under the pointer.
function heatReadout(entry, t, clientY) {
  const box = document.querySelector(`.readout[data-chart="${entry.id}"]`), heat = entry.spec.heat, unit = print[entry.spec.unit];
  if (!box) return;
  if (t === undefined) {
    const ramp = element('span', { class: 'ramp' });
    ramp.style.background = `linear-gradient(90deg, ${faded(heat.color, 0.16)}, ${color(heat.color)})`;
    box.replaceChildren(element('div', {}, element('span', {}, '1', ramp, print.count(heatInView(heat).max))));
    return;
  }
  const area = entry.plot.getBoundingClientRect();
  const v = entry.high - ((clientY - area.top - 8) / (area.height - 16)) * (entry.high - entry.low);
  const row = heat.edges.findIndex((edge, i) => v >= edge && v < heat.edges[i + 1]), level = heatInView(heat), bin = Math.floor(t / level.bin);
  if (entry.level !== level) {
    const at = numbers(level.at), rows = numbers(level.row), count = numbers(level.count);
    entry.level = level;
    entry.cells = new Map(Array.from(at, (a, i) => [a * 256 + rows[i], count[i]]));
  }
  const n = entry.cells.get(bin * 256 + row) || 0;
  box.replaceChildren(...(row < 0 ? [] : [element('div', {}, element('b', {}, print.count(n)), element('span', {}, `${unit(heat.log ** heat.edges[row])} to ${unit(heat.log ** heat.edges[row + 1])}`))]));
}

TABLES.heat = (spec) => {
  const heat = spec.heat, level = heatInView(heat), at = numbers(level.at), row = numbers(level.row), count = numbers(level.count), unit = print[spec.unit], rows = [];
  for (let i = 0; i < at.length; i++) {
    if ((at[i] + 1) * level.bin <= view.from || at[i] * level.bin >= view.to) continue;
    rows.push([instant(at[i] * level.bin, level === heat ? END : span()), unit(heat.log ** heat.edges[row[i]]), unit(heat.log ** heat.edges[row[i] + 1]), print.count(count[i])]);
  }
  return [['from', 'at least', 'below', 'operations'], rows];
};
