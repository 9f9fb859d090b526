// The data of the page: JSON with columns of numbers in base64, packed where there is much of it.
const inflated = (text) => new Response(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('gzip')));
const source = document.getElementById('data');
const page = 'packed' in source.dataset ? await inflated(source.textContent).json() : JSON.parse(source.textContent);
const TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array };

// numbers decodes a column once, when it is first drawn.
function numbers(column) {
  if (!column.values) {
    const text = atob(column.d || '');
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    column.values = TYPES[column.t] ? new TYPES[column.t](bytes.buffer) : varints(bytes, column.t === 'delta');
    column.d = '';
  }
  return column.values;
}

// varints reads zigzag varints, or the sums of such differences.
function varints(bytes, differences) {
  const out = [];
  let value = 0, scale = 1, last = 0;
  for (const b of bytes) {
    value += (b & 127) * scale;
    scale *= 128;
    if (b & 128) continue;
    const v = value % 2 ? -(value + 1) / 2 : value / 2;
    last = differences ? last + v : v;
    out.push(last);
    value = 0;
    scale = 1;
  }
  return Float64Array.from(out);
}

// words are what is searched for; a text matches that has all of them.
let words = [];
const matches = (text) => words.every((w) => text.toLowerCase().includes(w));

// lowerBound is the first index whose value is not below x.
function lowerBound(values, x) {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
