#!/usr/bin/env python3
"""Prints the events of an .iotrace file, one JSON object a line.

Written from docs/trace-format.md alone, to show that the text suffices. Texts
are printed in hexadecimal. Exit status 77: there is no way to decompress zstd.
"""
import json
import shutil
import struct
import subprocess
import sys

MASK = (1 << 64) - 1
LIMIT = 8 << 20
U8, U16, U32, U64 = "B", "H", "I", "Q"
I32, I64, BOOL, TEXT = "i", "q", "?", "text"

# Per kind: name and columns. A column is a name, a type, and how it becomes a
# field: nothing, or a function of the event so far and the value. A key column
# has the type in a list; a list column has the columns of its items.
def minus(field, base):
    return lambda e, v: {field: e[base] - v}


def completed(e, v):
    return {"Completed": e["Start"] + e["Duration"] - e["Ready"] - v if e["By"] == 2 else v}


def start(e, v):
    return {"Duration": v, "Start": e.pop("End") - v}


TABLES = {
    1: ("syscall", [("TID", [U32]), ("Op", [U8]), ("End", I64), ("Duration", I64, start), ("PID", U32), ("Call", U16),
                    ("Flags", U32), ("FD", I32), ("FD2", I32), ("File", U32), ("File2", U32), ("Offset", I64),
                    ("Offset2", I64), ("Requested", I64), ("Short", I64, minus("Result", "Requested")), ("Filled", I64),
                    ("Buffer", U64)]),
    2: ("asyncop", [("TID", [U32]), ("Op", [U8]), ("Complete", I64), ("Latency", I64, minus("Submit", "Complete")),
                    ("PID", U32), ("API", U8), ("Flags", U32), ("File", U32), ("Offset", I64), ("Requested", I64),
                    ("Short", I64, minus("Result", "Requested")), ("Buffer", U64), ("File2", U32)]),
    3: ("fault", [("TID", [U32]), ("End", I64), ("Duration", I64, start), ("PID", U32), ("File", U32), ("Offset", I64),
                  ("Filled", I64)]),
    4: ("request", [("Device", [U32]), ("Op", [U8]), ("Completed", I64), ("Latency", I64, minus("Issued", "Completed")),
                    ("NotQueued", BOOL),
                    ("QueueTime", I64, lambda e, v: {"Queued": -1 if e.pop("NotQueued") else e["Issued"] - v}),
                    ("Sector", U64), ("Bytes", I64), ("Flags", U16), ("PID", U32), ("TID", U32), ("Owner", U32),
                    ("File", U32), ("Offset", I64), ("Evidence", U8), ("Bios", U32), ("Requeues", U32), ("Error", I32),
                    ("More", {"columns": [("File", U32), ("Offset", I64), ("Bytes", I64)]}), ("Others", I64)]),
    5: ("wait", [("TID", [U32]), ("End", I64), ("Duration", I64, start), ("PID", U32), ("Cause", U8),
                 ("Ready", I64), ("By", U8), ("Waker", U32), ("Completed", I64, completed), ("Flags", U8)]),
    6: ("process", [("Time", I64), ("Action", U8), ("PID", U32), ("TID", U32), ("Parent", U32), ("Status", I32),
                    ("CPU", I64), ("Command", TEXT), ("Args", TEXT), ("Exe", TEXT), ("UID", U32), ("Cgroup", TEXT)]),
    7: ("file", [("Time", I64), ("ID", U32), ("Path", TEXT), ("Device", U32), ("Inode", U64), ("Size", I64), ("Type", U8),
                 ("FSType", TEXT), ("Mount", TEXT), ("Flags", U8), ("Host", TEXT)]),
    8: ("device", [("Time", I64), ("ID", U32), ("Name", TEXT), ("Model", TEXT), ("Scheduler", TEXT), ("Rotational", BOOL),
                   ("LogicalBlock", I64), ("PhysicalBlock", I64), ("MaxRequest", I64), ("ReadAhead", I64),
                   ("QueueDepth", I64), ("Size", I64), ("Parents", {"columns": [("ID", U32)]}), ("Backing", TEXT),
                   ("WriteCache", TEXT), ("Firmware", TEXT), ("BackingDirect", BOOL),
                   ("HardwareRequest", I64)]),
    9: ("lost", [("From", I64), ("Length", I64, lambda e, v: {"To": e["From"] + v}), ("Count", U64), ("Kind", U8),
                 ("CPU", I32)]),
}


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def find_zstd():
    try:
        from compression import zstd  # Python 3.14
        return zstd.decompress
    except ImportError:
        pass
    try:
        import zstandard
        return lambda b: zstandard.ZstdDecompressor().decompress(b, max_output_size=LIMIT)
    except ImportError:
        pass
    if shutil.which("zstd"):
        return lambda b: subprocess.run(["zstd", "-dc"], input=b, stdout=subprocess.PIPE, check=True).stdout
    sys.exit(77)


def varint(b, at):
    n = shift = 0
    while True:
        n |= (b[at] & 0x7F) << shift
        shift += 7
        at += 1
        if b[at - 1] < 0x80:
            return (n >> 1 if n % 2 == 0 else ~(n >> 1)), at


def section(b):
    n, = struct.unpack_from("<I", b)
    assert n + 4 <= len(b)
    return b[4:4 + n], b[4 + n:]


def contexts(keys, rows):
    latest, context = {}, []
    for i in range(rows):
        h = 0
        for column in keys:
            h = (h ^ column[i] & 0xFFFFFFFF) * 0x9E3779B1 & 0xFFFFFFFF
        context.append(latest.get(h >> 22, i - 1))
        latest[h >> 22] = i
    return context


def integers(b, rows, keys=()):
    """The values of an integer column, from 0 to 2^64-1."""
    prediction, width = b[0] >> 4, b[0] & 15
    first, at = varint(b, 1)
    low, at = varint(b, at)
    planes = b[at:]
    assert prediction <= 2 and width <= 8 and len(planes) == width * rows
    if prediction == 2:
        context = contexts(keys, rows)
    values = []
    for i in range(rows):
        value = low + sum(planes[k * rows + i] << 8 * k for k in range(width))
        if prediction and i == 0:
            value += first
        elif prediction == 1:
            value += values[i - 1]
        elif prediction == 2:
            value += values[context[i]]
        values.append(value & MASK)
    return values


def texts(b, rows):
    n, = struct.unpack_from("<I", b)
    lengths, b = section(b[4:])
    numbers, b = section(b)
    distinct = []
    for length in integers(lengths, n):
        distinct.append(b[:length].hex())
        b = b[length:]
    assert not b
    return [distinct[i] for i in integers(numbers, rows)]


def fits(value, kind):
    """The value as a number of a type of struct."""
    if kind == BOOL:
        assert value <= 1
        return value == 1
    signed = value - (1 << 64) if value >> 63 else value
    value = signed if kind in (I32, I64) else value
    struct.pack("<" + kind, value)  # fails if it does not fit
    return value


def derived(derive, event, value):
    """The fields a derived column gives, which are all signed."""
    return {name: fits(v & MASK, I64) for name, v in derive(event, value).items()}


def table(b, columns, rows):
    events, keys = [{} for _ in range(rows)], []
    for name, kind, *derive in columns:
        if not b:  # written before the column was added
            for event in events:
                event[name] = {TEXT: "", BOOL: False}.get(kind, 0)
            continue
        body, b = section(b)
        if kind == TEXT:
            values = texts(body, rows)
        elif isinstance(kind, dict):
            counts, body = section(body)
            counts = integers(counts, rows)
            items = table(body, kind["columns"], sum(counts))
            items = iter([i["ID"] for i in items] if name == "Parents" else items)
            values = [[next(items) for _ in range(n)] for n in counts]
        else:
            values = integers(body, rows, keys)
            if isinstance(kind, list):
                keys.append(values)
                kind, = kind
            values = [fits(v, kind) for v in values]
        for event, value in zip(events, values):
            event.update(derived(derive[0], event, value) if derive else {name: value})
    return events


def frames(data):
    """Valid frames: kind, batch, rows, payload."""
    at = 16
    while (at := data.find(b"\xf5IO\xa5", at)) >= 0 and at + 32 <= len(data):
        kind, codec, batch, rows, stored, raw, crc, own = struct.unpack_from("<4xBBxxIIIIII", data, at)
        if crc32c(data[at:at + 28]) != own or stored > LIMIT or raw > LIMIT:
            at += 1
            continue
        payload = data[at + 32:at + 32 + stored]
        at += 32 + stored
        if len(payload) < stored or crc32c(payload) != crc:
            print("damaged or cut frame", file=sys.stderr)
            continue
        if codec == 1:
            payload = decompress(payload)
        assert len(payload) == raw
        yield kind, batch, rows, payload


def main():
    with open(sys.argv[1], "rb") as f:
        data = f.read()
    signature, version, crc = struct.unpack_from("<8sII", data)
    if signature != b"\x89iotrace" or crc != crc32c(data[:12]):
        sys.exit("not an iotrace file")
    if version > 1:
        sys.exit("a newer version of the format")
    counts, end = {}, None
    for kind, batch, rows, payload in frames(data):
        if kind in TABLES:
            name, columns = TABLES[kind]
            for event in table(payload, columns, rows):
                print(json.dumps({"kind": name, "event": event}))
            counts[name] = counts.get(name, 0) + rows
        elif kind == 67:
            end = json.loads(payload)
    if end is None:
        print("the recording was interrupted", file=sys.stderr)
    elif end["counts"] != counts:
        sys.exit(f"{counts} events, the end says {end['counts']}")


decompress = find_zstd()
main()
