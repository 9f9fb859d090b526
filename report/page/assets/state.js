// What is shown is in the address: the window, what is selected, searched for, hidden, pinned and switched off. So it
// can be sent to somebody, and back and forward undo what changed it.
const hiddenLanes = new Set(), pinnedLanes = new Set(), off = new Set(); // off: "chart:series"
let noted = '', noting;

const isOff = (spec, plot) => off.has(spec.id + ':' + plot.name);

function stateText() {
  const parts = [], list = (name, set) => { if (set.size) parts.push(name + '=' + [...set].map(encodeURIComponent).join(',')); };
  if (span() < END) parts.push(`t=${Math.round(view.from)},${Math.round(view.to)}`);
  if (chosen) parts.push(`s=${chosen.map(Math.round).join(',')}`);
  if (words.length) parts.push('q=' + encodeURIComponent(finder.value));
  list('hide', hiddenLanes);
  list('pin', pinnedLanes);
  list('off', off);
  return parts.join('&');
}

// noteState puts the state into the address once it has come to rest: browsers refuse many addresses in a row.
function noteState() {
  clearTimeout(noting);
  noting = setTimeout(() => {
    const text = stateText();
    if (text === noted) return;
    noted = text;
    history.pushState({ shown: true }, '', '#' + (text || 'timeline'));
  }, 200);
}

// decoded is a part of an address as text: nothing where somebody has cut it.
function decoded(part) {
  try { return decodeURIComponent(part || ''); } catch { return ''; }
}

// applyState shows what an address says.
function applyState(text) {
  const parts = new Map(text.split('&').map((part) => part.split('='))), times = (name) => /^(\d+),(\d+)$/.exec(parts.get(name) || '');
  const fill = (name, set, read) => { set.clear(); for (const v of (parts.get(name) || '').split(',')) if (decoded(v)) set.add(read(decoded(v))); };
  clearTimeout(noting);
  fill('hide', hiddenLanes, Number);
  fill('pin', pinnedLanes, Number);
  fill('off', off, String);
  const t = times('t'), s = times('s');
  show(t ? Number(t[1]) : 0, t ? Number(t[2]) : END);
  choose(s ? [Number(s[1]), Number(s[2])] : null);
  const sought = decoded(parts.get('q'));
  if (finder && finder.value !== sought) { finder.value = sought; find(); }
  for (const spec of specs.values()) if (spec.kind === 'lanes') relane(spec);
  later(followView);
  noted = stateText();
}

const isState = (hash) => /^#(t|s|q|hide|pin|off)=/.test(hash);

function startState() {
  addEventListener('popstate', (e) => {
    if (isState(location.hash)) applyState(location.hash.slice(1));
    else if (e.state || location.hash === '') applyState('');
  });
  if (!isState(location.hash)) return;
  applyState(location.hash.slice(1));
  linked.scrollIntoView();
}
