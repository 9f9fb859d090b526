package kdsim

import "path"

// Copies, as the published sources of the copying programs make them.

// Copyfile is fcopyfile(COPYFILE_DATA) of copyfile-224, as cp(1) uses it: open
// both, preallocate, read and write in blocks of the source file system's
// f_iosize (1 MiB by default), truncate to length, copy the metadata.
func (t *Thread) Copyfile(src, dst string, iosize int64) {
	t.OnPath("stat64", src)
	t.OnPath("stat64", dst)
	in := t.Open(src, ORdonly)
	out := t.Open(dst, OWronly|OCreat|OTrunc)
	t.OnFD("fstat64", in)
	t.OnFD("fstatfs64", in)
	t.Fcntl(out, 42, 0x7f00, "F_PREALLOCATE")
	for {
		n := t.ReadBy("read", in, iosize)
		if n <= 0 {
			break
		}
		t.Write(out, n)
	}
	t.Ftruncate(out, t.m.files[t.abs(src)].size)
	t.OnFD("fsetattrlist", out)
	t.Close(in)
	t.Close(out)
}

// FinderCopy copies as copyfile(3) by path does with its descriptors uncached,
// in the helper process, ending in a full sync.
func (t *Thread) FinderCopy(src, dst string, block int64) {
	in := t.OpenBy("open_nocancel", src, ORdonly|OCloexec)
	out := t.OpenBy("open_nocancel", dst, ORdwr|OCreat|OExcl|OCloexec)
	for _, fd := range []int32{in, out} {
		t.Fcntl(fd, 48, 1, "F_NOCACHE")
	}
	t.Fcntl(out, 76, 1, "F_SINGLE_WRITER")
	for {
		n := t.ReadBy("read_nocancel", in, block)
		if n <= 0 {
			break
		}
		t.Disk(t.abs(src), true, n, 2400, 0)
		t.WriteBy("write_nocancel", out, n)
		t.Disk(t.abs(dst), false, n, 4800, 0)
	}
	t.FullSync(out, 24000)
	t.CloseBy("close_nocancel", out)
	t.CloseBy("close_nocancel", in)
}

// Rsync copies as openrsync does: 32 KiB chunks into a hidden file beside the
// destination, which then takes its name.
func (t *Thread) Rsync(src, dst string) {
	tmp := path.Join(path.Dir(dst), "."+path.Base(dst)+".Xa81kQ")
	in := t.Open(src, ORdonly)
	out := t.OpenBy("openat", tmp, ORdwr|OCreat|OExcl)
	for {
		n := t.Read(in, 32<<10)
		if n <= 0 {
			break
		}
		t.Write(out, n)
	}
	t.Close(in)
	t.OnFD("fchmod", out)
	t.Close(out)
	t.Rename(tmp, dst)
}

// Database works as SQLite does on macOS: guarded writes at offsets, a journal
// that is appended to and removed, barriers in between.
func (t *Thread) Database(file string, pages int) {
	db := t.OpenBy("guarded_open_np", file, ORdwr)
	journal := t.Open(file+"-journal", ORdwr|OCreat|OTrunc|OAppend)
	for i := range pages {
		t.Pread("pread_nocancel", db, 4096, int64(i)*8192)
		t.WriteBy("write", journal, 4104)
		t.Fcntl(journal, 85, 0, "F_BARRIERFSYNC")
		t.Pwrite("guarded_pwrite_np", db, 4096, int64(i)*8192+5<<32)
		t.WriteBy("guarded_writev_np", db, 512)
	}
	t.OnFD("fsync", db)
	t.Close(journal)
	t.Unlink(file + "-journal")
	t.CloseBy("guarded_close_np", db)
}
