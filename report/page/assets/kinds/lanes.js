// The timeline's lanes. Where single events are at hand and few enough to be
// told apart they are drawn one by one; elsewhere bars are sums over tiles.
const WAIT = 0.16; // height of the strip of waits, of a lane
const MOST = 4000; // rectangles per chart
const STRIP = 15; // pixels above a lane for its name, where there is no room beside it
const WAITS = 255; // row of waits, beneath the calls they happened in

// complete tells whether single events are at hand for all of the window: sums
// and single events side by side in a lane would look like a change in the
// workload. Stretches without events need none.
function complete(lane, from = view.from, to = view.to) {
  if (page.detail.some(([a, b]) => a <= from && b >= to)) return true;
  const first = Math.floor(from / page.tile), last = Math.ceil(to / page.tile);
  const at = numbers(lane.tiles.at), count = numbers(lane.tiles.count), start = numbers(lane.items.start);
  let began = 0;
  for (let i = lowerBound(at, first); i < at.length && at[i] < last; i++) began += count[i];
  return lowerBound(start, last * page.tile) - lowerBound(start, first * page.tile) >= began;
}

// unsummed are lanes that have spans alone: of copies and processes.
const unsummed = (lane) => lane.kind === 'copy' || lane.kind === 'process';

const narrow = matchMedia('screen and (max-width: 760px)');
const laneHeight = (spec) => spec.lane + (narrow.matches ? STRIP : 0);

// frameLanes gives a chart and the names beside or above its lanes their height.
function frameLanes(entry) {
  entry.plot.style.height = shownLanes(entry).length * laneHeight(entry.spec) + 'px';
  entry.plot.closest('.row').querySelector('.names').style.setProperty('--lane', laneHeight(entry.spec) + 'px');
  if (entry.width) measure(entry);
}

narrow.addEventListener('change', () => drawn.forEach((entry) => { if (entry.spec.kind === 'lanes') { frameLanes(entry); update(entry); } }));

// lanesOf are the first lanes of a chart, all once they were asked for, or those that a
// search finds: those that are pinned above the others, those that are hidden not.
function lanesOf(spec) {
  if (spec.id.startsWith('first-')) return spec.lanes; // of the first screen
  const list = words.length ? spec.lanes.filter((i) => matches(page.lanes[i].name)) : spec.lanes.slice(0, spec.first);
  return [...spec.lanes.filter((i) => pinnedLanes.has(i)), ...list.filter((i) => !pinnedLanes.has(i) && !hiddenLanes.has(i))];
}

// relane shows the lanes of a chart as they are chosen now.
function relane(spec) {
  const plot = document.getElementById(spec.id), list = plot.closest('.row').querySelector('.names'), shown = lanesOf(spec);
  spec.names = spec.names || [...list.children];
  spec.names.forEach((name) => { name.hidden = true; });
  for (const lane of shown) {
    const name = spec.names[spec.lanes.indexOf(lane)];
    name.hidden = false;
    name.classList.toggle('pinned', pinnedLanes.has(lane));
    list.append(name);
  }
  const entry = drawn.get(spec.id) || { spec, plot };
  frameLanes(entry);
  if (entry.width) update(entry);
}

// chooseLanes lists the lanes of a chart, to be shown, hidden and pinned.
function chooseLanes(details) {
  const spec = specs.get(details.dataset.chart), only = element('input', { type: 'search', placeholder: 'Find a lane', 'aria-label': 'Find a lane' });
  const rows = spec.lanes.map((lane) => {
    const box = element('input', { type: 'checkbox' }), pin = element('button', { type: 'button', 'aria-pressed': String(pinnedLanes.has(lane)), title: 'Keep it at the top' }, 'Pin');
    box.checked = lanesOf(spec).includes(lane);
    const changed = () => { relane(spec); redrawRuler(); noteState(); };
    box.addEventListener('change', () => {
      if (box.checked) { hiddenLanes.delete(lane); spec.first = Math.max(spec.first, spec.lanes.indexOf(lane) + 1); } else hiddenLanes.add(lane);
      changed();
    });
    pin.addEventListener('click', () => {
      if (!pinnedLanes.delete(lane)) { pinnedLanes.add(lane); hiddenLanes.delete(lane); }
      pin.setAttribute('aria-pressed', String(pinnedLanes.has(lane)));
      box.checked = lanesOf(spec).includes(lane);
      changed();
    });
    return element('li', {}, element('label', {}, box, ' ', element('bdi', {}, page.lanes[lane].name)), pin);
  });
  only.addEventListener('input', () => rows.forEach((row) => { row.hidden = !row.textContent.toLowerCase().includes(only.value.toLowerCase()); }));
  details.querySelector('div').replaceChildren(only, element('ul', {}, ...rows));
}
const shownLanes = (entry) => lanesOf(entry.spec);

function showLanes(button) {
  const entry = drawn.get(button.dataset.chart) || { spec: specs.get(button.dataset.chart), plot: document.getElementById(button.dataset.chart) };
  entry.spec.first = entry.spec.lanes.length;
  button.remove();
  relane(entry.spec);
  if (entry.width) showLevel();
  redrawRuler();
}

// itemRange is from the first event that reaches into a stretch to the last that begins in it. Between them may be some
// that ended before.
function itemRange(items, from, to) {
  const start = numbers(items.start);
  if (!items.reach) { // up to when any event so far lasts: it never falls
    const dur = numbers(items.dur);
    let far = 0;
    items.reach = start.map((at, i) => (far = Math.max(far, at + dur[i])));
  }
  return [Math.min(lowerBound(items.reach, from + 1), lowerBound(start, from)), lowerBound(start, to)];
}

// rectangles lays out what a chart of lanes shows in the window.
function rectangles(entry, width) {
  const lanes = shownLanes(entry).map((i) => page.lanes[i]);
  const out = [];
  entry.single = 0;
  lanes.forEach((lane, row) => {
    const [first, last] = itemRange(lane.items, view.from, view.to);
    const fits = last - first <= Math.max(200, Math.min(width * 1.5, MOST / lanes.length));
    if (unsummed(lane) || (fits && complete(lane))) { entry.single++; addItems(out, lane, row, view.from, view.to); } else addTiles(out, lane, row, joined(lanes.length, width));
  });
  entry.sums = lanes.length - entry.single;
  return out;
}

function addItems(out, lane, row, from, to) {
  if (lane.waits === undefined) lane.waits = numbers(lane.items.row).includes(WAITS);
  const it = lane.items, start = numbers(it.start), dur = numbers(it.dur), what = numbers(it.what), rows = numbers(it.row);
  const [first, last] = itemRange(it, from, to);
  for (let i = first; i < last; i++) {
    const wait = rows[i] === WAITS, high = (lane.waits ? 0.68 : 0.86) / lane.rows;
    const top = wait ? 0.94 - WAIT : 0.07 + rows[i] * high;
    out.push({ lane, item: i, from: start[i], to: start[i] + dur[i], top: row + top, high: wait ? WAIT : high, color: page.kinds[what[i]].class, rows: lane.rows });
  }
}

// joined is how many tiles a bar adds up: bars are no narrower than one can
// see, and all lanes of a chart together have at most about MOST.
const joined = (lanes, width) => Math.max(1, Math.ceil(span() / page.tile / Math.min(width / 1.5, Math.max(200, MOST / lanes))));

function addTiles(out, lane, row, group) {
  const t = lane.tiles, at = numbers(t.at);
  let i = lowerBound(at, Math.floor(view.from / page.tile / group) * group);
  const end = lowerBound(at, Math.ceil(view.to / page.tile));
  const busy = numbers(t.busy), wait = numbers(t.wait), what = numbers(t.what), count = numbers(t.count), read = numbers(t.read), write = numbers(t.write), max = numbers(t.max);
  while (i < end) {
    const slot = Math.floor(at[i] / group);
    const sum = { lane, from: slot * group * page.tile, to: (slot + 1) * group * page.tile, count: 0, depth: 0, waits: 0, what: 0, lead: 0, read: 0, write: 0, max: 0 };
    for (; i < end && Math.floor(at[i] / group) === slot; i++) {
      sum.count += count[i]; sum.depth += busy[i] / group; sum.waits += wait[i] / group; if (what[i] && busy[i] > sum.lead) { sum.lead = busy[i]; sum.what = what[i]; } sum.read += read[i]; sum.write += write[i]; sum.max = Math.max(sum.max, max[i]);
    }
    if (sum.waits > 0.002) out.push({ ...sum, top: row + 0.94 - WAIT * Math.min(1, sum.waits), high: WAIT * Math.min(1, sum.waits), color: 'wait' });
    if (!(sum.depth > 0) && sum.waits > 0) continue;
    const room = sum.waits > 0.002 ? 0.68 : 0.86;
    const high = room * Math.max(0.1, Math.min(1, sum.depth / (lane.top || 1)));
    const bytes = sum.read + sum.write, bottom = row + 0.07 + room;
    if (sum.what && sum.lead / group >= sum.depth / 2) out.push({ ...sum, top: bottom - high, high, color: page.kinds[sum.what - 1].class });
    else if (bytes > 0) {
      const share = (sum.read / bytes) * high;
      if (share > 0.01) out.push({ ...sum, top: bottom - high, high: share, color: 'read' });
      if (high - share > 0.01) out.push({ ...sum, top: bottom - high + share, high: high - share, color: 'write' });
    } else out.push({ ...sum, top: bottom - high, high, color: 'other' });
  }
}

function itemLabel(r) {
  const it = r.lane.items, name = page.names[numbers(it.name)[r.item] - 1], bytes = numbers(it.bytes)[r.item];
  if (r.lane.kind === 'copy' || r.lane.kind === 'process') return name || r.lane.kind;
  return page.kinds[numbers(it.what)[r.item]].name + (bytes > 0 ? ' ' + print.size(bytes) : '');
}

FILLERS.lanes = {
  frame: frameLanes,
  scale(entry) {
    const n = shownLanes(entry).length;
    return { low: n, high: 0, ticks: Array.from({ length: n + 1 }, (_, i) => i) };
  },
  paint(entry, r) {
    const lane = laneHeight(entry.spec);
    entry.rects = rectangles(entry, entry.width - LEFT - RIGHT);
    entry.points = entry.rects.length;
    for (const rect of entry.rects) {
      const row = Math.floor(rect.top), x = r.x(rect.from), right = Math.max(r.x(rect.to), x + Math.round(r.ratio));
      const y = (row + 1) * lane - (1 - rect.top + row) * entry.spec.lane, bottom = y + Math.max(1, rect.high * entry.spec.lane);
      rect.box = [x / r.ratio, y, right / r.ratio, bottom];
      bar(r, x, y * r.ratio, right, bottom * r.ratio, rect.color, rect.item === undefined ? 0.82 : 1);
      const start = Math.max(x, r.left), room = (Math.min(right, r.right) - start) / r.ratio;
      if (rect.item !== undefined && rect.rows === 1 && bottom - y > 14 && room > 64) r.texts.push([itemLabel(rect).slice(0, (room - 8) / 6), start + 5 * r.ratio, ((y + bottom) / 2) * r.ratio]);
    }
  },
  point(entry, t, event) {
    const rect = t === undefined || !event ? undefined : rectAt(entry, event);
    if (rect || entry.told) tip(rect ? describe(rect) : null, event);
    entry.told = rect !== undefined;
  },
  details(entry, t, event) {
    const rect = rectAt(entry, event);
    return rect && { from: rect.from, to: Math.max(rect.to, rect.from + 1), lines: describe(rect) };
  },
};

// rectAt is the rectangle under the pointer.
function rectAt(entry, event) {
  const area = entry.plot.getBoundingClientRect(), x = event.clientX - area.left, y = event.clientY - area.top;
  return entry.rects.findLast(({ box: [left, top, right, bottom] }) => x >= left && x <= right && y >= top && y <= bottom);
}

// describe tells what a rectangle stands for.
function describe(r) {
  if (r.item === undefined) {
    return [`${print.count(r.count)} events begun in ${print.time(r.to - r.from)}`, ['where', r.lane.name], ['from', instant(r.from, span())], ['in flight', print.number(r.depth) + ' on average'], ...(r.what ? [['mostly', page.kinds[r.what - 1].name]] : []), ...(r.waits > 0.002 ? [['waiting', print.share(r.waits)]] : []),
      ...(r.read ? [['read', print.amount(r.read)]] : []), ...(r.write ? [['written', print.amount(r.write)]] : []), ...(r.max ? [['longest', print.time(r.max)]] : [])];
  }
  const it = r.lane.items, i = r.item, bytes = numbers(it.bytes)[i], offset = numbers(it.offset)[i], name = page.names[numbers(it.name)[i] - 1];
  return [page.kinds[numbers(it.what)[i]].name, ['where', r.lane.name], ['start', instant(r.from, span())], ...(r.to > r.from ? [['took', print.time(r.to - r.from)]] : []),
    ...(bytes > 0 ? [['moved', print.size(bytes)]] : []), ...(offset >= 0 ? [['at', print.count(offset)]] : []), ...(name ? [['file', name]] : [])];
}

// showLevel says what the bars stand for at this zoom.
function showLevel() {
  const said = document.getElementById('level');
  if (!said) return; // a page without charts over time
  const entries = [...drawn.values()].filter((e) => e.spec.kind === 'lanes' && !unsummed(page.lanes[e.spec.lanes[0]]));
  const width = Math.max(1, (entries[0] ? entries[0].width : 800) - LEFT - RIGHT);
  const group = Math.max(1, ...entries.map((e) => joined(shownLanes(e).length, width)));
  const single = entries.reduce((n, e) => n + e.single, 0), summed = entries.reduce((n, e) => n + e.sums, 0);
  const sums = `sums over ${print.time(page.tile * group)}`;
  const bars = !entries.length ? [] : [!summed ? 'bars: single events' : single ? `bars: single events, some ${sums}` : `bars: ${sums}`], grain = grainInView();
  said.textContent = [...bars, `curves: a point per ${print.time(grain < 0 ? page.bin : page.grains[grain].bin)}`].join(' · ');
}

TABLES.lanes = (spec) => {
  const entry = drawn.get(spec.id), rects = entry && entry.rects ? entry.rects : [];
  return [['lane', 'what', 'from', 'length', 'details'], [...rects].sort((a, b) => a.from - b.from).map((r) => {
    const [what, ...facts] = describe(r);
    return [r.lane.name, what, instant(r.from, END), print.time(r.to - r.from), facts.filter(([k]) => !['where', 'start', 'from', 'took'].includes(k)).map((f) => f.join(' ')).join(', ')];
  })];
};
