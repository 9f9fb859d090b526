# Copies a file in the way named first: shutil, loop, positions, splice, mmap,
# mmap_write, sendfile.
import mmap, os, shutil, sys

way, source, destination = sys.argv[1:]
if way == "shutil":
    shutil.copyfile(source, destination)
elif way == "loop":
    with open(source, "rb", buffering=0) as i, open(destination, "wb", buffering=0) as o:
        while b := i.read(65536):
            o.write(b)
elif way == "positions":
    i, o = os.open(source, os.O_RDONLY), os.open(destination, os.O_WRONLY | os.O_CREAT)
    at = 0
    while b := os.pread(i, 1 << 18, at):
        at += os.pwrite(o, b, at)
elif way == "splice":
    i, o = os.open(source, os.O_RDONLY), os.open(destination, os.O_WRONLY | os.O_CREAT)
    r, w = os.pipe()
    while n := os.splice(i, w, 1 << 16):
        while n > 0:
            n -= os.splice(r, o, n)
elif way == "sendfile":
    with open(source, "rb") as i, open(destination, "wb") as o:
        at, size = 0, os.path.getsize(source)
        while at < size:
            at += os.sendfile(o.fileno(), i.fileno(), at, min(1 << 20, size - at))
else:
    with open(source, "rb") as i, open(destination, "w+b") as o:
        size = os.path.getsize(source)
        m = mmap.mmap(i.fileno(), size, prot=mmap.PROT_READ)
        if way == "mmap":
            o.truncate(size)
            n = mmap.mmap(o.fileno(), size)
            n[:] = m[:]
            n.flush()
        else:
            for at in range(0, size, 1 << 20):
                os.write(o.fileno(), m[at:at + (1 << 20)])
