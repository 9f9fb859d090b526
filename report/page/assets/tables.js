// Tables: all rows are kept, as many are shown as were asked for; they are sorted by a
// column, and those that a search finds stay. Behind a chart are its numbers.
const ROWS = 400; // of a chart's table
const MORE = 1000; // rows that a click adds
const kept = new Map(); // table → its rows, once somebody asks for more than is shown

// keep reads the rows that came packed. Each is an element of the page, or its cells.
function keep(table) {
  if (!kept.has(table)) kept.set(table, unpack(table));
  return kept.get(table);
}

async function unpack(table) {
  const rows = [...table.tBodies[0].rows], shape = rows.length ? [...rows[0].cells].map((c) => c.className.replace(/ ?none/, '')) : [];
  const k = { table, shape, rows, shown: rows.length, first: rows.length };
  const box = table.closest('.scroll'), text = box.dataset.rest;
  if (text) {
    k.rows = rows.concat(await inflated(text).json());
    delete box.dataset.rest;
  }
  return k;
}

// made is a row as an element.
function made(k, i) {
  if (!Array.isArray(k.rows[i])) return k.rows[i];
  k.rows[i] = element('tr', {}, ...k.rows[i].map((cell, c) => {
    const [text, value, full, mark] = Array.isArray(cell) ? cell : [cell], name = k.shape[c].startsWith('name');
    const td = element('td', { class: text === '-' && !name ? 'n none' : k.shape[c] }, name ? element('bdi', {}, text) : text);
    if (value) td.dataset.v = value;
    if (full) td.title = full;
    if (mark && name) td.append(' ', element('a', { class: 'mark', href: '#w' + mark.slice(1).split(',')[0] }, mark));
    return td;
  }));
  return k.rows[i];
}

const cellText = (row, c) => (Array.isArray(row) ? [].concat(row[c])[0] : row.cells[c].textContent);
const rowText = (row) => (Array.isArray(row) ? row.map((c) => [].concat(c)[0]).join(' ') : row.textContent);

function cellKey(row, c) {
  const value = Array.isArray(row) ? [].concat(row[c])[1] : row.cells[c].dataset.v;
  return value ? Number(value) : cellText(row, c);
}

// fill shows the rows that a search finds, as many as were asked for. It says how many
// there are.
function fill(k) {
  const box = k.table.closest('.scroll'), hits = [];
  k.rows.forEach((row, i) => { if (box.dataset.found === undefined || matches(rowText(row))) hits.push(i); });
  k.table.tBodies[0].replaceChildren(...hits.slice(0, k.shown).map((i) => made(k, i)));
  const button = box.nextElementSibling;
  if (button && button.classList.contains('all')) {
    button.hidden = hits.length <= k.shown;
    button.textContent = hits.length - k.shown <= MORE ? `Show all ${print.count(hits.length)} rows` : `Show ${print.count(MORE)} more of ${print.count(hits.length)} rows`;
  }
  return hits.length;
}

async function sortBy(button) {
  const head = button.closest('th'), k = await keep(head.closest('table'));
  const column = [...head.parentNode.children].indexOf(head);
  const down = head.getAttribute('aria-sort') ? head.getAttribute('aria-sort') === 'ascending' : head.classList.contains('n');
  for (const th of head.parentNode.children) th.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  const keys = new Map(k.rows.map((row) => [row, cellKey(row, column)]));
  const order = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)));
  k.rows.sort((a, b) => (down ? -1 : 1) * order(keys.get(a), keys.get(b)));
  fill(k);
}

async function showMore(button) {
  const k = await keep(button.previousElementSibling.querySelector('table'));
  k.shown = Math.min(k.rows.length, Math.max(k.shown, k.first) + MORE);
  fill(k);
}

// written fills a table that has no rows of its own.
function written(table, heads, rows) {
  table.tHead.replaceChildren(element('tr', {}, ...heads.map((h) => element('th', { scope: 'col', class: h.startsWith('#') ? 'n' : '' }, h.replace('#', '')))));
  table.tBodies[0].replaceChildren(...rows.map((cells) => element('tr', {}, ...cells.map((c, i) => element('td', { class: heads[i].startsWith('#') ? 'n' : heads[i] === 'file' ? 'name' : '' }, c)))));
}

// dataTable writes the numbers of a chart, those in the window if it is over
// time.
function dataTable(details) {
  const spec = specs.get(details.dataset.chart), [head, rows] = TABLES[spec.kind](spec);
  const table = element('table', {}, element('thead', {}, element('tr', {}, ...head.map((h) => element('th', { scope: 'col' }, h)))),
    element('tbody', {}, ...rows.slice(0, ROWS).map((r) => element('tr', {}, ...r.map((c) => element('td', {}, c))))));
  const more = rows.length > ROWS ? `The first ${ROWS} of ${print.count(rows.length)} rows; zoom in to see others.` : '';
  details.querySelectorAll('.scroll, .controls').forEach((e) => e.remove());
  details.append(controls(spec), element('div', { class: 'scroll', tabindex: '0' }, more, table));
}

Object.assign(TABLES, {
  series(spec) {
    const rows = [], curves = spec.series.map((p) => curve(p, grainInView())), starts = new Set();
    for (const c of curves) {
      const [first, last] = rowsInView(c);
      for (let i = first; i <= last; i++) starts.add(startOf(c, i));
    }
    for (const t of [...starts].sort((a, b) => a - b)) {
      const values = spec.series.map((p, k) => { const v = curves[k].y[rowAt(curves[k], t)]; return p.log ? p.log ** v : v; });
      if (values.some((v) => v > 0)) rows.push([instant(t, span()), ...values.map(print[spec.unit])]);
    }
    return [['from', ...spec.series.map((p) => p.name)], rows];
  },
  bars(spec) {
    const unit = print[spec.unit] || print.time;
    return [['at least', ...spec.series.map((p) => p.name)], spec.option.xAxis[0].data.map((q, i) => [unit(2 ** q), ...spec.series.map((p) => print.share(numbers(p.y)[i]))]).filter((_, i) => spec.series.some((p) => numbers(p.y)[i] > 0))];
  },
  curve(spec) {
    const [p] = spec.series, y = numbers(p.y);
    return [['bytes moved', 'speed'], Array.from(numbers(p.x), (x, i) => [print.amount(x), print.rate(y[i])])];
  },
});
TABLES.stack = TABLES.series;

function startTables() {
  document.addEventListener('click', (e) => {
    const button = e.target.closest('button');
    if (!button) return;
    if (button.classList.contains('sort')) sortBy(button);
    if (button.classList.contains('all')) showMore(button);
    if (button.classList.contains('all-parts')) { for (const row of button.previousElementSibling.querySelectorAll('.small')) row.hidden = false; button.remove(); }
    if (button.classList.contains('more-lanes')) showLanes(button);
  });
  for (const details of document.querySelectorAll('details.choose')) details.addEventListener('toggle', () => { if (details.open) chooseLanes(details); });
  for (const details of document.querySelectorAll('details.data')) details.addEventListener('toggle', () => { if (details.open) dataTable(details); });
}
