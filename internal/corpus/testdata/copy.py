# Copies a file in the way named first: shutil, loop, mmap, mmap_write, sendfile.
import mmap, os, shutil, sys

way, source, destination = sys.argv[1:]
if way == "shutil":
    shutil.copyfile(source, destination)
elif way == "loop":
    with open(source, "rb", buffering=0) as i, open(destination, "wb", buffering=0) as o:
        while b := i.read(65536):
            o.write(b)
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
