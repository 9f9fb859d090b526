#!/usr/sbin/dtrace -Zs
/*
 * iotrace - print the file calls of processes, one line each.
 *           Written for darwin, providers syscall.
 *
 * USAGE: dtrace -Z -x droptags -s /dev/stdin
 *
 * FIELDS: docs/dtrace-protocol.md. Numbers first, texts last, escaped by %S,
 *         separated by tabs. Times are in ns.
 *
 * NOTES: -Z because not every version has every call. Lines are printed when a
 *        call returns, so its text is in memory by then; a text that cannot be
 *        read after all comes out empty.
 */

/* only what is printed here */
#pragma D option quiet
/* a line is out after 0.1 s at the latest */
#pragma D option switchrate=10hz
/* a loss is told within 0.1 s */
#pragma D option statusrate=10hz
/* for each CPU */
#pragma D option bufsize=16384k
/* the longest path */
#pragma D option strsize=1024
/* calls under way and processes followed */
#pragma D option dynvarsize=16m
/* calls come and go quickly */
#pragma D option cleanrate=50hz

BEGIN
{
	trk[501] = 1;
	printf("V\t%d\t%d\t%d\t%s\t%s\n", 2, timestamp, walltimestamp, "darwin", "syscall");
}

syscall::getpgid:entry
/pid == 4242/
{
	printf("M\t%d\t%d\n", cpu, timestamp);
}

syscall::read:entry,
syscall::write:entry,
syscall::getdirentries64:entry,
syscall::read_nocancel:entry,
syscall::write_nocancel:entry,
syscall::open:entry,
syscall::open_dprotected_np:entry,
syscall::open_extended:entry,
syscall::open_nocancel:entry,
syscall::close:entry,
syscall::fchdir:entry,
syscall::fchflags:entry,
syscall::dup:entry,
syscall::ioctl:entry,
syscall::fsync:entry,
syscall::fchown:entry,
syscall::fchmod:entry,
syscall::flock:entry,
syscall::futimes:entry,
syscall::fstatfs:entry,
syscall::fdatasync:entry,
syscall::fstat:entry,
syscall::fgetattrlist:entry,
syscall::fsetattrlist:entry,
syscall::fgetxattr:entry,
syscall::fsetxattr:entry,
syscall::fremovexattr:entry,
syscall::flistxattr:entry,
syscall::ffsctl:entry,
syscall::fchmod_extended:entry,
syscall::aio_cancel:entry,
syscall::fstat64:entry,
syscall::fstat64_extended:entry,
syscall::fstatfs64:entry,
syscall::close_nocancel:entry,
syscall::fsync_nocancel:entry,
syscall::guarded_close_np:entry,
syscall::change_fdguard_np:entry,
syscall::freadlink:entry,
syscall::link:entry,
syscall::rename:entry,
syscall::exchangedata:entry,
syscall::copyfile:entry,
syscall::unlink:entry,
syscall::chdir:entry,
syscall::chmod:entry,
syscall::chown:entry,
syscall::access:entry,
syscall::chflags:entry,
syscall::readlink:entry,
syscall::mkdir:entry,
syscall::rmdir:entry,
syscall::utimes:entry,
syscall::statfs:entry,
syscall::stat:entry,
syscall::lstat:entry,
syscall::getattrlist:entry,
syscall::setattrlist:entry,
syscall::delete:entry,
syscall::getxattr:entry,
syscall::setxattr:entry,
syscall::removexattr:entry,
syscall::listxattr:entry,
syscall::fsctl:entry,
syscall::chmod_extended:entry,
syscall::mkdir_extended:entry,
syscall::stat64:entry,
syscall::lstat64:entry,
syscall::stat64_extended:entry,
syscall::lstat64_extended:entry,
syscall::statfs64:entry,
syscall::lchown:entry,
syscall::sync:entry,
syscall::access_extended:entry,
syscall::aio_fsync:entry,
syscall::aio_suspend:entry,
syscall::aio_error:entry,
syscall::lio_listio:entry,
syscall::getfsstat64:entry,
syscall::aio_suspend_nocancel:entry,
syscall::fsgetpath:entry,
syscall::fs_snapshot:entry,
syscall::symlink:entry,
syscall::msync:entry,
syscall::msync_nocancel:entry,
syscall::dup2:entry,
syscall::fcntl:entry,
syscall::fcntl_nocancel:entry,
syscall::readv:entry,
syscall::writev:entry,
syscall::readv_nocancel:entry,
syscall::writev_nocancel:entry,
syscall::pread:entry,
syscall::pwrite:entry,
syscall::pread_nocancel:entry,
syscall::pwrite_nocancel:entry,
syscall::mmap:entry,
syscall::lseek:entry,
syscall::truncate:entry,
syscall::ftruncate:entry,
syscall::openat_dprotected_np:entry,
syscall::openat:entry,
syscall::openat_nocancel:entry,
syscall::aio_return:entry,
syscall::aio_read:entry,
syscall::aio_write:entry,
syscall::sendfile:entry,
syscall::guarded_open_np:entry,
syscall::guarded_open_dprotected_np:entry,
syscall::getattrlistbulk:entry,
syscall::clonefileat:entry,
syscall::renameat:entry,
syscall::linkat:entry,
syscall::renameatx_np:entry,
syscall::faccessat:entry,
syscall::fchmodat:entry,
syscall::fchownat:entry,
syscall::fstatat:entry,
syscall::fstatat64:entry,
syscall::unlinkat:entry,
syscall::readlinkat:entry,
syscall::mkdirat:entry,
syscall::getattrlistat:entry,
syscall::setattrlistat:entry,
syscall::symlinkat:entry,
syscall::openbyid_np:entry,
syscall::guarded_write_np:entry,
syscall::guarded_pwrite_np:entry,
syscall::guarded_writev_np:entry,
syscall::fclonefileat:entry,
syscall::preadv:entry,
syscall::pwritev:entry,
syscall::preadv_nocancel:entry,
syscall::pwritev_nocancel:entry
/!trk[pid] && trk[ppid]/
{
	trk[pid] = 1;
	printf("F\t%d\t%d\t%d\t%d\n", cpu, timestamp, ppid, pid);
}

syscall::read:entry,
syscall::write:entry,
syscall::getdirentries64:entry,
syscall::read_nocancel:entry,
syscall::write_nocancel:entry,
syscall::open:entry,
syscall::open_dprotected_np:entry,
syscall::open_extended:entry,
syscall::open_nocancel:entry,
syscall::close:entry,
syscall::fchdir:entry,
syscall::fchflags:entry,
syscall::dup:entry,
syscall::ioctl:entry,
syscall::fsync:entry,
syscall::fchown:entry,
syscall::fchmod:entry,
syscall::flock:entry,
syscall::futimes:entry,
syscall::fstatfs:entry,
syscall::fdatasync:entry,
syscall::fstat:entry,
syscall::fgetattrlist:entry,
syscall::fsetattrlist:entry,
syscall::fgetxattr:entry,
syscall::fsetxattr:entry,
syscall::fremovexattr:entry,
syscall::flistxattr:entry,
syscall::ffsctl:entry,
syscall::fchmod_extended:entry,
syscall::aio_cancel:entry,
syscall::fstat64:entry,
syscall::fstat64_extended:entry,
syscall::fstatfs64:entry,
syscall::close_nocancel:entry,
syscall::fsync_nocancel:entry,
syscall::guarded_close_np:entry,
syscall::change_fdguard_np:entry,
syscall::freadlink:entry,
syscall::link:entry,
syscall::rename:entry,
syscall::exchangedata:entry,
syscall::copyfile:entry,
syscall::unlink:entry,
syscall::chdir:entry,
syscall::chmod:entry,
syscall::chown:entry,
syscall::access:entry,
syscall::chflags:entry,
syscall::readlink:entry,
syscall::mkdir:entry,
syscall::rmdir:entry,
syscall::utimes:entry,
syscall::statfs:entry,
syscall::stat:entry,
syscall::lstat:entry,
syscall::getattrlist:entry,
syscall::setattrlist:entry,
syscall::delete:entry,
syscall::getxattr:entry,
syscall::setxattr:entry,
syscall::removexattr:entry,
syscall::listxattr:entry,
syscall::fsctl:entry,
syscall::chmod_extended:entry,
syscall::mkdir_extended:entry,
syscall::stat64:entry,
syscall::lstat64:entry,
syscall::stat64_extended:entry,
syscall::lstat64_extended:entry,
syscall::statfs64:entry,
syscall::lchown:entry,
syscall::sync:entry,
syscall::access_extended:entry,
syscall::aio_fsync:entry,
syscall::aio_suspend:entry,
syscall::aio_error:entry,
syscall::lio_listio:entry,
syscall::getfsstat64:entry,
syscall::aio_suspend_nocancel:entry,
syscall::fsgetpath:entry,
syscall::fs_snapshot:entry,
syscall::symlink:entry,
syscall::msync:entry,
syscall::msync_nocancel:entry,
syscall::dup2:entry,
syscall::fcntl:entry,
syscall::fcntl_nocancel:entry,
syscall::readv:entry,
syscall::writev:entry,
syscall::readv_nocancel:entry,
syscall::writev_nocancel:entry,
syscall::pread:entry,
syscall::pwrite:entry,
syscall::pread_nocancel:entry,
syscall::pwrite_nocancel:entry,
syscall::mmap:entry,
syscall::lseek:entry,
syscall::truncate:entry,
syscall::ftruncate:entry,
syscall::openat_dprotected_np:entry,
syscall::openat:entry,
syscall::openat_nocancel:entry,
syscall::aio_return:entry,
syscall::aio_read:entry,
syscall::aio_write:entry,
syscall::sendfile:entry,
syscall::guarded_open_np:entry,
syscall::guarded_open_dprotected_np:entry,
syscall::getattrlistbulk:entry,
syscall::clonefileat:entry,
syscall::renameat:entry,
syscall::linkat:entry,
syscall::renameatx_np:entry,
syscall::faccessat:entry,
syscall::fchmodat:entry,
syscall::fchownat:entry,
syscall::fstatat:entry,
syscall::fstatat64:entry,
syscall::unlinkat:entry,
syscall::readlinkat:entry,
syscall::mkdirat:entry,
syscall::getattrlistat:entry,
syscall::setattrlistat:entry,
syscall::symlinkat:entry,
syscall::openbyid_np:entry,
syscall::guarded_write_np:entry,
syscall::guarded_pwrite_np:entry,
syscall::guarded_writev_np:entry,
syscall::fclonefileat:entry,
syscall::preadv:entry,
syscall::pwritev:entry,
syscall::preadv_nocancel:entry,
syscall::pwritev_nocancel:entry
/!trk[pid] && (execname == "Finder" || substr(execname, 0, 15) == "DesktopServices")/
{
	trk[pid] = 1;
}

syscall::execve:entry,
syscall::__mac_execve:entry
/trk[pid]/
{
	execing[pid] = 1;
}

syscall::execve:return,
syscall::__mac_execve:return
/trk[pid] && errno != 0/
{
	execing[pid] = 0;
}

syscall::read:entry,
syscall::write:entry,
syscall::getdirentries64:entry,
syscall::read_nocancel:entry,
syscall::write_nocancel:entry,
syscall::open:entry,
syscall::open_dprotected_np:entry,
syscall::open_extended:entry,
syscall::open_nocancel:entry,
syscall::close:entry,
syscall::fchdir:entry,
syscall::fchflags:entry,
syscall::dup:entry,
syscall::ioctl:entry,
syscall::fsync:entry,
syscall::fchown:entry,
syscall::fchmod:entry,
syscall::flock:entry,
syscall::futimes:entry,
syscall::fstatfs:entry,
syscall::fdatasync:entry,
syscall::fstat:entry,
syscall::fgetattrlist:entry,
syscall::fsetattrlist:entry,
syscall::fgetxattr:entry,
syscall::fsetxattr:entry,
syscall::fremovexattr:entry,
syscall::flistxattr:entry,
syscall::ffsctl:entry,
syscall::fchmod_extended:entry,
syscall::aio_cancel:entry,
syscall::fstat64:entry,
syscall::fstat64_extended:entry,
syscall::fstatfs64:entry,
syscall::close_nocancel:entry,
syscall::fsync_nocancel:entry,
syscall::guarded_close_np:entry,
syscall::change_fdguard_np:entry,
syscall::freadlink:entry,
syscall::link:entry,
syscall::rename:entry,
syscall::exchangedata:entry,
syscall::copyfile:entry,
syscall::unlink:entry,
syscall::chdir:entry,
syscall::chmod:entry,
syscall::chown:entry,
syscall::access:entry,
syscall::chflags:entry,
syscall::readlink:entry,
syscall::mkdir:entry,
syscall::rmdir:entry,
syscall::utimes:entry,
syscall::statfs:entry,
syscall::stat:entry,
syscall::lstat:entry,
syscall::getattrlist:entry,
syscall::setattrlist:entry,
syscall::delete:entry,
syscall::getxattr:entry,
syscall::setxattr:entry,
syscall::removexattr:entry,
syscall::listxattr:entry,
syscall::fsctl:entry,
syscall::chmod_extended:entry,
syscall::mkdir_extended:entry,
syscall::stat64:entry,
syscall::lstat64:entry,
syscall::stat64_extended:entry,
syscall::lstat64_extended:entry,
syscall::statfs64:entry,
syscall::lchown:entry,
syscall::sync:entry,
syscall::access_extended:entry,
syscall::aio_fsync:entry,
syscall::aio_suspend:entry,
syscall::aio_error:entry,
syscall::lio_listio:entry,
syscall::getfsstat64:entry,
syscall::aio_suspend_nocancel:entry,
syscall::fsgetpath:entry,
syscall::fs_snapshot:entry,
syscall::symlink:entry,
syscall::msync:entry,
syscall::msync_nocancel:entry,
syscall::dup2:entry,
syscall::fcntl:entry,
syscall::fcntl_nocancel:entry,
syscall::readv:entry,
syscall::writev:entry,
syscall::readv_nocancel:entry,
syscall::writev_nocancel:entry,
syscall::pread:entry,
syscall::pwrite:entry,
syscall::pread_nocancel:entry,
syscall::pwrite_nocancel:entry,
syscall::mmap:entry,
syscall::lseek:entry,
syscall::truncate:entry,
syscall::ftruncate:entry,
syscall::openat_dprotected_np:entry,
syscall::openat:entry,
syscall::openat_nocancel:entry,
syscall::aio_return:entry,
syscall::aio_read:entry,
syscall::aio_write:entry,
syscall::sendfile:entry,
syscall::guarded_open_np:entry,
syscall::guarded_open_dprotected_np:entry,
syscall::getattrlistbulk:entry,
syscall::clonefileat:entry,
syscall::renameat:entry,
syscall::linkat:entry,
syscall::renameatx_np:entry,
syscall::faccessat:entry,
syscall::fchmodat:entry,
syscall::fchownat:entry,
syscall::fstatat:entry,
syscall::fstatat64:entry,
syscall::unlinkat:entry,
syscall::readlinkat:entry,
syscall::mkdirat:entry,
syscall::getattrlistat:entry,
syscall::setattrlistat:entry,
syscall::symlinkat:entry,
syscall::openbyid_np:entry,
syscall::guarded_write_np:entry,
syscall::guarded_pwrite_np:entry,
syscall::guarded_writev_np:entry,
syscall::fclonefileat:entry,
syscall::preadv:entry,
syscall::pwritev:entry,
syscall::preadv_nocancel:entry,
syscall::pwritev_nocancel:entry
/execing[pid]/
{
	execing[pid] = 0;
	printf("X\t%d\t%d\t%d\t%S\n", cpu, timestamp, pid, execname);
}

syscall::exit:entry
/trk[pid]/
{
	printf("E\t%d\t%d\t%d\t1\t%d\n", cpu, timestamp, pid, (int)arg0);
}

/* fd, buffer, length */
syscall::read:entry,
syscall::write:entry,
syscall::getdirentries64:entry,
syscall::read_nocancel:entry,
syscall::write_nocancel:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
}

syscall::read:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tread\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::write:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\twrite\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::getdirentries64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tgetdirentries64\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::read_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tread_nocancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::write_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\twrite_nocancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* path, flags */
syscall::open:entry,
syscall::open_dprotected_np:entry,
syscall::open_extended:entry,
syscall::open_nocancel:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg1;
	self->b = arg0;
}

syscall::open:return,
syscall::open_dprotected_np:return,
syscall::open_extended:return,
syscall::open_nocancel:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::open:return,
syscall::open_dprotected_np:return,
syscall::open_extended:return,
syscall::open_nocancel:return
/self->ts && self->b/
{
	this->p = copyinstr(self->b);
}

syscall::open:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\topen\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->a, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::open_dprotected_np:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\topen_dprotected_np\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->a, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::open_extended:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\topen_extended\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->a, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::open_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\topen_nocancel\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->a, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* fd */
syscall::close:entry,
syscall::fchdir:entry,
syscall::fchflags:entry,
syscall::dup:entry,
syscall::ioctl:entry,
syscall::fsync:entry,
syscall::fchown:entry,
syscall::fchmod:entry,
syscall::flock:entry,
syscall::futimes:entry,
syscall::fstatfs:entry,
syscall::fdatasync:entry,
syscall::fstat:entry,
syscall::fgetattrlist:entry,
syscall::fsetattrlist:entry,
syscall::fgetxattr:entry,
syscall::fsetxattr:entry,
syscall::fremovexattr:entry,
syscall::flistxattr:entry,
syscall::ffsctl:entry,
syscall::fchmod_extended:entry,
syscall::aio_cancel:entry,
syscall::fstat64:entry,
syscall::fstat64_extended:entry,
syscall::fstatfs64:entry,
syscall::close_nocancel:entry,
syscall::fsync_nocancel:entry,
syscall::guarded_close_np:entry,
syscall::change_fdguard_np:entry,
syscall::freadlink:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
}

syscall::close:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tclose\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fchdir:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfchdir\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fchflags:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfchflags\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::dup:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tdup\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::ioctl:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tioctl\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fsync:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfsync\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fchown:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfchown\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fchmod:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfchmod\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::flock:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tflock\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::futimes:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfutimes\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fstatfs:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfstatfs\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fdatasync:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfdatasync\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fstat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfstat\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fgetattrlist:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfgetattrlist\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fsetattrlist:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfsetattrlist\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fgetxattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfgetxattr\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fsetxattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfsetxattr\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fremovexattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfremovexattr\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::flistxattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tflistxattr\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::ffsctl:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tffsctl\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fchmod_extended:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfchmod_extended\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::aio_cancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\taio_cancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fstat64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfstat64\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fstat64_extended:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfstat64_extended\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fstatfs64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfstatfs64\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::close_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tclose_nocancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::fsync_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfsync_nocancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::guarded_close_np:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tguarded_close_np\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::change_fdguard_np:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tchange_fdguard_np\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::freadlink:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfreadlink\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

/* path, path */
syscall::link:entry,
syscall::rename:entry,
syscall::exchangedata:entry,
syscall::copyfile:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg1;
}

syscall::link:return,
syscall::rename:return,
syscall::exchangedata:return,
syscall::copyfile:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::link:return,
syscall::rename:return,
syscall::exchangedata:return,
syscall::copyfile:return
/self->ts && self->a/
{
	this->p = copyinstr(self->a);
}

syscall::link:return,
syscall::rename:return,
syscall::exchangedata:return,
syscall::copyfile:return
/self->ts && self->b/
{
	this->q = copyinstr(self->b);
}

syscall::link:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tlink\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::rename:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\trename\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::exchangedata:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\texchangedata\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::copyfile:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tcopyfile\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* path */
syscall::unlink:entry,
syscall::chdir:entry,
syscall::chmod:entry,
syscall::chown:entry,
syscall::access:entry,
syscall::chflags:entry,
syscall::readlink:entry,
syscall::mkdir:entry,
syscall::rmdir:entry,
syscall::utimes:entry,
syscall::statfs:entry,
syscall::stat:entry,
syscall::lstat:entry,
syscall::getattrlist:entry,
syscall::setattrlist:entry,
syscall::delete:entry,
syscall::getxattr:entry,
syscall::setxattr:entry,
syscall::removexattr:entry,
syscall::listxattr:entry,
syscall::fsctl:entry,
syscall::chmod_extended:entry,
syscall::mkdir_extended:entry,
syscall::stat64:entry,
syscall::lstat64:entry,
syscall::stat64_extended:entry,
syscall::lstat64_extended:entry,
syscall::statfs64:entry,
syscall::lchown:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
}

syscall::unlink:return,
syscall::chdir:return,
syscall::chmod:return,
syscall::chown:return,
syscall::access:return,
syscall::chflags:return,
syscall::readlink:return,
syscall::mkdir:return,
syscall::rmdir:return,
syscall::utimes:return,
syscall::statfs:return,
syscall::stat:return,
syscall::lstat:return,
syscall::getattrlist:return,
syscall::setattrlist:return,
syscall::delete:return,
syscall::getxattr:return,
syscall::setxattr:return,
syscall::removexattr:return,
syscall::listxattr:return,
syscall::fsctl:return,
syscall::chmod_extended:return,
syscall::mkdir_extended:return,
syscall::stat64:return,
syscall::lstat64:return,
syscall::stat64_extended:return,
syscall::lstat64_extended:return,
syscall::statfs64:return,
syscall::lchown:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::unlink:return,
syscall::chdir:return,
syscall::chmod:return,
syscall::chown:return,
syscall::access:return,
syscall::chflags:return,
syscall::readlink:return,
syscall::mkdir:return,
syscall::rmdir:return,
syscall::utimes:return,
syscall::statfs:return,
syscall::stat:return,
syscall::lstat:return,
syscall::getattrlist:return,
syscall::setattrlist:return,
syscall::delete:return,
syscall::getxattr:return,
syscall::setxattr:return,
syscall::removexattr:return,
syscall::listxattr:return,
syscall::fsctl:return,
syscall::chmod_extended:return,
syscall::mkdir_extended:return,
syscall::stat64:return,
syscall::lstat64:return,
syscall::stat64_extended:return,
syscall::lstat64_extended:return,
syscall::statfs64:return,
syscall::lchown:return
/self->ts && self->a/
{
	this->p = copyinstr(self->a);
}

syscall::unlink:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tunlink\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::chdir:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tchdir\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::chmod:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tchmod\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::chown:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tchown\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::access:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\taccess\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::chflags:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tchflags\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::readlink:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\treadlink\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::mkdir:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tmkdir\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::rmdir:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\trmdir\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::utimes:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tutimes\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::statfs:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tstatfs\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::stat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tstat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::lstat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tlstat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::getattrlist:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tgetattrlist\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::setattrlist:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tsetattrlist\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::delete:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tdelete\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::getxattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tgetxattr\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::setxattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tsetxattr\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::removexattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tremovexattr\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::listxattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tlistxattr\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::fsctl:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfsctl\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::chmod_extended:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tchmod_extended\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::mkdir_extended:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tmkdir_extended\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::stat64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tstat64\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::lstat64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tlstat64\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::stat64_extended:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tstat64_extended\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::lstat64_extended:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tlstat64_extended\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::statfs64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tstatfs64\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::lchown:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tlchown\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

/* nothing of interest */
syscall::sync:entry,
syscall::access_extended:entry,
syscall::aio_fsync:entry,
syscall::aio_suspend:entry,
syscall::aio_error:entry,
syscall::lio_listio:entry,
syscall::getfsstat64:entry,
syscall::aio_suspend_nocancel:entry,
syscall::fsgetpath:entry,
syscall::fs_snapshot:entry
/trk[pid]/
{
	self->ts = timestamp;
}

syscall::sync:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tsync\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

syscall::access_extended:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\taccess_extended\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

syscall::aio_fsync:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\taio_fsync\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

syscall::aio_suspend:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\taio_suspend\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

syscall::aio_error:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\taio_error\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

syscall::lio_listio:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tlio_listio\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

syscall::getfsstat64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tgetfsstat64\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

syscall::aio_suspend_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\taio_suspend_nocancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

syscall::fsgetpath:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfsgetpath\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

syscall::fs_snapshot:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfs_snapshot\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

/* (target), path */
syscall::symlink:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg1;
}

syscall::symlink:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::symlink:return
/self->ts && self->a/
{
	this->q = copyinstr(self->a);
}

syscall::symlink:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tsymlink\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p, this->q);
	self->ts = 0;
	self->a = 0;
}

/* address, length */
syscall::msync:entry,
syscall::msync_nocancel:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg1;
	self->b = arg0;
}

syscall::msync:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tmsync\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)self->a, (int64_t)self->b, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::msync_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tmsync_nocancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)self->a, (int64_t)self->b, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* fd, new fd */
syscall::dup2:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg1;
}

syscall::dup2:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tdup2\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* fd, command, argument */
syscall::fcntl:entry,
syscall::fcntl_nocancel:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
	self->c = arg1;
}

syscall::fcntl:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfcntl\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, self->c);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

syscall::fcntl_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfcntl_nocancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, self->c);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

/* fd, vector, count */
syscall::readv:entry,
syscall::writev:entry,
syscall::readv_nocancel:entry,
syscall::writev_nocancel:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
}

syscall::readv:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\treadv\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::writev:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\twritev\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::readv_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\treadv_nocancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::writev_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\twritev_nocancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

/* fd, buffer, length, offset */
syscall::pread:entry,
syscall::pwrite:entry,
syscall::pread_nocancel:entry,
syscall::pwrite_nocancel:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
	self->c = arg3;
}

syscall::pread:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tpread\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

syscall::pwrite:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tpwrite\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

syscall::pread_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tpread_nocancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

syscall::pwrite_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tpwrite_nocancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

/* address, length, protection, flags, fd, offset */
syscall::mmap:entry
/trk[pid] && (int)arg4 >= 0/
{
	self->ts = timestamp;
	self->a = arg4;
	self->b = arg1;
	self->c = arg5;
	self->d = ((arg2 & 0xff) | (arg3 << 8));
}

syscall::mmap:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tmmap\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, self->d);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
	self->d = 0;
}

/* fd, offset, whence */
syscall::lseek:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
}

syscall::lseek:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tlseek\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, self->b);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* path, length */
syscall::truncate:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg1;
	self->b = arg0;
}

syscall::truncate:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::truncate:return
/self->ts && self->b/
{
	this->p = copyinstr(self->b);
}

syscall::truncate:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\ttruncate\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)self->a, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* fd, length */
syscall::ftruncate:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg1;
}

syscall::ftruncate:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tftruncate\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* dirfd, path, flags */
syscall::openat_dprotected_np:entry,
syscall::openat:entry,
syscall::openat_nocancel:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
	self->c = arg1;
}

syscall::openat_dprotected_np:return,
syscall::openat:return,
syscall::openat_nocancel:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::openat_dprotected_np:return,
syscall::openat:return,
syscall::openat_nocancel:return
/self->ts && self->c/
{
	this->p = copyinstr(self->c);
}

syscall::openat_dprotected_np:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\topenat_dprotected_np\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)self->a, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->b, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

syscall::openat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\topenat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)self->a, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->b, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

syscall::openat_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\topenat_nocancel\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)self->a, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->b, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

/* aiocb */
syscall::aio_return:entry,
syscall::aio_read:entry,
syscall::aio_write:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
}

syscall::aio_return:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\taio_return\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)self->a, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::aio_read:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\taio_read\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)self->a, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::aio_write:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\taio_write\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)self->a, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

/* fd, socket, offset */
syscall::sendfile:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg1;
	self->c = arg2;
}

syscall::sendfile:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tsendfile\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)0, (int64_t)self->c, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

/* path, guard, guard flags, flags */
syscall::guarded_open_np:entry,
syscall::guarded_open_dprotected_np:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg3;
	self->b = arg0;
}

syscall::guarded_open_np:return,
syscall::guarded_open_dprotected_np:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::guarded_open_np:return,
syscall::guarded_open_dprotected_np:return
/self->ts && self->b/
{
	this->p = copyinstr(self->b);
}

syscall::guarded_open_np:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tguarded_open_np\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->a, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::guarded_open_dprotected_np:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tguarded_open_dprotected_np\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->a, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* fd, list, buffer, length */
syscall::getattrlistbulk:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg3;
}

syscall::getattrlistbulk:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tgetattrlistbulk\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* dirfd, path, dirfd, path */
syscall::clonefileat:entry,
syscall::renameat:entry,
syscall::linkat:entry,
syscall::renameatx_np:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
	self->c = arg1;
	self->d = arg3;
}

syscall::clonefileat:return,
syscall::renameat:return,
syscall::linkat:return,
syscall::renameatx_np:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::clonefileat:return,
syscall::renameat:return,
syscall::linkat:return,
syscall::renameatx_np:return
/self->ts && self->c/
{
	this->p = copyinstr(self->c);
}

syscall::clonefileat:return,
syscall::renameat:return,
syscall::linkat:return,
syscall::renameatx_np:return
/self->ts && self->d/
{
	this->q = copyinstr(self->d);
}

syscall::clonefileat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tclonefileat\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
	self->d = 0;
}

syscall::renameat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\trenameat\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
	self->d = 0;
}

syscall::linkat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tlinkat\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
	self->d = 0;
}

syscall::renameatx_np:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\trenameatx_np\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
	self->d = 0;
}

/* dirfd, path */
syscall::faccessat:entry,
syscall::fchmodat:entry,
syscall::fchownat:entry,
syscall::fstatat:entry,
syscall::fstatat64:entry,
syscall::unlinkat:entry,
syscall::readlinkat:entry,
syscall::mkdirat:entry,
syscall::getattrlistat:entry,
syscall::setattrlistat:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg1;
}

syscall::faccessat:return,
syscall::fchmodat:return,
syscall::fchownat:return,
syscall::fstatat:return,
syscall::fstatat64:return,
syscall::unlinkat:return,
syscall::readlinkat:return,
syscall::mkdirat:return,
syscall::getattrlistat:return,
syscall::setattrlistat:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::faccessat:return,
syscall::fchmodat:return,
syscall::fchownat:return,
syscall::fstatat:return,
syscall::fstatat64:return,
syscall::unlinkat:return,
syscall::readlinkat:return,
syscall::mkdirat:return,
syscall::getattrlistat:return,
syscall::setattrlistat:return
/self->ts && self->b/
{
	this->p = copyinstr(self->b);
}

syscall::faccessat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfaccessat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::fchmodat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfchmodat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::fchownat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfchownat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::fstatat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfstatat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::fstatat64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfstatat64\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::unlinkat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tunlinkat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::readlinkat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\treadlinkat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::mkdirat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tmkdirat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::getattrlistat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tgetattrlistat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::setattrlistat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tsetattrlistat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* (target), dirfd, path */
syscall::symlinkat:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg1;
	self->b = arg2;
}

syscall::symlinkat:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::symlinkat:return
/self->ts && self->b/
{
	this->q = copyinstr(self->b);
}

syscall::symlinkat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tsymlinkat\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)self->a, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* file system, object, flags */
syscall::openbyid_np:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg2;
}

syscall::openbyid_np:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\topenbyid_np\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, self->a);
	self->ts = 0;
	self->a = 0;
}

/* fd, guard, buffer, length */
syscall::guarded_write_np:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg3;
}

syscall::guarded_write_np:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tguarded_write_np\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* fd, guard, buffer, length, offset */
syscall::guarded_pwrite_np:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg3;
	self->c = arg4;
}

syscall::guarded_pwrite_np:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tguarded_pwrite_np\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

/* fd, guard, vector, count */
syscall::guarded_writev_np:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
}

syscall::guarded_writev_np:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tguarded_writev_np\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

/* fd, dirfd, path */
syscall::fclonefileat:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg1;
	self->c = arg2;
}

syscall::fclonefileat:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::fclonefileat:return
/self->ts && self->c/
{
	this->q = copyinstr(self->c);
}

syscall::fclonefileat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfclonefileat\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

/* fd, vector, count, offset */
syscall::preadv:entry,
syscall::pwritev:entry,
syscall::preadv_nocancel:entry,
syscall::pwritev_nocancel:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg3;
}

syscall::preadv:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tpreadv\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)self->b, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::pwritev:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tpwritev\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)self->b, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::preadv_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tpreadv_nocancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)self->b, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::pwritev_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tpwritev_nocancel\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)self->b, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

END
{
	printf("Z\t%d\n", timestamp);
}
