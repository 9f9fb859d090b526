// Tables: sorting by a column, and the numbers behind a chart.
const ROWS = 400; // of a chart's table

function sortBy(button) {
  const head = button.closest('th'), table = head.closest('table'), body = table.tBodies[0];
  showRows(table);
  const column = [...head.parentNode.children].indexOf(head);
  const down = head.getAttribute('aria-sort') ? head.getAttribute('aria-sort') === 'ascending' : head.classList.contains('n');
  for (const th of head.parentNode.children) th.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  const key = (row) => { const c = row.cells[column]; return c.dataset.v === undefined ? c.textContent : Number(c.dataset.v); };
  const order = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)));
  body.append(...[...body.rows].sort((a, b) => (down ? -1 : 1) * order(key(a), key(b))));
}

// showRows joins the rows that were held back with the others.
function showRows(table) {
  const [first, rest] = table.tBodies;
  if (!rest) return;
  first.append(...rest.rows);
  rest.remove();
  const button = table.parentNode.nextElementSibling;
  if (button && button.classList.contains('all')) button.remove();
}

// dataTable writes the numbers of a chart, those in the window if it is over
// time.
function dataTable(details) {
  const spec = specs.get(details.dataset.chart), [head, rows] = TABLES[spec.kind](spec);
  const table = element('table', {}, element('thead', {}, element('tr', {}, ...head.map((h) => element('th', { scope: 'col' }, h)))),
    element('tbody', {}, ...rows.slice(0, ROWS).map((r) => element('tr', {}, ...r.map((c) => element('td', {}, c))))));
  const more = rows.length > ROWS ? `The first ${ROWS} of ${print.count(rows.length)} rows; zoom in to see others.` : '';
  const old = details.querySelector('.scroll');
  if (old) old.remove();
  details.append(element('div', { class: 'scroll', tabindex: '0' }, more, table));
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
    const unit = spec.unit === 'size' ? print.size : print.time;
    return [['at least', ...spec.series.map((p) => p.name)], spec.option.xAxis[0].data.map((q, i) => [unit(2 ** q), ...spec.series.map((p) => print.share(numbers(p.y)[i]))]).filter((_, i) => spec.series.some((p) => numbers(p.y)[i] > 0))];
  },
  curve(spec) {
    const [p] = spec.series, y = numbers(p.y);
    return [['bytes moved', 'speed'], Array.from(numbers(p.x), (x, i) => [print.amount(x), print.rate(y[i])])];
  },
});
TABLES.stack = TABLES.series;

function startTables() {
  document.addEventListener('click', (e) => { const b = e.target.closest('.sort'); if (b) sortBy(b); });
  document.addEventListener('click', (e) => { if (e.target.classList.contains('all')) showRows(e.target.previousElementSibling.querySelector('table')); });
  document.addEventListener('click', (e) => { if (e.target.classList.contains('more-lanes')) showLanes(e.target); });
  for (const details of document.querySelectorAll('details.data')) details.addEventListener('toggle', () => { if (details.open) dataTable(details); });
}
