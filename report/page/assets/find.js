// Search: lanes, rows of tables and events stay of which a name has all the words.
const finder = document.getElementById('find');
let typing;

function find() {
  words = finder.value.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = findLanes();
  if (linked) noteState();
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
    if (spec.kind !== 'lanes' || spec.id.startsWith('first-')) continue;
    const row = document.getElementById(spec.id).closest('.row'), shown = lanesOf(spec);
    row.hidden = shown.length === 0;
    relane(spec);
    const more = row.querySelector('.more-lanes');
    if (more) more.hidden = words.length > 0;
    if (!unsummed(page.lanes[spec.lanes[0]])) said.push([spec.title + ' in the timeline', '#timeline', shown.length, spec.lanes.length]);
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
  finder.addEventListener('keydown', (e) => {
    if (e.key === 'Escape') { finder.value = ''; find(); finder.blur(); }
    if (e.key === 'Enter') { clearTimeout(typing); Promise.resolve(find()).then(() => nextHit(e.shiftKey ? -1 : 1)); }
  });
  document.addEventListener('keydown', (e) => {
    if (e.key !== '/' || e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input, textarea, select')) return;
    e.preventDefault();
    finder.focus();
    finder.select();
  });
}

// nextHit goes to the next place that a search finds: lanes first, then rows of tables.
let hit = null;
function nextHit(step) {
  const all = words.length ? [...document.querySelectorAll('.row:not(.picture .row) .names li, [data-found] tbody tr')].filter((e) => e.checkVisibility() && matches(e.textContent)) : [];
  if (hit) hit.classList.remove('hit');
  const at = all.indexOf(hit);
  hit = all.length ? all[(at + step + all.length + (at < 0 && step < 0 ? 1 : 0)) % all.length] : null;
  const said = document.getElementById('nth') || element('p', { id: 'nth' });
  said.textContent = hit ? `${all.indexOf(hit) + 1} of ${print.count(all.length)} shown` : '';
  document.getElementById('found').append(said);
  if (!hit) return;
  hit.classList.add('hit');
  hit.scrollIntoView({ block: 'center' });
}
