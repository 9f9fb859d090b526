// The tables and pictures of a page that draws without a script, for use elsewhere.
const fileName = (of, end) => `${document.title.split(' · ')[0]} ${of}`.replace(/[^\p{L}\p{N}.]+/gu, '-').replace(/^-|-$/g, '') + '.' + end;
const cellsOf = (table) => [...table.rows].map((r) => [...r.cells].map((c) => c.innerText.replace(/\s+/g, ' ').trim()));

// styled copies a drawing, with what the page's sheet says of its shapes in their attributes.
const KEPT = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'opacity', 'font-size', 'text-anchor', 'vector-effect', 'overflow'];
function styled(svg) {
  const copy = svg.cloneNode(true), to = [copy, ...copy.querySelectorAll('*')];
  [svg, ...svg.querySelectorAll('*')].forEach((e, i) => {
    const style = getComputedStyle(e);
    for (const name of KEPT) if (style.getPropertyValue(name)) to[i].setAttribute(name, style.getPropertyValue(name));
  });
  return copy;
}

// pictureOf is one drawing of all that a picture is made of: its drawings, and the words beside them.
function pictureOf(picture) {
  const drawings = [...picture.querySelectorAll('svg')].filter((e) => !e.parentNode.closest('svg')), box = picture.getBoundingClientRect();
  const shape = (tag, attributes) => {
    const e = document.createElementNS(drawings[0].namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    return e;
  };
  const edge = 16, sides = { width: box.width + 2 * edge, height: box.height + 2 * edge }; // words reach beyond the drawings
  const all = shape('svg', { ...sides, viewBox: `${-edge} ${-edge} ${sides.width} ${sides.height}`, 'font-family': 'sans-serif' });
  all.append(shape('rect', { x: -edge, y: -edge, ...sides, fill: getComputedStyle(document.body).backgroundColor }));
  for (const svg of drawings) {
    const at = svg.getBoundingClientRect(), copy = styled(svg);
    for (const [name, value] of Object.entries({ x: at.left - box.left, y: at.top - box.top, width: at.width, height: at.height })) copy.setAttribute(name, value);
    all.append(copy);
  }
  const walker = document.createTreeWalker(picture, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode, holder = node.parentElement, style = getComputedStyle(holder);
    if (!node.data.trim() || holder.closest('svg, .saves') || !holder.checkVisibility()) continue;
    range.selectNodeContents(node);
    const at = range.getBoundingClientRect(), word = shape('text', { x: at.left - box.left, y: (at.top + at.bottom) / 2 - box.top, 'dominant-baseline': 'central', 'font-size': style.fontSize, fill: style.color });
    word.textContent = node.data.replace(/\s+/g, ' ').trim();
    all.append(word);
  }
  return new XMLSerializer().serializeToString(all);
}

async function painted(svg) {
  const picture = new Image(), to = element('canvas', {});
  picture.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svg);
  await picture.decode();
  Object.assign(to, { width: 2 * picture.width, height: 2 * picture.height });
  to.getContext('2d').drawImage(picture, 0, 0, to.width, to.height);
  return to.toDataURL('image/png');
}

function saves(what, jobs) {
  return element('div', { class: 'saves', role: 'group', 'aria-label': 'Save the ' + what }, ...Object.entries(jobs).map(([text, job]) => {
    const button = element('button', { type: 'button' }, text);
    button.addEventListener('click', () => job(button));
    return button;
  }));
}

document.querySelectorAll('.scroll > table').forEach((table, n) => table.parentNode.after(saves('table', {
  Copy: (button) => copyText(csv(cellsOf(table), TAB), button),
  CSV: () => save(fileName('table ' + (n + 1), 'csv'), 'text/csv', csv(cellsOf(table))),
})));
document.querySelectorAll('.plots figure, .waterfall').forEach((picture, n) => (picture.matches('figure') ? picture.append.bind(picture) : picture.after.bind(picture))(saves('picture', {
  PNG: async () => save(fileName('picture ' + (n + 1), 'png'), 'image/png', await painted(pictureOf(picture))),
  SVG: () => save(fileName('picture ' + (n + 1), 'svg'), 'image/svg+xml', pictureOf(picture)),
})));
window.saving = { cellsOf, pictureOf, painted };
