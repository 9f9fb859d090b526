// What is not over time is drawn by the library: bars of a distribution, and speed over the
// bytes moved.
function drawByLibrary(entry) {
  entry.chart = entry.chart || echarts.init(entry.plot, null, { renderer: 'canvas' });
  const option = resolved(entry.spec.option);
  option.animation = false;
  for (const grid of option.grid) grid.outerBoundsMode = 'none'; // or wide labels would move the axis
  option.textStyle = { fontFamily: family };
  FILLERS[entry.spec.kind].fill(entry, option);
  entry.chart.setOption(option, true);
}

// resolved replaces names of colours and functions in options.
function resolved(value, key) {
  if (Array.isArray(value)) return value.map((v) => resolved(v, key));
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, resolved(v, k)]));
  if (typeof value !== 'string') return value;
  if (key === 'color' && value.startsWith('$')) return color(value.slice(1));
  if (key === 'formatter' && value.startsWith('fn:')) return labels[value.slice(3)];
  return value;
}

FILLERS.bars = {
  fill(entry, option) {
    entry.points = 0;
    entry.spec.series.forEach((plot, i) => {
      option.series[i].data = Array.from(numbers(plot.y), (v) => v || null);
      entry.points += option.series[i].data.filter((v) => v !== null).length;
    });
    const top = Math.max(...entry.spec.series.map((p) => Math.max(...numbers(p.y))));
    if (top > 0.75) Object.assign(option.yAxis[0], { max: 1, interval: 0.25 });
  },
};

FILLERS.curve = {
  fill(entry, option) {
    const [plot] = entry.spec.series, x = numbers(plot.x), y = numbers(plot.y);
    option.series[0].data = Array.from(x, (v, i) => [v, y[i]]);
    option.series[0].data.unshift([0, y[0]]);
    entry.points = x.length;
  },
};

// whatBar tells the values of a bar chart under the pointer.
function whatBar(entry, event) {
  const [x] = entry.chart.convertFromPixel({ gridIndex: 0 }, [event.offsetX, event.offsetY]) || [];
  const axis = entry.spec.option.xAxis[0].data;
  if (x === undefined || x < 0 || x >= axis.length) return tip(null);
  const unit = print[entry.spec.unit] || print.time;
  const from = 2 ** Number(axis[x]), to = 2 ** (Number(axis[x]) + 0.25);
  const rows = entry.spec.series.map((plot) => [plot.name, print.share(numbers(plot.y)[x])]);
  tip([`${unit(from)} to ${unit(to)}`, ...rows], event);
}
