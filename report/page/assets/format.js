// Units. Amounts and rates are decimal, sizes of single operations binary,
// times since the start of the recording. All take base units: ns, bytes.
const DECIMAL = [[1, 'B'], [1e3, 'kB'], [1e6, 'MB'], [1e9, 'GB'], [1e12, 'TB']];
const BINARY = [[1, 'B'], [1024, 'KiB'], [1048576, 'MiB'], [1073741824, 'GiB']];
const TIMES = [[1, 'ns'], [1e3, 'µs'], [1e6, 'ms'], [1e9, 's']];

// significant prints x with three significant digits and no exponent; digits
// before the point are never dropped.
function significant(x) {
  if (!isFinite(x)) return '?';
  if (x === 0) return '0';
  const exponent = Math.floor(Math.log10(Math.abs(Number(x.toPrecision(3)))));
  return x.toFixed(Math.max(0, Math.min(6, 2 - exponent)));
}

// brief drops zeros that say nothing, for axes: "2 GB/s", not "2.00 GB/s".
const brief = (x) => String(Number(significant(x)));

function step(x, ladder) {
  let at = 0;
  while (at + 1 < ladder.length && Math.abs(x) >= ladder[at + 1][0] * 0.9995) at++;
  return ladder[at];
}

function scaled(x, ladder, print) {
  if (!isFinite(x)) return '–';
  const [per, unit] = step(x, ladder);
  return (per === 1 ? String(Math.round(x)) : print(x / per)) + ' ' + unit;
}

const whole = (x) => (Number.isInteger(x) ? String(x) : significant(x));

const print = {
  rate: (v) => scaled(v, DECIMAL, significant) + (isFinite(v) ? '/s' : ''),
  amount: (v) => scaled(v, DECIMAL, significant),
  size: (v) => scaled(Math.round(v), BINARY, whole),
  time: (v) => scaled(v, TIMES, significant),
  number: (v) => (isFinite(v) ? whole(v) : '–'),
  share: (v) => (isFinite(v) ? significant(v * 100) + ' %' : '–'),
  count: (v) => Math.round(v).toLocaleString('en-US'),
};

// Labels of axes, named by the charts as "fn:…". Axes of sizes and latencies
// carry logarithms.
const labels = {
  rate: (v) => (v === 0 ? '0' : scaled(v, DECIMAL, brief) + '/s'),
  amount: (v) => (v === 0 ? '0' : scaled(v, DECIMAL, brief)),
  number: (v) => brief(v),
  share: (v) => brief(v * 100) + ' %',
  size2: (v) => (Number.isInteger(v) ? scaled(2 ** v, BINARY, brief) : ''),
  time10: (v) => (Number.isInteger(v) ? scaled(10 ** v, TIMES, brief) : ''),
  none: () => '',
  'octave-size': (q) => octave(q, BINARY),
  'octave-time': (q) => octave(q, TIMES),
  'octave-number': (q) => (Number.isInteger(Number(q)) && q >= 0 ? brief(2 ** q) : ''),
};

// octave labels the bin that begins at 2^q: sizes at whole doublings, times
// where 1, 2 or 5 times a power of ten lies in the bin.
function octave(q, ladder) {
  const from = 2 ** Number(q), to = from * 2 ** 0.25;
  if (ladder === BINARY) return Number.isInteger(Number(q)) ? scaled(from, BINARY, brief) : '';
  const power = 10 ** Math.floor(Math.log10(to));
  const round = [1, 2, 5].map((f) => f * power).concat(power * 10).find((v) => v >= from && v < to);
  return round ? scaled(round, TIMES, brief) : '';
}

// instant prints a point in time as precisely as a window of the given width can
// show it, in the unit that the end of the window has.
function instant(ns, span) {
  const [per, unit] = step(Math.max(view.to, 1), TIMES.slice(1));
  const decimals = Math.max(0, Math.min(6, Math.ceil(-Math.log10(span / per / 500))));
  return (ns / per).toFixed(decimals) + ' ' + unit;
}

// niceStep is the smallest of 1, 2 and 5 times a power of ten that is not below x.
function niceStep(x) {
  const power = 10 ** Math.floor(Math.log10(Math.max(x, 1)));
  return [1, 2, 5, 10].map((f) => f * power).find((s) => s >= x * 0.999);
}
