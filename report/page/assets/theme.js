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

// faded is a colour of the theme with an alpha of its own.
const faded = (name, alpha) => color(name).replace(/^rgba?\((\d+), (\d+), (\d+).*$/, `rgba($1, $2, $3, ${alpha})`);

const themeButton = document.getElementById('theme');
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.theme || (systemDark.matches ? 'dark' : 'light')) === 'dark';

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  colors.clear();
  themeButton.textContent = isDark() ? 'Light' : 'Dark';
  themeButton.setAttribute('aria-pressed', String(isDark()));
  redrawAll();
}

themeButton.addEventListener('click', () => setTheme(isDark() ? 'light' : 'dark'));
systemDark.addEventListener('change', () => setTheme(document.documentElement.dataset.theme));
