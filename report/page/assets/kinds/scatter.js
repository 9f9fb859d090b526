// Two quantities of each of many files, both logarithmic.
FILLERS.scatter = {
  still(entry) {
    if (entry.width <= LEFT + RIGHT) return;
    const [plot] = entry.spec.series, x = numbers(plot.x), y = numbers(plot.y), [left, right] = ends([x]), across = wholePowers(left, right);
    entry.scale = wholePowers(...ends([y]));
    const { low, high, ticks } = entry.scale, ratio = devicePixelRatio || 1, canvas = entry.canvas || (entry.canvas = entry.plot.appendChild(element('canvas', {}))), g = canvas.getContext('2d');
    Object.assign(canvas, { width: entry.width * ratio, height: entry.height * ratio });
    canvas.style.cssText = `display:block;width:${entry.width}px;height:${entry.height}px`;
    g.scale(ratio, ratio);
    const bottom = entry.height - 22, px = (v) => LEFT + ((v - across.low) / (across.high - across.low)) * (entry.width - LEFT - RIGHT), py = (v) => bottom - ((v - low) / (high - low)) * (bottom - EDGE);
    Object.assign(g, { font: `11px ${family}`, textBaseline: 'middle', fillStyle: color('grid') });
    for (const v of ticks) g.fillRect(LEFT, py(v), entry.width - LEFT - RIGHT, 1);
    g.fillStyle = color('muted');
    g.textAlign = 'right';
    for (const v of ticks) g.fillText(labels.time10(v), LEFT - 8, py(v));
    g.textAlign = 'center';
    for (const v of across.ticks) g.fillText(labels.size2(v), px(v), entry.height - 9);
    g.fillStyle = faded(plot.color, 0.6);
    for (let i = 0; i < x.length; i++) g.fillRect(px(x[i]) - 1.5, py(y[i]) - 1.5, 3, 3);
    entry.points = x.length;
  },
};

TABLES.scatter = ({ series: [plot] }) => {
  const x = numbers(plot.x), y = numbers(plot.y);
  return [['size', 'time'], Array.from(x, (v, i) => [print.size(Math.round(2 ** v)), print.time(10 ** y[i])])];
};
