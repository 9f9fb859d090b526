// The window of time that all charts over time share, and everything that
// moves it: keys, wheel, dragging, the toolbar and the overview.
const LEFT = 62, RIGHT = 12; // as in the grids of the charts
const END = page.end;
const SMALLEST = 100; // ns across
const linked = document.getElementById('linked');
const view = { from: 0, to: END };
const viewers = [];

const span = () => view.to - view.from;

// show moves the window; it stays within the recording.
function show(from, to) {
  const width = Math.min(END, Math.max(SMALLEST, to - from));
  from = Math.min(Math.max(0, from), END - width);
  if (from === view.from && from + width === view.to) return;
  view.from = from;
  view.to = from + width;
  later(updateViewers);
}

const updateViewers = () => viewers.forEach((update) => update());

// later runs each job once before the next frame, however often it is asked to.
const pending = new Set();
function later(job) {
  if (pending.size === 0) requestAnimationFrame(() => { const jobs = [...pending]; pending.clear(); jobs.forEach((j) => j()); });
  pending.add(job);
}

function zoom(factor, at = view.from + span() / 2) {
  const width = Math.min(END, Math.max(SMALLEST, span() * factor));
  const ratio = (at - view.from) / span();
  show(at - width * ratio, at - width * ratio + width);
}

const pan = (share) => show(view.from + span() * share, view.to + span() * share);
const toggleSelecting = () => {
  selecting = !selecting;
  document.querySelector('[data-do=select]').setAttribute('aria-pressed', String(selecting));
};
const help = () => { const keys = document.getElementById('keys'); if (keys.open) keys.close(); else keys.showModal(); };
const actions = {
  select: toggleSelecting, help, range: () => choose([view.from, view.to]), chosen: () => { if (chosen) show(...chosen); }, in: () => zoom(0.5), out: () => zoom(2), left: () => pan(-0.25), right: () => pan(0.25), all: () => show(0, END),
};
const keys = { '+': 'in', '=': 'in', '-': 'out', '_': 'out', ArrowLeft: 'left', ArrowRight: 'right', 0: 'all', Home: 'all', s: 'range', z: 'chosen', '?': 'help' };

// timeAt is the time under a point of the screen, over a plot.
function timeAt(plot, clientX) {
  const box = plot.getBoundingClientRect();
  return view.from + ((clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)) * span();
}

// place is where a time lies, in pixels from the left of a plot.
const place = (t, width) => LEFT + ((t - view.from) / span()) * (width - LEFT - RIGHT);

// escape closes what was opened last: details that were kept, then the selection.
function escape() {
  const box = document.getElementById('kept');
  if (!box.hidden) return keepDetails(null);
  if (selecting) toggleSelecting();
  choose(null);
}

function startView() {
  const overview = document.getElementById('overview');
  document.querySelector('.ruler').addEventListener('click', (e) => {
    const button = e.target.closest('[data-do]');
    if (button) actions[button.dataset.do]();
  });
  document.addEventListener('keydown', (e) => {
    if (e.key === 'Escape') escape();
    if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key]) return;
    if (e.target.closest('input, textarea, select, .scroll')) return;
    if (e.key.length > 1 && !e.target.closest('#linked')) return; // arrows and Home belong to the page elsewhere
    e.preventDefault();
    actions[keys[e.key]]();
  });
  linked.addEventListener('wheel', (e) => {
    const plot = e.target.closest('.plot');
    if (!plot || plot === overview) return;
    if (e.ctrlKey || e.metaKey) zoom(Math.exp(Math.max(-60, Math.min(60, e.deltaY)) / 150), timeAt(plot, e.clientX));
    else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) pan((e.deltaX || e.deltaY) / 800);
    else return; // the page scrolls
    e.preventDefault();
  }, { passive: false });
  startDragging(overview);
  startTouch();
  viewers.push(showWindow);
}

// moveTo centres the window on a point of the overview.
function moveTo(overview, clientX) {
  const box = overview.getBoundingClientRect();
  const at = ((clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)) * END;
  show(at - span() / 2, at + span() / 2);
}

function showWindow() {
  const whole = view.from === 0 && view.to === END;
  document.getElementById('window').textContent = whole
    ? `all ${print.time(END)}` : `${instant(view.from, span())} to ${instant(view.to, span())} · ${print.time(span())} wide`;
  if (chosen) document.getElementById('window').textContent += ` · ${print.time(chosen[1] - chosen[0])} selected`;
  noteState();
}
