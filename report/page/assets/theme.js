// Colours come from the style sheet by name; charts never hold one themselves.
const probe = document.createElement('i');
probe.hidden = true;
document.body.append(probe);
const colors = new Map();

function color(name) {
  if (!colors.has(name)) {
    probe.style.color = '';
    probe.style.color = `var(--${name})`;
    colors.set(name, getComputedStyle(probe).color);
  }
  return colors.get(name);
}

// shade is a colour of the theme as red, green and blue.
const shades = new Map();
function shade(name) {
  if (!shades.has(name)) shades.set(name, color(name).match(/\d+/g).slice(0, 3).map(Number));
  return shades.get(name);
}

// forgetColors has them read anew: the theme is another.
function forgetColors() {
  colors.clear();
  shades.clear();
}

// faded is a colour of the theme with an alpha of its own.
const faded = (name, alpha) => `rgba(${shade(name).join(', ')}, ${alpha})`;

const themeButton = document.getElementById('theme');
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.theme || (systemDark.matches ? 'dark' : 'light')) === 'dark';

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  forgetColors();
  themeButton.textContent = isDark() ? 'Light' : 'Dark';
  themeButton.setAttribute('aria-pressed', String(isDark()));
  redrawAll();
}

themeButton.addEventListener('click', () => setTheme(isDark() ? 'light' : 'dark'));
systemDark.addEventListener('change', () => setTheme(document.documentElement.dataset.theme));
