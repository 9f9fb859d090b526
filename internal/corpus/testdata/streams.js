// Copies several files at once: streams.js WAY SOURCE DESTINATION [SOURCE DESTINATION]...
const fs = require("fs"), { pipeline } = require("stream/promises");
const ways = {
  pipe: (a, b) => fs.createReadStream(a).pipe(fs.createWriteStream(b)),
  pipeline: (a, b) => pipeline(fs.createReadStream(a, { highWaterMark: 1 << 18 }), fs.createWriteStream(b)),
  whole: async (a, b) => fs.promises.writeFile(b, await fs.promises.readFile(a)),
  copyFile: (a, b) => fs.promises.copyFile(a, b),
};
const [way, ...names] = process.argv.slice(2);
for (let i = 0; i < names.length; i += 2) ways[way](names[i], names[i + 1]);
