// Sums that grow over time: straight lines between the moments at which they are known.
FILLERS.path = {
  scale: (entry) => fromNothing(Math.max(...entry.spec.series.map((plot) => { const y = numbers(plot.y); return y[y.length - 1]; }))),
  paint(entry, r) {
    entry.points = 0;
    const thick = Math.max(2, Math.round(2 * r.ratio)), half = thick >> 1;
    for (const plot of entry.spec.series) {
      if (isOff(entry.spec, plot)) continue;
      const x = numbers(plot.x), first = Math.max(r.left, r.x(x[0])), last = Math.min(r.right, r.x(x[x.length - 1]) + 1);
      const time = (column) => view.from + ((column - r.left) / (r.right - r.left)) * span();
      let before = r.y(sumAt(plot, time(first)));
      for (let column = first; column < last; column++) {
        const y = r.y(sumAt(plot, time(column + 1)));
        bar(r, column, Math.min(y, before) - half, column + 1, Math.max(y, before) - half + thick, plot.color);
        before = y;
      }
      entry.points += x.length;
    }
  },
  point: sumReadout,
  details: valuesAt,
  everywhere: true,
};

// sumAt is what a sum had grown to at a time.
function sumAt(plot, t) {
  const x = numbers(plot.x), y = numbers(plot.y), i = lowerBound(x, t);
  if (i === 0) return y[0];
  if (i >= x.length) return y[x.length - 1];
  return x[i] === x[i - 1] ? y[i] : y[i - 1] + ((y[i] - y[i - 1]) * (t - x[i - 1])) / (x[i] - x[i - 1]);
}

// sumReadout tells the sums at the pointer, or at the end of the window.
function sumReadout(entry, at = view.to) {
  entry.readout.replaceChildren(...entry.spec.series.map((plot) => {
    const swatch = element('i', {});
    swatch.style.background = color(plot.color);
    return element('div', { title: plot.name, class: isOff(entry.spec, plot) ? 'off' : '' }, swatch, element('span', {}, plot.name), element('b', {}, print.amount(sumAt(plot, at))));
  }));
}

TABLES.path = (spec) => {
  const times = new Set(spec.series.flatMap((plot) => Array.from(numbers(plot.x))));
  const rows = [...times].sort((a, b) => a - b).filter((t) => t >= view.from && t <= view.to);
  return [['at', ...spec.series.map((plot) => plot.name)], rows.map((t) => [instant(t, span()), ...spec.series.map((plot) => print.amount(sumAt(plot, t)))])];
};
