// Where in a file the workload was: cells in the colour of what was done.
FILLERS.offsets = {
  scale(entry) {
    const top = entry.spec.option.yAxis[0].max, { ticks } = fromNothing(top);
    return { low: 0, high: top, ticks: ticks.filter((v) => v <= top) };
  },
  paint(entry, r) {
    const o = entry.spec.offsets, at = numbers(o.at), rows = numbers(o.rows), way = numbers(o.way), least = Math.round(2 * r.ratio);
    entry.points = 0;
    for (let i = lowerBound(at, Math.floor(view.from / o.bin)); i < at.length && at[i] * o.bin < view.to; i++) {
      const left = r.x(at[i] * o.bin), high = r.y((rows[i] + 1) * o.row);
      bar(r, left, high, Math.max(left + least, r.x((at[i] + 1) * o.bin)), Math.max(high + least, r.y(rows[i] * o.row)), o.ways[way[i]]);
      entry.points++;
    }
  },
  point(entry, t, event) {
    if (!event) return offsetReadout(entry);
    const area = entry.plot.getBoundingClientRect(), { high } = entry.scale;
    offsetReadout(entry, t, (1 - (event.clientY - area.top - EDGE) / (area.height - 2 * EDGE)) * high);
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
  entry.readout.replaceChildren(...lines);
}

TABLES.offsets = (spec) => {
  const o = spec.offsets, at = numbers(o.at), rows = numbers(o.rows), way = numbers(o.way), bytes = numbers(o.bytes), out = [];
  for (let i = 0; i < at.length; i++) {
    if ((at[i] + 1) * o.bin > view.from && at[i] * o.bin < view.to) out.push([instant(at[i] * o.bin, span()), print.amount(rows[i] * o.row), o.ways[way[i]], print.amount(bytes[i])]);
  }
  return [['from', 'offset', 'what', 'bytes'], out];
};
