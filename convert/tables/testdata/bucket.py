"""Serves buckets over the protocol of S3, at first none, until its standard input ends: prints where (HOST:PORT)."""

import sys

from moto.server import ThreadedMotoServer

server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
server.start()
print(":".join(map(str, server.get_host_and_port())), flush=True)
sys.stdin.read()
server.stop()
