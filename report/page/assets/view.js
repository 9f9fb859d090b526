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
const actions = { in: () => zoom(0.5), out: () => zoom(2), left: () => pan(-0.25), right: () => pan(0.25), all: () => show(0, END) };
const keys = { '+': 'in', '=': 'in', '-': 'out', '_': 'out', ArrowLeft: 'left', ArrowRight: 'right', 0: 'all', Home: 'all' };

// timeAt is the time under a point of the screen, over a plot.
function timeAt(plot, clientX) {
  const box = plot.getBoundingClientRect();
  return view.from + ((clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)) * span();
}

// place is where a time lies, in pixels from the left of a plot.
const place = (t, width) => LEFT + ((t - view.from) / span()) * (width - LEFT - RIGHT);

function startView() {
  const overview = document.getElementById('overview');
  document.querySelector('.tools').addEventListener('click', (e) => {
    const button = e.target.closest('[data-do]');
    if (button) actions[button.dataset.do]();
  });
  document.addEventListener('keydown', (e) => {
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
  viewers.push(showWindow);
  addEventListener('hashchange', fromHash);
}

// startDragging lets a stretch be dragged in any chart to zoom into it, and the
// window be moved in the overview.
function startDragging(overview) {
  let drag = null;
  linked.addEventListener('pointerdown', (e) => {
    const plot = e.target.closest('.plot');
    if (!plot || e.button !== 0 || e.pointerType === 'touch') return;
    drag = { plot, x: e.clientX, overview: plot === overview };
    if (drag.overview) moveTo(overview, e.clientX);
    plot.setPointerCapture(e.pointerId);
  });
  linked.addEventListener('pointermove', (e) => {
    if (drag && drag.overview) return moveTo(overview, e.clientX);
    const plot = drag ? drag.plot : e.target.closest('.plot');
    pointAt(plot && plot !== overview ? plot : null, e);
    if (drag) drawSelection(drag.plot, drag.x, e.clientX);
  });
  linked.addEventListener('pointerup', (e) => {
    if (drag && !drag.overview) {
      drawSelection(null);
      const [a, b] = [timeAt(drag.plot, drag.x), timeAt(drag.plot, e.clientX)].sort((p, q) => p - q);
      if (Math.abs(e.clientX - drag.x) > 4) show(Math.max(a, view.from), Math.min(b, view.to));
    }
    drag = null;
  });
  linked.addEventListener('pointercancel', () => { drag = null; drawSelection(null); });
  linked.addEventListener('pointerleave', () => pointAt(null));
  linked.addEventListener('dblclick', (e) => { if (e.target.closest('.plot')) actions.all(); });
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
  clearTimeout(addressed);
  addressed = setTimeout(() => history.replaceState(null, '', whole ? location.href.replace(/#t=.*$/, '#timeline') : `#t=${Math.round(view.from)},${Math.round(view.to)}`), 200);
}

let addressed; // when the window has come to rest: browsers refuse many addresses in a row

// fromHash shows the window that the address names: "#t=1000,2000", in ns.
function fromHash() {
  const m = /^#t=(\d+),(\d+)$/.exec(location.hash);
  if (m) { show(Number(m[1]), Number(m[2])); linked.scrollIntoView(); }
}
