// Where in a file the workload was: cells painted onto a canvas of their own, like those
// of heat maps, in the colour of what was done.
FUNCTIONS.offsets = function (params) {
  const entry = drawn.get(params.seriesId), area = params.coordSys;
  return { type: 'image', style: { image: paintOffsets(entry, area), x: area.x, y: area.y, width: area.width, height: area.height } };
};

function paintOffsets(entry, area) {
  const o = entry.spec.offsets, ratio = devicePixelRatio || 1, canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(area.width * ratio));
  canvas.height = Math.max(1, Math.round(area.height * ratio));
  const g = canvas.getContext('2d'), at = numbers(o.at), rows = numbers(o.rows), way = numbers(o.way), top = entry.spec.option.yAxis[0].max;
  const x = (t) => Math.round(((t - view.from) / span()) * canvas.width), y = (v) => Math.round((1 - v / top) * canvas.height);
  entry.points = 0;
  for (let i = lowerBound(at, Math.floor(view.from / o.bin)); i < at.length && at[i] * o.bin < view.to; i++) {
    const left = x(at[i] * o.bin), high = y((rows[i] + 1) * o.row);
    g.fillStyle = color(o.ways[way[i]]);
    g.fillRect(left, high, Math.max(2 * ratio, x((at[i] + 1) * o.bin) - left), Math.max(2 * ratio, y(rows[i] * o.row) - high));
    entry.points++;
  }
  return canvas;
}

FILLERS.offsets = {
  fill(entry, option) {
    option.series[0].id = entry.id;
    option.series[0].data = [];
  },
  follow(entry) {
    entry.turn = (entry.turn || 0) + 1; // new data, or the chart would keep the old image
    entry.chart.setOption({ xAxis: [timeWindow(entry)], series: [{ id: entry.id, data: [[view.from, entry.turn]] }] });
    offsetReadout(entry);
  },
  point(entry, t, event) {
    const area = entry.plot.getBoundingClientRect(), top = entry.spec.option.yAxis[0].max;
    offsetReadout(entry, t, event && (1 - (event.clientY - area.top - 8) / (area.height - 16)) * top);
  },
};

// offsetReadout sums the window up, or tells the place under the pointer.
function offsetReadout(entry, t, offset) {
  const o = entry.spec.offsets, at = numbers(o.at), rows = numbers(o.rows), way = numbers(o.way), bytes = numbers(o.bytes), sums = [0, 0, 0];
  const [from, to] = t === undefined ? [view.from, view.to] : [t, t + 1];
  for (let i = lowerBound(at, Math.floor(from / o.bin)); i < at.length && at[i] * o.bin < to; i++) {
    if (t === undefined || rows[i] === Math.floor(offset / o.row)) sums[way[i]] += bytes[i];
  }
  const lines = ['read', 'written', 'faulted in'].map((name, k) => [name, o.ways[k], sums[k]]).filter(([, , n]) => n > 0).map(([name, shade, n]) => {
    const swatch = element('i', {});
    swatch.style.background = color(shade);
    return element('div', {}, swatch, element('span', {}, name), element('b', {}, print.amount(n)));
  });
  if (t !== undefined) lines.unshift(element('div', {}, element('span', {}, 'at'), element('b', {}, print.amount(Math.max(0, offset)))));
  document.querySelector(`.readout[data-chart="${entry.id}"]`).replaceChildren(...lines);
}

TABLES.offsets = (spec) => {
  const o = spec.offsets, at = numbers(o.at), rows = numbers(o.rows), way = numbers(o.way), bytes = numbers(o.bytes), out = [];
  for (let i = 0; i < at.length; i++) {
    if ((at[i] + 1) * o.bin > view.from && at[i] * o.bin < view.to) out.push([instant(at[i] * o.bin, span()), print.amount(rows[i] * o.row), o.ways[way[i]], print.amount(bytes[i])]);
  }
  return [['from', 'offset', 'what', 'bytes'], out];
};
