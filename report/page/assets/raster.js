// Charts over time are painted pixel by pixel: what a step of zooming costs depends on the
// size of a chart, not on how much there is to show.
const EDGE = 8; // pixels above and below what is drawn, as in the grids of the charts
let scratch = new ArrayBuffer(0); // of the picture that is being painted

const packed = ([r, g, b]) => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;

// measure reads how large a chart is. Nothing else asks: each question has the browser lay
// the page out.
function measure(entry) {
  entry.width = entry.plot.clientWidth;
  entry.height = entry.plot.clientHeight;
}

// raster is an empty picture of a chart: paper, the grid, and where a time and a value lie.
function raster(entry) {
  const { low, high, ticks } = entry.scale, ratio = devicePixelRatio || 1;
  const width = Math.max(1, Math.round(entry.width * ratio)), height = Math.max(1, Math.round(entry.height * ratio));
  if (scratch.byteLength < width * height * 4) scratch = new ArrayBuffer(width * height * 4);
  const pixels = new Uint32Array(scratch, 0, width * height).fill(packed(shade('paper')));
  const edge = Math.round((entry.spec.lane ? 0 : EDGE) * ratio);
  const r = { entry, ratio, width, height, pixels, left: Math.round(LEFT * ratio), right: Math.round((entry.width - RIGHT) * ratio), top: edge, bottom: height - edge, texts: [] };
  r.x = (t) => Math.round(r.left + ((t - view.from) / span()) * (r.right - r.left));
  r.y = (v) => Math.round(r.bottom - ((v - low) / (high - low)) * (r.bottom - r.top));
  const every = tickStep(entry.width);
  for (let t = Math.ceil(view.from / every) * every; t <= view.to; t += every) bar(r, r.x(t), r.top, r.x(t) + 1, r.bottom, 'grid');
  for (const v of ticks) bar(r, r.left, r.y(v), r.right, r.y(v) + 1, 'grid');
  return r;
}

// bar fills a rectangle, within the frame from left to right.
function bar(r, x0, y0, x1, y1, name, alpha = 1) {
  x0 = Math.max(r.left, x0);
  x1 = Math.min(r.right, x1);
  y0 = Math.max(0, Math.round(y0));
  y1 = Math.min(r.height, Math.round(y1));
  if (r.rects) { if (x1 > x0 && y1 > y0) r.rects.push([x0, y0, x1, y1, name, alpha]); return; }
  const pixels = r.pixels, rgb = shade(name), solid = packed(rgb);
  for (let y = y0; y < y1; y++) {
    const to = y * r.width + x1;
    let i = y * r.width + x0;
    if (alpha !== 1) for (; i < to; i++) pixels[i] = mixed(pixels[i], rgb, alpha);
    else if (x1 - x0 < 32) for (; i < to; i++) pixels[i] = solid;
    else pixels.fill(solid, i, to);
  }
}

function mixed(under, rgb, alpha) {
  const r = under & 255, g = (under >> 8) & 255, b = (under >> 16) & 255;
  return (0xff000000 | ((b + (rgb[2] - b) * alpha + 0.5) << 16) | ((g + (rgb[1] - g) * alpha + 0.5) << 8) | (r + (rgb[0] - r) * alpha + 0.5)) >>> 0;
}

// finish shows the picture and writes the labels of its values.
function finish(r) {
  const { entry } = r, label = labels[entry.spec.option.yAxis[0].axisLabel.formatter.slice(3)], g = contextOf(r);
  const picture = new ImageData(new Uint8ClampedArray(scratch, 0, r.width * r.height * 4), r.width, r.height), labelled = entry.scale.ticks.map(label).join('|') + color('muted');
  g.putImageData(picture, 0, 0, entry.labelled === labelled ? r.left : 0, 0, r.width, r.height);
  g.textAlign = 'left';
  g.fillStyle = color('paper');
  for (const [text, x, y] of r.texts) g.fillText(text, x, y);
  entry.from = view.from;
  entry.to = view.to;
  if (entry.labelled === labelled) return; // letters cost more than everything else
  entry.labelled = labelled;
  g.textAlign = 'right';
  g.fillStyle = color('muted');
  for (const v of entry.scale.ticks) g.fillText(label(v), r.left - 8 * r.ratio, Math.min(r.height - 6 * r.ratio, Math.max(6 * r.ratio, r.y(v))));
}

// contextOf is the canvas of a chart, made or made anew if its size is another.
function contextOf({ entry, ratio, width, height }) {
  if (!entry.canvas) {
    entry.canvas = entry.plot.appendChild(element('canvas', {}));
    entry.context = entry.canvas.getContext('2d');
  }
  if (entry.canvas.width !== width || entry.canvas.height !== height) {
    Object.assign(entry.canvas, { width, height });
    entry.canvas.style.cssText = `display:block;width:${entry.width}px;height:${entry.height}px`;
    entry.labelled = '';
    Object.assign(entry.context, { textBaseline: 'middle', font: `${11 * ratio}px ${family}` });
  }
  return entry.context;
}

const family = getComputedStyle(document.body).fontFamily;
