// Curves over time: values per bin of the whole recording, and finer levels that
// hold a value where it changes, for all of the time or for the stretches in
// which events are shown singly.
const BINS = 1500; // at most so many bins of a finer level are drawn
const PER_OCTAVE = 256;

// grainInView is the finest level that fits the window and covers it, -1 for the
// bins that everything has.
function grainInView() {
  if (span() >= END) return -1;
  const inDetail = page.detail.some(([a, b]) => a <= view.from && b >= view.to);
  for (let k = page.grains.length - 1; k >= 0; k--) if (span() / page.grains[k].bin <= BINS && (page.grains[k].whole || inDetail)) return k;
  return -1;
}

// curve is a plot at a level: y per bin, or from the bins in at on.
function curve(plot, k) {
  if (k < 0 || !plot.fine) return { bin: page.bin, y: numbers(plot.y) };
  const fine = plot.fine[k], grain = page.grains[k];
  if (!fine.values) { fine.values = Float32Array.from(numbers({ ...fine }), (code) => valueOf(plot, code)); fine.d = ''; }
  return { bin: grain.bin, at: numbers(grain.at[plot.at || 0]), y: fine.values };
}

function valueOf(plot, code) {
  if (code < 0 || (code === 0 && plot.log)) return NaN;
  if (code === 0) return 0;
  return plot.log ? ((code - 1) / PER_OCTAVE) * (Math.LN2 / Math.log(plot.log)) : 2 ** ((code - 1) / PER_OCTAVE) * plot.per;
}

// rowAt is the row of a curve that holds at a time.
function rowAt(c, t) {
  const bin = Math.floor(t / c.bin);
  return Math.max(0, c.at ? lowerBound(c.at, bin + 1) - 1 : Math.min(c.y.length - 1, bin));
}

const startOf = (c, row) => (c.at ? c.at[row] : row) * c.bin;
const endOf = (c, row) => (c.at ? (row + 1 < c.at.length ? c.at[row + 1] * c.bin : END) : (row + 1) * c.bin);

// rowsInView are the first and last row of a curve that the window shows.
const rowsInView = (c) => [rowAt(c, view.from), rowAt(c, Math.max(view.from, view.to - 1))];

function largestInView(c) {
  const [first, last] = rowsInView(c);
  let top = NaN;
  for (let i = first; i <= last; i++) if (!(c.y[i] <= top)) top = isNaN(c.y[i]) ? top : c.y[i];
  return top;
}

// meanInView is the mean of a curve over the window.
function meanInView(c) {
  const [first, last] = rowsInView(c);
  let sum = 0;
  for (let i = first; i <= last; i++) if (c.y[i] > 0) sum += c.y[i] * (Math.min(view.to, endOf(c, i)) - Math.max(view.from, startOf(c, i)));
  return sum / span();
}
