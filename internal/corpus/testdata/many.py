# Copies several files in threads or processes: many.py WAY WORKERS SOURCE DESTINATION [SOURCE DESTINATION]...
import os, shutil, sys
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool


def loop(source, destination):
    with open(source, "rb", buffering=0) as i, open(destination, "wb", buffering=0) as o:
        while b := i.read(65536):
            o.write(b)


def copyfileobj(source, destination):
    with open(source, "rb") as i, open(destination, "wb") as o:
        shutil.copyfileobj(i, o)


def positions(source, destination):
    i, o = os.open(source, os.O_RDONLY), os.open(destination, os.O_WRONLY | os.O_CREAT)
    at = 0
    while b := os.pread(i, 1 << 17, at):
        at += os.pwrite(o, b, at)


def sendfile(source, destination):
    with open(source, "rb") as i, open(destination, "wb") as o:
        while os.sendfile(o.fileno(), i.fileno(), None, 1 << 17):
            pass


way, workers, names = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
copyfile = shutil.copyfile
pool = Pool if way == "processes" else ThreadPool
copy = loop if way == "processes" else globals()[way]
with pool(workers) as p:
    p.starmap(copy, zip(names[::2], names[1::2]), 1)
