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
	printf("V\t%d\t%d\t%d\t%s\t%s\n", 1, timestamp, walltimestamp, "darwin", "syscall");
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

syscall::read:return,
syscall::write:return,
syscall::getdirentries64:return,
syscall::read_nocancel:return,
syscall::write_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0, probefunc);
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

syscall::open:return,
syscall::open_dprotected_np:return,
syscall::open_extended:return,
syscall::open_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->a, probefunc, this->p, this->q);
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

syscall::close:return,
syscall::fchdir:return,
syscall::fchflags:return,
syscall::dup:return,
syscall::ioctl:return,
syscall::fsync:return,
syscall::fchown:return,
syscall::fchmod:return,
syscall::flock:return,
syscall::futimes:return,
syscall::fstatfs:return,
syscall::fdatasync:return,
syscall::fstat:return,
syscall::fgetattrlist:return,
syscall::fsetattrlist:return,
syscall::fgetxattr:return,
syscall::fsetxattr:return,
syscall::fremovexattr:return,
syscall::flistxattr:return,
syscall::ffsctl:return,
syscall::fchmod_extended:return,
syscall::aio_cancel:return,
syscall::fstat64:return,
syscall::fstat64_extended:return,
syscall::fstatfs64:return,
syscall::close_nocancel:return,
syscall::fsync_nocancel:return,
syscall::guarded_close_np:return,
syscall::change_fdguard_np:return,
syscall::freadlink:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0, probefunc);
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

syscall::link:return,
syscall::rename:return,
syscall::exchangedata:return,
syscall::copyfile:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, probefunc, this->p, this->q);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, probefunc, this->p, this->q);
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

syscall::sync:return,
syscall::access_extended:return,
syscall::aio_fsync:return,
syscall::aio_suspend:return,
syscall::aio_error:return,
syscall::lio_listio:return,
syscall::getfsstat64:return,
syscall::aio_suspend_nocancel:return,
syscall::fsgetpath:return,
syscall::fs_snapshot:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0, probefunc);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, probefunc, this->p, this->q);
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

syscall::msync:return,
syscall::msync_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)self->a, (int64_t)self->b, (int64_t)-1, 0, probefunc);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)0, (int64_t)-1, (int64_t)-1, 0, probefunc);
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

syscall::fcntl:return,
syscall::fcntl_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, self->c, probefunc);
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

syscall::readv:return,
syscall::writev:return,
syscall::readv_nocancel:return,
syscall::writev_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0, probefunc);
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

syscall::pread:return,
syscall::pwrite:return,
syscall::pread_nocancel:return,
syscall::pwrite_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, 0, probefunc);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, self->d, probefunc);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, self->b, probefunc);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)self->a, (int64_t)this->o, (int64_t)this->r, 0, probefunc, this->p, this->q);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0, probefunc);
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

syscall::openat_dprotected_np:return,
syscall::openat:return,
syscall::openat_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)self->a, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->b, probefunc, this->p, this->q);
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

syscall::aio_return:return,
syscall::aio_read:return,
syscall::aio_write:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)self->a, (int64_t)-1, 0, probefunc);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)0, (int64_t)self->c, (int64_t)-1, 0, probefunc);
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

syscall::guarded_open_np:return,
syscall::guarded_open_dprotected_np:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->a, probefunc, this->p, this->q);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0, probefunc);
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

syscall::clonefileat:return,
syscall::renameat:return,
syscall::linkat:return,
syscall::renameatx_np:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, probefunc, this->p, this->q);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, probefunc, this->p, this->q);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)self->a, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, probefunc, this->p, this->q);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, self->a, probefunc);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0, probefunc);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, 0, probefunc);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0, probefunc);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, probefunc, this->p, this->q);
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

syscall::preadv:return,
syscall::pwritev:return,
syscall::preadv_nocancel:return,
syscall::pwritev_nocancel:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)self->b, (int64_t)-1, 0, probefunc);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

END
{
	printf("Z\t%d\n", timestamp);
}
