// Heat maps: the more operations in a cell, the stronger its colour.
// heatInView is the finest level of a heat map that fits the window and covers it.
function heatInView(heat) {
  if (span() >= END) return heat;
  const inDetail = page.detail.some(([a, b]) => a <= view.from && b >= view.to);
  return (heat.fine || []).findLast((level) => span() / level.bin <= BINS && (level.whole || inDetail)) || heat;
}

FILLERS.heat = {
  scale(entry) {
    const edges = entry.spec.heat.edges;
    return wholePowers(edges[0], edges[edges.length - 1]);
  },
  paint(entry, r) {
    const heat = entry.spec.heat, level = heatInView(heat), at = numbers(level.at), row = numbers(level.row), count = numbers(level.count), top = Math.log1p(level.max);
    const edges = heat.edges.map(r.y);
    entry.points = 0;
    for (let i = lowerBound(at, Math.floor(view.from / level.bin)); i < at.length && at[i] * level.bin < view.to; i++) {
      const left = r.x(at[i] * level.bin), bottom = edges[row[i]], high = edges[row[i] + 1];
      bar(r, left, high, Math.max(left + 1, r.x((at[i] + 1) * level.bin)), Math.max(high + 1, bottom), heat.color, 0.16 + (0.84 * Math.log1p(count[i])) / top);
      entry.points++;
    }
  },
  point: (entry, t, event) => heatReadout(entry, t, event && event.clientY),
};

// heatReadout tells the scale, or the cell under the pointer.
function heatReadout(entry, t, clientY) {
  const box = entry.readout, heat = entry.spec.heat, unit = print[entry.spec.unit], { low, high } = entry.scale;
  if (t === undefined) {
    const ramp = element('span', { class: 'ramp' });
    ramp.style.background = `linear-gradient(90deg, ${faded(heat.color, 0.16)}, ${color(heat.color)})`;
    box.replaceChildren(element('div', {}, element('span', {}, '1', ramp, print.count(heatInView(heat).max))));
    return;
  }
  const area = entry.plot.getBoundingClientRect();
  const v = high - ((clientY - area.top - EDGE) / (area.height - 2 * EDGE)) * (high - low);
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
