// Quantities in words, as package internal/unit words them; its testdata/vectors.json
// holds both to it. All take base units: ns, bytes, parts of one.
const DECIMAL = [[1, 'B'], [1e3, 'kB'], [1e6, 'MB'], [1e9, 'GB'], [1e12, 'TB'], [1e15, 'PB'], [1e18, 'EB']];
const BINARY = [[1, 'B'], [2 ** 10, 'KiB'], [2 ** 20, 'MiB'], [2 ** 30, 'GiB'], [2 ** 40, 'TiB'], [2 ** 50, 'PiB'], [2 ** 60, 'EiB']];
const TIMES = [[1, 'ns'], [1e3, 'µs'], [1e6, 'ms'], [1e9, 's']];

// fixed prints x with so many decimals. Of two that are equally near it takes the even
// one, as Go does; toFixed takes the greater.
function fixed(x, decimals) {
  const exact = x.toFixed(Math.min(100, decimals + 60)), cut = exact.length - Math.min(60, 100 - decimals);
  if (!/^50*$/.test(exact.slice(cut)) || Number(exact[cut - 1] === '.' ? exact[cut - 2] : exact[cut - 1]) % 2) return x.toFixed(decimals);
  return exact.slice(0, decimals ? cut : cut - 1);
}

// significant prints x with three significant digits and no exponent; digits
// before the point are never dropped.
function significant(x) {
  if (!isFinite(x)) return '?';
  if (x === 0) return '0';
  const exponent = Number(x.toExponential(2).split('e')[1]);
  return fixed(x, Math.max(0, 2 - exponent));
}

// brief drops zeros that say nothing, for axes: "2 GB/s", not "2.00 GB/s".
const brief = (x) => String(Number(significant(x)));

// step is the unit for x, by its rounded value: 999,999 bytes are 1.00 MB.
function step(x, ladder) {
  let at = 0;
  while (at + 1 < ladder.length && Math.abs(x) / ladder[at][0] >= ladder[at + 1][0] / ladder[at][0] - 0.5) at++;
  return ladder[at];
}

function scaled(x, ladder, print = significant) {
  const [per, unit] = step(x, ladder);
  return print(x / per) + ' ' + unit;
}

const count = (n) => Math.round(n).toLocaleString('en-US');

// whole prints whole bytes exactly while they have no prefix.
const whole = (n, ladder) => (Math.abs(n) < ladder[1][0] ? n + ' ' + ladder[0][1] : scaled(n, ladder));

function blockSize(n) {
  const exact = BINARY.findLast(([per]) => per > 1 && n !== 0 && n % per === 0 && Math.abs(n) / per < 1024);
  return exact ? n / exact[0] + ' ' + exact[1] : whole(n, BINARY);
}

function duration(ns) {
  if (ns < 0) return '-' + duration(-ns);
  if (ns < 1000) return Math.round(ns) + ' ns';
  if (Math.round(ns / 1e8) < 600) return scaled(ns, TIMES);
  const s = Math.round(ns / 1e9), two = (n) => String(Math.floor(n)).padStart(2, '0');
  return s < 3600 ? Math.floor(s / 60) + 'm' + two(s % 60) + 's' : Math.floor(s / 3600) + 'h' + two((s / 60) % 60) + 'm' + two(s % 60) + 's';
}

function share(part) {
  const p = part * 100;
  if (p < 0) return '-' + share(-part);
  if (p === 0) return '0 %';
  if (p < 0.1) return '<0.1 %';
  if (p < 9.95) return fixed(p, 1).replace(/\.0$/, '') + ' %';
  return p > 99.5 && p < 100 ? '>99 %' : fixed(p, 0) + ' %';
}

// known leaves a dash where there is no value.
const known = (word) => (v) => (isFinite(v) ? word(v) : '–');

const print = {
  rate: known((v) => scaled(v, DECIMAL) + '/s'),
  amount: known((v) => whole(Math.round(v), DECIMAL)),
  size: known((v) => blockSize(Math.round(v))),
  time: known(duration),
  number: known((v) => (Number.isInteger(v) || Math.abs(v) >= 999.5 ? Number(fixed(v, 0)).toLocaleString('en-US') : significant(v))),
  share: known(share),
  count: known(count),
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
  if (raw) return String(Math.round(ns));
  const [per, unit] = step(Math.max(view.to, 1), TIMES.slice(1));
  const decimals = Math.max(0, Math.min(6, Math.ceil(-Math.log10(span / per / 500))));
  return (ns / per).toFixed(decimals) + ' ' + unit;
}

// niceStep is the smallest of 1, 2 and 5 times a power of ten that is not below x.
function niceStep(x) {
  const power = 10 ** Math.floor(Math.log10(Math.max(x, 1)));
  return [1, 2, 5, 10].map((f) => f * power).find((s) => s >= x * 0.999);
}
