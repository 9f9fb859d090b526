// Charts and tables for use elsewhere: copied, as CSV, as PNG and as SVG.
// rawly does something with numbers printed as they are: in ns, bytes, bytes per second and parts of one.
let raw = false;
function rawly(job) {
  const words = { ...print };
  raw = true;
  for (const name of Object.keys(print)) print[name] = (v) => (isFinite(v) ? String(v) : '');
  try { return job(); } finally { Object.assign(print, words); raw = false; }
}

const RAW = { rate: 'bytes/s', amount: 'bytes', size: 'bytes', time: 'ns', share: 'part', number: '', count: '' };
function chartCsv(spec, between = ',') {
  const [head, rows] = rawly(() => TABLES[spec.kind](spec)), unit = RAW[spec.unit];
  return csv([head.map((h, i) => (['from', 'at', 'start'].includes(h) && i === 0 ? h + ' (ns)' : spec.series && unit && i > 0 ? `${h} (${unit})` : h)), ...rows], between);
}

async function tableCsv(table, between = ',') {
  const k = await keep(table), head = [...table.tHead.rows[0].cells].map((c) => c.innerText.trim());
  return csv([head, ...k.rows.map((row) => head.map((_, c) => cellText(row, c).trim()))], between);
}

function pngOf(entry) {
  const from = entry.plot.querySelector('canvas'), to = element('canvas', {}), g = to.getContext('2d');
  Object.assign(to, { width: from.width, height: from.height });
  g.fillStyle = color('paper');
  g.fillRect(0, 0, to.width, to.height);
  g.drawImage(from, 0, 0);
  return to.toDataURL('image/png');
}

const svgText = (x, y, anchor, text) => `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" dominant-baseline="middle">${element('i', {}, String(text)).innerHTML}</text>`;

// svgOf draws a chart anew, with rectangles in the place of pixels.
function svgOf(entry) {
  const axis = 22, width = entry.width, height = entry.height + axis;
  let shapes = [];
  if (FILLERS[entry.spec.kind].still) return svgOfSpots(entry, width, entry.height);
  if (FILLERS[entry.spec.kind].paint) {
    const r = raster(entry);
    r.rects = [];
    for (const v of entry.scale.ticks) bar(r, r.left, r.y(v), r.right, r.y(v) + 1, 'grid');
    FILLERS[entry.spec.kind].paint(entry, r);
    const label = labels[entry.spec.option.yAxis[0].axisLabel.formatter.slice(3)], s = (v) => v / r.ratio, every = tickStep(width);
    shapes = r.rects.map(([x0, y0, x1, y1, name, alpha]) => `<rect x="${s(x0)}" y="${s(y0)}" width="${s(x1 - x0)}" height="${s(y1 - y0)}" fill="${color(name)}"${alpha < 1 ? ` fill-opacity="${alpha.toFixed(2)}"` : ''}/>`);
    shapes.push(...entry.scale.ticks.map((v) => svgText(LEFT - 8, s(r.y(v)), 'end', label(v))), ...r.texts.map(([text, x, y]) => svgText(s(x), s(y), 'start', text)));
    for (let t = Math.ceil(view.from / every) * every; t <= view.to; t += every) shapes.push(svgText(place(t, width), entry.height + 10, 'middle', instant(t, every * 500)));
    update(entry);
  } else {
    const all = entry.spec.series, y = all.map((p) => numbers(p.y)), x = all[0].x ? numbers(all[0].x) : Array.from(y[0], (_, i) => i + 1), end = x[x.length - 1], top = Math.max(...y.map((v) => Math.max(...v))) || 1, wide = width - LEFT - RIGHT;
    all.forEach((p, k) => y[k].forEach((v, i) => {
      const left = LEFT + ((i ? x[i - 1] : 0) / end) * wide, right = LEFT + (x[i] / end) * wide, high = (v / top) * (entry.height - 16);
      if (v > 0) shapes.push(`<rect x="${left.toFixed(2)}" y="${(entry.height - 8 - high).toFixed(2)}" width="${Math.max(0.5, right - left - 0.5).toFixed(2)}" height="${high.toFixed(2)}" fill="${color(p.color)}" fill-opacity="0.7"/>`);
    }));
    const said = entry.spec.kind === 'bars' ? [print.share(top), (i) => (entry.spec.unit === 'size' ? print.size : print.time)(2 ** entry.spec.option.xAxis[0].data[i])] : [print.rate(top), (i) => print.amount(x[i])];
    shapes.push(svgText(LEFT - 8, 10, 'end', said[0]), svgText(LEFT, entry.height + 8, 'start', said[1](0)), svgText(width - RIGHT, entry.height + 8, 'end', said[1](x.length - 1)));
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11"><title>${element('i', {}, entry.spec.title).innerHTML}</title><rect width="100%" height="100%" fill="${color('paper')}"/><g fill="${color('muted')}">${shapes.join('')}</g></svg>`;
}

// svgOfSpots is a scatter of dots.
function svgOfSpots(entry, width, height) {
  const [plot] = entry.spec.series, x = numbers(plot.x), y = numbers(plot.y), [left, right] = ends([x]), across = wholePowers(left, right), { low, high, ticks } = entry.scale, bottom = height - 22;
  const px = (v) => LEFT + ((v - across.low) / (across.high - across.low)) * (width - LEFT - RIGHT), py = (v) => bottom - ((v - low) / (high - low)) * (bottom - EDGE);
  const spots = Array.from(x, (v, i) => `<rect x="${(px(v) - 1.5).toFixed(1)}" y="${(py(y[i]) - 1.5).toFixed(1)}" width="3" height="3" fill="${color(plot.color)}" fill-opacity="0.6"/>`);
  const words = [...ticks.map((v) => svgText(LEFT - 8, py(v), 'end', labels.time10(v))), ...across.ticks.map((v) => svgText(px(v), height - 9, 'middle', labels.size2(v)))];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="${color('paper')}"/><g fill="${color('muted')}">${spots.join('')}${words.join('')}</g></svg>`;
}

// controls are the switches of the series of a chart, and what saves it.
function controls(spec) {
  const name = (page.title || 'iotrace') + '-' + spec.id, button = (text, job) => { const b = element('button', { type: 'button' }, text); b.addEventListener('click', () => job(b)); return b; };
  const entry = () => { if (!drawn.has(spec.id)) draw(spec.id); return drawn.get(spec.id); };
  const switches = ['series', 'path', 'stack'].includes(spec.kind) && spec.series.length > 1 ? spec.series.map((plot) => {
    const box = element('input', { type: 'checkbox' });
    box.checked = !isOff(spec, plot);
    box.addEventListener('change', () => toggleSeries(spec, plot.name));
    return element('label', {}, box, ' ' + plot.name);
  }) : [];
  return element('div', { class: 'controls' }, ...switches, button('Copy', (b) => copyText(chartCsv(spec, TAB), b)), button('CSV', () => save(name + '.csv', 'text/csv', chartCsv(spec))),
    button('PNG', () => save(name + '.png', 'image/png', pngOf(entry()))), button('SVG', () => save(name + '.svg', 'image/svg+xml', svgOf(entry()))));
}

// toggleSeries switches a series of a chart off, or on again.
function toggleSeries(spec, name) {
  const key = spec.id + ':' + name;
  if (!off.delete(key)) off.add(key);
  const entry = drawn.get(spec.id);
  if (entry) update(entry);
  for (const box of document.querySelectorAll(`details.data[data-chart="${spec.id}"] label`)) if (box.textContent.trim() === name) box.firstChild.checked = !off.has(key);
  noteState();
}

// startExports puts buttons beside the tables of sections, and has a click at a name beside a chart switch it.
function startExports() {
  for (const table of document.querySelectorAll('section > .scroll > table.list, section > details > .scroll > table.list')) {
    const section = table.closest('section'), copy = element('button', { type: 'button' }, 'Copy'), store = element('button', { type: 'button' }, 'CSV');
    copy.addEventListener('click', async () => copyText(await tableCsv(table, TAB), copy));
    store.addEventListener('click', async () => save(section.id + '.csv', 'text/csv', await tableCsv(table)));
    table.closest('.scroll').before(element('div', { class: 'exports', role: 'group', 'aria-label': 'Save the table' }, copy, store));
  }
  document.addEventListener('click', (e) => {
    const row = e.target.closest('.readout div[title]'), spec = row && specs.get(row.parentNode.dataset.chart);
    if (spec && spec.series) toggleSeries(spec, row.title);
  });
}
