// What every page with buttons makes elements with, copies and saves.

// element makes an element with text; names never become markup.
function element(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {})) {
    if (k === 'class') e.className = v;
    else e.setAttribute(k, v);
  }
  e.append(...children);
  return e;
}

// copyText copies, and has the button say so.
function copyText(text, button) {
  const said = button.textContent, done = () => { button.textContent = 'Copied'; setTimeout(() => { button.textContent = said; }, 1200); };
  const area = element('textarea', { class: 'unseen', 'aria-hidden': 'true' });
  area.value = text;
  (button.closest('dialog') || document.body).append(area);
  area.select();
  document.execCommand('copy'); // a page that was opened from a file has no clipboard
  area.remove();
  button.focus();
  done();
}

// save has the browser store text or a picture.
function save(name, type, content) {
  const link = element('a', { download: name, href: typeof content === 'string' && content.startsWith('data:') ? content : URL.createObjectURL(new Blob([content], { type })) });
  link.click();
  if (link.href.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const TAB = '\t'; // between cells that are pasted into a spreadsheet
const csvCell = (text) => (/[",\t\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text);
const csv = (rows, between) => rows.map((r) => r.map((c) => (between === TAB ? String(c).replaceAll(TAB, ' ') : csvCell(String(c)))).join(between)).join('\n') + '\n';
