// What happened in the window: the sums of each lane, and the list of events. A search
// leaves those it finds.
const LISTED = 200; // events at first, and more with each click
const panel = document.getElementById('selection');
let listed = LISTED, moved, chosen; // a stretch of time, if one is selected

const shownName = (lane, i) => page.names[numbers(lane.items.name)[i] - 1] || '';

// sums adds up what went on in a stretch: from single events where all are at hand, else from bars, of which those at the
// edges count whole. An event that reaches beyond the stretch has the part of its bytes there that it has of its time.
function sums(lane, from, to) {
  const out = { count: 0, read: 0, write: 0, longest: 0, busy: 0, exact: complete(lane, from, to) };
  if (out.exact) {
    const it = lane.items, start = numbers(it.start), dur = numbers(it.dur), what = numbers(it.what), bytes = numbers(it.bytes);
    const [first, last] = itemRange(it, from, to);
    for (let i = first; i < last; i++) {
      const end = start[i] + dur[i];
      if (end <= from && start[i] < from) continue;
      const inside = Math.min(end, to) - Math.max(start[i], from), kind = page.kinds[what[i]].class;
      const size = Math.max(0, bytes[i]) * (dur[i] > 0 ? inside / dur[i] : 1);
      out.count++;
      out.busy += inside / (to - from);
      if (kind === 'read' || kind === 'both' || kind === 'fault') out.read += size;
      if (kind === 'write' || kind === 'both') out.write += size;
      out.longest = Math.max(out.longest, dur[i]);
    }
    return out;
  }
  const t = lane.tiles, at = numbers(t.at), count = numbers(t.count), read = numbers(t.read), write = numbers(t.write), max = numbers(t.max), busy = numbers(t.busy), wait = numbers(t.wait);
  for (let i = lowerBound(at, Math.floor(from / page.tile)); i < at.length && at[i] * page.tile < to; i++) {
    out.count += count[i];
    out.read += read[i];
    out.write += write[i];
    out.busy += ((busy[i] + wait[i]) * (Math.min(to, (at[i] + 1) * page.tile) - Math.max(from, at[i] * page.tile))) / (to - from);
    out.longest = Math.max(out.longest, max[i]);
  }
  return out;
}

// stretch is the time that sums are of: what is selected, or else the window.
const stretch = () => chosen || [view.from, view.to];

// showSums writes the sums of all lanes that did something, threads and devices first as a
// whole.
function showSums() {
  const [from, to] = stretch();
  const lanes = page.lanes.filter((l) => !unsummed(l) && matches(l.name)).map((lane) => ({ lane, ...sums(lane, from, to) })).filter((s) => s.count > 0 || s.busy > 0);
  const row = (name, s) => [name, print.count(s.count), print.number(s.busy), s.read ? print.amount(s.read) : '–', s.write ? print.amount(s.write) : '–', s.longest ? print.time(s.longest) : '–'];
  const rows = [];
  for (const [kind, all] of [['thread', 'all threads shown'], ['file', ''], ['device', 'all devices']]) {
    const of = lanes.filter((s) => s.lane.kind === kind);
    if (all && of.length > 1) rows.push(row(all, of.reduce((a, b) => ({ count: a.count + b.count, busy: a.busy + b.busy, read: a.read + b.read, write: a.write + b.write, longest: Math.max(a.longest, b.longest) }))));
    rows.push(...of.map((s) => row(s.lane.name, s)));
  }
  written(panel.querySelector('table'), ['where', '#events', '#in flight', '#read', '#written', '#longest'], rows);
  const edges = lanes.every((s) => s.exact) ? 'What spans an edge is counted, with the part of its bytes that lies inside.' : `Some are sums of bars of ${print.time(page.tile)}: what began in them, those at the edges whole.`;
  panel.querySelector('h3').textContent = chosen ? 'In the selection' : 'In this window';
  document.getElementById('window-note').textContent = `From ${instant(from, to - from)} to ${instant(to, to - from)}, ${print.time(to - from)}. ${edges} A file's events are among those of the threads.`;
}

// events are those in the window that are at hand singly, by start.
function events() {
  const all = [];
  for (const lane of page.lanes) {
    if (lane.kind !== 'thread' && lane.kind !== 'device') continue;
    const [from, to] = stretch(), [first, last] = itemRange(lane.items, from, to), start = numbers(lane.items.start), dur = numbers(lane.items.dur);
    for (let i = first; i < last; i++) if ((start[i] >= from || start[i] + dur[i] > from) && matches(lane.name + ' ' + shownName(lane, i))) all.push([start[i], lane, i]);
  }
  return all.sort((a, b) => a[0] - b[0]);
}

function showEvents() {
  const all = events(), box = document.getElementById('events'), more = box.querySelector('.more');
  const rows = all.slice(0, listed).map(([start, lane, i]) => {
    const it = lane.items, dur = numbers(it.dur)[i], bytes = numbers(it.bytes)[i], offset = numbers(it.offset)[i];
    const go = element('button', { type: 'button', class: 'go', 'data-from': start - dur, 'data-to': start + 2 * dur + SMALLEST, title: 'Zoom to it' }, instant(start, Math.min(span(), 1e6)));
    return [go, page.kinds[numbers(it.what)[i]].name, print.time(dur), bytes > 0 ? print.size(bytes) : '', offset >= 0 ? print.count(offset) : '', lane.name, shownName(lane, i)];
  });
  written(box.querySelector('table'), ['#start', 'what', '#took', '#moved', '#offset', 'where', 'file'], rows);
  const whole = page.lanes.every((l) => unsummed(l) || complete(l, ...stretch()));
  box.querySelector('.note').textContent = print.count(all.length) + (whole ? ' events.' : ' events are at hand singly; of the others there are sums. Zoom into a stretch that is underlined in the overview.');
  more.hidden = all.length <= listed;
  more.textContent = `Show more of ${print.count(all.length)} events`;
}

// followSelection waits until the window has come to rest: sums are no part of a step.
function followSelection() {
  listed = LISTED;
  clearTimeout(moved);
  moved = setTimeout(showSelection, 150);
}

function showSelection() {
  if (!panel) return;
  showSums();
  if (document.getElementById('events').open) showEvents();
}

function startSelection() {
  if (!panel) return;
  const box = document.getElementById('events');
  box.addEventListener('toggle', () => { if (box.open) showEvents(); });
  box.addEventListener('click', (e) => {
    const { from, to } = e.target.dataset;
    if (from !== undefined) show(Number(from), Number(to));
    if (e.target.classList.contains('more')) { listed += 5 * LISTED; showEvents(); }
  });
  showSelection();
}
