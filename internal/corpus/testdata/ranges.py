# Serves a directory by HTTP with ranges: ranges.py DIRECTORY PORTFILE [BYTES]. With BYTES the first answer for a file
# ends after so many of them, as when a connection breaks.
import http.server, os, pathlib, re, sys

cut, begun = int(sys.argv[3]) if len(sys.argv) > 3 else 0, set()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = sys.argv[1] + self.path
        size = os.path.getsize(path)
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first, last = (int(asked[1]), min(int(asked[2] or size), size - 1)) if asked else (0, size - 1)
        self.send_response(206 if asked else 200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Last-Modified", "Sat, 01 Jan 2022 00:00:00 GMT")
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.send_header("Content-Length", str(last - first + 1))
        self.end_headers()
        left = last - first + 1
        if cut and path not in begun:
            begun.add(path)
            left, self.close_connection = min(left, cut), True
        with open(path, "rb") as f:
            f.seek(first)
            while left > 0:
                data = f.read(min(left, 65536))
                self.wfile.write(data)
                left -= len(data)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
pathlib.Path(sys.argv[2] + ".new").write_text(str(server.server_port))
pathlib.Path(sys.argv[2] + ".new").rename(sys.argv[2])
server.serve_forever()
