# Copies a file in the way named first.
import ctypes, mmap, os, shutil, socket, sys


def shutil_(source, destination):
    shutil.copyfile(source, destination)


def loop(source, destination):
    with open(source, "rb", buffering=0) as i, open(destination, "wb", buffering=0) as o:
        while b := i.read(65536):
            o.write(b)


def whole(source, destination):
    with open(source, "rb") as i, open(destination, "wb") as o:
        o.write(i.read())


def positions(source, destination):
    i, o = both(source, destination)
    at = 0
    while b := os.pread(i, 1 << 18, at):
        at += os.pwrite(o, b, at)


def backwards(source, destination):
    i, o = both(source, destination)
    for at in reversed(range(0, os.path.getsize(source), 1 << 16)):
        os.pwrite(o, os.pread(i, 1 << 16, at), at)


def vectors(source, destination):
    i, o = both(source, destination)
    parts = [bytearray(1 << 14) for _ in range(8)]
    while n := os.readv(i, parts):
        os.writev(o, [memoryview(p)[: max(0, n - k * len(p))] for k, p in enumerate(parts)])


def twice(source, destination):
    """Each block is read twice and written once."""
    i, o = both(source, destination)
    at = 0
    while b := os.pread(i, 1 << 16, at):
        assert b == os.pread(i, 1 << 16, at)
        at += os.pwrite(o, b, at)


def verified(source, destination):
    """Both files are read again and compared."""
    i, o = os.open(source, os.O_RDONLY), os.open(destination, os.O_RDWR | os.O_CREAT)
    while b := os.read(i, 1 << 16):
        os.write(o, b)
    os.lseek(i, 0, 0), os.lseek(o, 0, 0)
    while b := os.read(i, 1 << 16):
        assert b == os.read(o, 1 << 16)


def unnamed(source, destination):
    """The file gets its name when it is complete."""
    i, o = os.open(source, os.O_RDONLY), os.open(".", os.O_TMPFILE | os.O_WRONLY)
    while b := os.read(i, 1 << 16):
        os.write(o, b)
    if ctypes.CDLL(None).linkat(-100, b"/proc/self/fd/%d" % o, -100, destination.encode(), 0x400):
        sys.exit("linkat failed")


def splice(source, destination):
    i, o = both(source, destination)
    r, w = os.pipe()
    while n := os.splice(i, w, 1 << 16):
        while n > 0:
            n -= os.splice(r, o, n)


def range_(source, destination):
    i, o = both(source, destination)
    while os.copy_file_range(i, o, 1 << 20):
        pass


def sendfile(source, destination):
    with open(source, "rb") as i, open(destination, "wb") as o:
        at, size = 0, os.path.getsize(source)
        while at < size:
            at += os.sendfile(o.fileno(), i.fileno(), at, min(1 << 20, size - at))


def send(one, other, source, destination):
    """A process reads and sends, another receives and writes."""
    if os.fork() == 0:
        one.close()
        with open(destination, "wb", buffering=0) as o:
            while b := other.recv(1 << 16):
                o.write(b)
        os._exit(0)
    other.close()
    with open(source, "rb", buffering=0) as i:
        while b := i.read(1 << 16):
            one.sendall(b)
    one.close()
    os.wait()


def sockets(source, destination):
    send(*socket.socketpair(), source, destination)


def tcp(source, destination):
    with socket.create_server(("127.0.0.1", 0)) as server:
        one = socket.create_connection(server.getsockname())
        send(one, server.accept()[0], source, destination)


def mmap_(source, destination):
    with open(source, "rb") as i, open(destination, "w+b") as o:
        m = mapped(i)
        o.truncate(len(m))
        n = mmap.mmap(o.fileno(), len(m))
        n[:] = m[:]
        n.flush()


def mmap_write(source, destination):
    with open(source, "rb") as i, open(destination, "wb") as o:
        m = mapped(i)
        for at in range(0, len(m), 1 << 20):
            os.write(o.fileno(), m[at : at + (1 << 20)])


def read_mmap(source, destination):
    with open(source, "rb") as i, open(destination, "w+b") as o:
        size = os.path.getsize(source)
        o.truncate(size)
        n = mmap.mmap(o.fileno(), size)
        i.readinto(n)
        n.flush()


def mapped(f):
    return mmap.mmap(f.fileno(), os.path.getsize(f.name), prot=mmap.PROT_READ)


def both(source, destination):
    return os.open(source, os.O_RDONLY), os.open(destination, os.O_WRONLY | os.O_CREAT)


way, source, destination = sys.argv[1:]
functions = globals()
functions.get(way + "_", functions.get(way))(source, destination)
