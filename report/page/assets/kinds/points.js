// Single requests, by when they began and how long they took.
FILLERS.points = {
  scale(entry) {
    const { items } = page.lanes[entry.spec.lanes[0]];
    if (!items.ends) {
      const dur = numbers(items.dur);
      items.ends = ends([Float64Array.from(dur, (v) => Math.log10(Math.max(1, v)))]);
    }
    return wholePowers(...items.ends);
  },
  paint(entry, r) {
    const { items } = page.lanes[entry.spec.lanes[0]], start = numbers(items.start), dur = numbers(items.dur), what = numbers(items.what), size = Math.max(2, Math.round(3 * r.ratio));
    entry.points = 0;
    for (let i = lowerBound(start, view.from); i < start.length && start[i] < view.to; i++) {
      const x = r.x(start[i]), y = r.y(Math.log10(Math.max(1, dur[i]))) - (size >> 1);
      bar(r, x, y, x + size, y + size, page.kinds[what[i]].class, 0.75);
      entry.points++;
    }
  },
  point(entry, t, event) {
    const found = t === undefined || !event ? null : spotAt(entry, event);
    if (found || entry.told) tip(found && found.lines, event);
    entry.told = Boolean(found);
    if (t !== undefined) return;
    const whole = complete(page.lanes[entry.spec.lanes[0]]);
    entry.readout.replaceChildren(element('div', {}, element('span', {}, whole ? 'all requests' : 'those shown singly'), element('b', {}, print.count(entry.points))));
  },
  details: (entry, t, event) => spotAt(entry, event),
};

// spotAt is the request nearest to the pointer, if one is near.
function spotAt(entry, event) {
  const lane = page.lanes[entry.spec.lanes[0]], start = numbers(lane.items.start), dur = numbers(lane.items.dur), area = entry.plot.getBoundingClientRect(), { low, high } = entry.scale;
  const x = event.clientX - area.left, y = event.clientY - area.top, near = 8, perPixel = span() / (area.width - LEFT - RIGHT);
  let best = -1, least = near * near;
  for (let i = lowerBound(start, timeAt(entry.plot, event.clientX) - near * perPixel); i < start.length; i++) {
    const dx = place(start[i], area.width) - x;
    if (dx > near) break;
    const dy = area.height - EDGE - ((Math.log10(Math.max(1, dur[i])) - low) / (high - low)) * (area.height - 2 * EDGE) - y, d = dx * dx + dy * dy;
    if (d < least) { least = d; best = i; }
  }
  return best < 0 ? null : { from: start[best], to: start[best] + dur[best], lines: describe({ lane, item: best, from: start[best], to: start[best] + dur[best] }) };
}

TABLES.points = (spec) => {
  const { items } = page.lanes[spec.lanes[0]], start = numbers(items.start), out = [];
  for (let i = lowerBound(start, view.from); i < start.length && start[i] < view.to; i++) {
    out.push([instant(start[i], span()), page.kinds[numbers(items.what)[i]].name, print.time(numbers(items.dur)[i]), print.size(Math.max(0, numbers(items.bytes)[i]))]);
  }
  return [['from', 'what', 'took', 'moved'], out];
};
