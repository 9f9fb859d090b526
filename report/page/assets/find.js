// Search: lanes, rows of tables and events stay of which a name has all the words.
const finder = document.getElementById('find');
let typing;

function find() {
  words = finder.value.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = findLanes();
  showSelection();
  return Promise.all([...document.querySelectorAll('[data-found] table')].map(async (table) => {
    const k = await keep(table), section = table.closest('section');
    const hits = fill(k), fold = section.querySelector('details.fold');
    if (fold && words.length) fold.open = hits > 0;
    return [section.querySelector('h2').firstChild.textContent, '#' + section.id, hits, k.rows.length];
  })).then((tables) => tell([...groups, ...tables]));
}

// findLanes shows the lanes that a search finds, or the first of each chart.
function findLanes() {
  const said = [];
  for (const spec of specs.values()) {
    if (spec.kind !== 'lanes') continue;
    const row = document.getElementById(spec.id).closest('.row'), names = row.querySelectorAll('.names li'), shown = lanesOf(spec);
    const entry = drawn.get(spec.id) || { spec, plot: document.getElementById(spec.id) };
    row.hidden = shown.length === 0;
    spec.lanes.forEach((lane, i) => { names[i].hidden = !shown.includes(lane); });
    const more = row.querySelector('.more-lanes');
    if (more) more.hidden = words.length > 0;
    frameLanes(entry);
    if (entry.width) update(entry);
    if (page.lanes[spec.lanes[0]].kind !== 'copy') said.push([spec.title + ' in the timeline', '#timeline', shown.length, spec.lanes.length]);
  }
  return said;
}

// tell says what was found, and leads there.
function tell(found) {
  const box = document.getElementById('found'), hits = found.filter(([, , n]) => n > 0);
  box.hidden = words.length === 0;
  if (hits.length === 0) box.replaceChildren('nothing found');
  else box.replaceChildren(...hits.map(([name, link, n, of]) => element('a', { href: link }, element('span', {}, name), element('b', {}, `${print.count(n)} of ${print.count(of)}`))));
}

function startFinding() {
  if (!finder) return;
  finder.addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(find, 150); });
  finder.addEventListener('keydown', (e) => { if (e.key === 'Escape') { finder.value = ''; find(); } });
}
