#!/usr/sbin/dtrace -Zs
/*
 * iotrace - print the file calls of processes, one line each.
 *           Written for linux, providers syscall.
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

BEGIN
{
	trk[501] = 1;
	printf("V\t%d\t%d\t%d\t%s\t%s\n", 1, timestamp, walltimestamp, "linux", "syscall");
}

syscall::getpgid:entry
/pid == 4242/
{
	printf("M\t%d\t%d\n", cpu, timestamp);
}

syscall::read:entry,
syscall::write:entry,
syscall::getdents:entry,
syscall::getdents64:entry,
syscall::pread64:entry,
syscall::pwrite64:entry,
syscall::readv:entry,
syscall::writev:entry,
syscall::vmsplice:entry,
syscall::preadv:entry,
syscall::pwritev:entry,
syscall::preadv2:entry,
syscall::pwritev2:entry,
syscall::copy_file_range:entry,
syscall::splice:entry,
syscall::sendfile64:entry,
syscall::tee:entry,
syscall::open:entry,
syscall::openat:entry,
syscall::creat:entry,
syscall::close:entry,
syscall::dup:entry,
syscall::fsync:entry,
syscall::fdatasync:entry,
syscall::syncfs:entry,
syscall::newfstat:entry,
syscall::fstatfs:entry,
syscall::fchmod:entry,
syscall::fchown:entry,
syscall::fgetxattr:entry,
syscall::fsetxattr:entry,
syscall::flistxattr:entry,
syscall::fremovexattr:entry,
syscall::flock:entry,
syscall::fchdir:entry,
syscall::dup2:entry,
syscall::dup3:entry,
syscall::fcntl:entry,
syscall::ioctl:entry,
syscall::sync_file_range:entry,
syscall::fadvise64:entry,
syscall::readahead:entry,
syscall::sync:entry,
syscall::io_uring_setup:entry,
syscall::io_submit:entry,
syscall::io_getevents:entry,
syscall::io_pgetevents:entry,
syscall::truncate:entry,
syscall::ftruncate:entry,
syscall::io_uring_enter:entry,
syscall::fallocate:entry,
syscall::lseek:entry,
syscall::newstat:entry,
syscall::newlstat:entry,
syscall::access:entry,
syscall::statfs:entry,
syscall::readlink:entry,
syscall::unlink:entry,
syscall::rmdir:entry,
syscall::mkdir:entry,
syscall::chmod:entry,
syscall::chown:entry,
syscall::lchown:entry,
syscall::utime:entry,
syscall::utimes:entry,
syscall::getxattr:entry,
syscall::lgetxattr:entry,
syscall::setxattr:entry,
syscall::lsetxattr:entry,
syscall::listxattr:entry,
syscall::llistxattr:entry,
syscall::removexattr:entry,
syscall::lremovexattr:entry,
syscall::chdir:entry,
syscall::newfstatat:entry,
syscall::statx:entry,
syscall::faccessat:entry,
syscall::faccessat2:entry,
syscall::readlinkat:entry,
syscall::unlinkat:entry,
syscall::mkdirat:entry,
syscall::fchmodat:entry,
syscall::fchmodat2:entry,
syscall::fchownat:entry,
syscall::utimensat:entry,
syscall::futimesat:entry,
syscall::rename:entry,
syscall::link:entry,
syscall::renameat:entry,
syscall::renameat2:entry,
syscall::linkat:entry,
syscall::symlink:entry,
syscall::symlinkat:entry,
syscall::mmap:entry,
syscall::msync:entry
/!trk[pid] && trk[ppid]/
{
	trk[pid] = 1;
	printf("F\t%d\t%d\t%d\t%d\n", cpu, timestamp, ppid, pid);
}

syscall::read:entry,
syscall::write:entry,
syscall::getdents:entry,
syscall::getdents64:entry,
syscall::pread64:entry,
syscall::pwrite64:entry,
syscall::readv:entry,
syscall::writev:entry,
syscall::vmsplice:entry,
syscall::preadv:entry,
syscall::pwritev:entry,
syscall::preadv2:entry,
syscall::pwritev2:entry,
syscall::copy_file_range:entry,
syscall::splice:entry,
syscall::sendfile64:entry,
syscall::tee:entry,
syscall::open:entry,
syscall::openat:entry,
syscall::creat:entry,
syscall::close:entry,
syscall::dup:entry,
syscall::fsync:entry,
syscall::fdatasync:entry,
syscall::syncfs:entry,
syscall::newfstat:entry,
syscall::fstatfs:entry,
syscall::fchmod:entry,
syscall::fchown:entry,
syscall::fgetxattr:entry,
syscall::fsetxattr:entry,
syscall::flistxattr:entry,
syscall::fremovexattr:entry,
syscall::flock:entry,
syscall::fchdir:entry,
syscall::dup2:entry,
syscall::dup3:entry,
syscall::fcntl:entry,
syscall::ioctl:entry,
syscall::sync_file_range:entry,
syscall::fadvise64:entry,
syscall::readahead:entry,
syscall::sync:entry,
syscall::io_uring_setup:entry,
syscall::io_submit:entry,
syscall::io_getevents:entry,
syscall::io_pgetevents:entry,
syscall::truncate:entry,
syscall::ftruncate:entry,
syscall::io_uring_enter:entry,
syscall::fallocate:entry,
syscall::lseek:entry,
syscall::newstat:entry,
syscall::newlstat:entry,
syscall::access:entry,
syscall::statfs:entry,
syscall::readlink:entry,
syscall::unlink:entry,
syscall::rmdir:entry,
syscall::mkdir:entry,
syscall::chmod:entry,
syscall::chown:entry,
syscall::lchown:entry,
syscall::utime:entry,
syscall::utimes:entry,
syscall::getxattr:entry,
syscall::lgetxattr:entry,
syscall::setxattr:entry,
syscall::lsetxattr:entry,
syscall::listxattr:entry,
syscall::llistxattr:entry,
syscall::removexattr:entry,
syscall::lremovexattr:entry,
syscall::chdir:entry,
syscall::newfstatat:entry,
syscall::statx:entry,
syscall::faccessat:entry,
syscall::faccessat2:entry,
syscall::readlinkat:entry,
syscall::unlinkat:entry,
syscall::mkdirat:entry,
syscall::fchmodat:entry,
syscall::fchmodat2:entry,
syscall::fchownat:entry,
syscall::utimensat:entry,
syscall::futimesat:entry,
syscall::rename:entry,
syscall::link:entry,
syscall::renameat:entry,
syscall::renameat2:entry,
syscall::linkat:entry,
syscall::symlink:entry,
syscall::symlinkat:entry,
syscall::mmap:entry,
syscall::msync:entry
/!trk[pid] && (execname == "Finder" || substr(execname, 0, 15) == "DesktopServices")/
{
	trk[pid] = 1;
}

syscall::execve:entry
/trk[pid]/
{
	execing[pid] = 1;
}

syscall::execve:return
/trk[pid] && errno != 0/
{
	execing[pid] = 0;
}

syscall::read:entry,
syscall::write:entry,
syscall::getdents:entry,
syscall::getdents64:entry,
syscall::pread64:entry,
syscall::pwrite64:entry,
syscall::readv:entry,
syscall::writev:entry,
syscall::vmsplice:entry,
syscall::preadv:entry,
syscall::pwritev:entry,
syscall::preadv2:entry,
syscall::pwritev2:entry,
syscall::copy_file_range:entry,
syscall::splice:entry,
syscall::sendfile64:entry,
syscall::tee:entry,
syscall::open:entry,
syscall::openat:entry,
syscall::creat:entry,
syscall::close:entry,
syscall::dup:entry,
syscall::fsync:entry,
syscall::fdatasync:entry,
syscall::syncfs:entry,
syscall::newfstat:entry,
syscall::fstatfs:entry,
syscall::fchmod:entry,
syscall::fchown:entry,
syscall::fgetxattr:entry,
syscall::fsetxattr:entry,
syscall::flistxattr:entry,
syscall::fremovexattr:entry,
syscall::flock:entry,
syscall::fchdir:entry,
syscall::dup2:entry,
syscall::dup3:entry,
syscall::fcntl:entry,
syscall::ioctl:entry,
syscall::sync_file_range:entry,
syscall::fadvise64:entry,
syscall::readahead:entry,
syscall::sync:entry,
syscall::io_uring_setup:entry,
syscall::io_submit:entry,
syscall::io_getevents:entry,
syscall::io_pgetevents:entry,
syscall::truncate:entry,
syscall::ftruncate:entry,
syscall::io_uring_enter:entry,
syscall::fallocate:entry,
syscall::lseek:entry,
syscall::newstat:entry,
syscall::newlstat:entry,
syscall::access:entry,
syscall::statfs:entry,
syscall::readlink:entry,
syscall::unlink:entry,
syscall::rmdir:entry,
syscall::mkdir:entry,
syscall::chmod:entry,
syscall::chown:entry,
syscall::lchown:entry,
syscall::utime:entry,
syscall::utimes:entry,
syscall::getxattr:entry,
syscall::lgetxattr:entry,
syscall::setxattr:entry,
syscall::lsetxattr:entry,
syscall::listxattr:entry,
syscall::llistxattr:entry,
syscall::removexattr:entry,
syscall::lremovexattr:entry,
syscall::chdir:entry,
syscall::newfstatat:entry,
syscall::statx:entry,
syscall::faccessat:entry,
syscall::faccessat2:entry,
syscall::readlinkat:entry,
syscall::unlinkat:entry,
syscall::mkdirat:entry,
syscall::fchmodat:entry,
syscall::fchmodat2:entry,
syscall::fchownat:entry,
syscall::utimensat:entry,
syscall::futimesat:entry,
syscall::rename:entry,
syscall::link:entry,
syscall::renameat:entry,
syscall::renameat2:entry,
syscall::linkat:entry,
syscall::symlink:entry,
syscall::symlinkat:entry,
syscall::mmap:entry,
syscall::msync:entry
/execing[pid]/
{
	execing[pid] = 0;
	printf("X\t%d\t%d\t%d\t%S\n", cpu, timestamp, pid, execname);
}

syscall::exit_group:entry
/trk[pid]/
{
	printf("E\t%d\t%d\t%d\t1\t%d\n", cpu, timestamp, pid, (int)arg0);
}

/* fd, buffer, length */
syscall::read:entry,
syscall::write:entry,
syscall::getdents:entry,
syscall::getdents64:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
}

syscall::read:return,
syscall::write:return,
syscall::getdents:return,
syscall::getdents64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0, probefunc);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* fd, buffer, length, offset */
syscall::pread64:entry,
syscall::pwrite64:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
	self->c = arg3;
}

syscall::pread64:return,
syscall::pwrite64:return
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

/* fd, vector, count */
syscall::readv:entry,
syscall::writev:entry,
syscall::vmsplice:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
}

syscall::readv:return,
syscall::writev:return,
syscall::vmsplice:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0, probefunc);
	self->ts = 0;
	self->a = 0;
}

/* fd, vector, count, offset */
syscall::preadv:entry,
syscall::pwritev:entry,
syscall::preadv2:entry,
syscall::pwritev2:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg3;
}

syscall::preadv:return,
syscall::pwritev:return,
syscall::preadv2:return,
syscall::pwritev2:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)self->b, (int64_t)-1, 0, probefunc);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* fd, *offset, fd, *offset, length */
syscall::copy_file_range:entry,
syscall::splice:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
	self->c = arg4;
	self->d = arg1;
	self->e = arg3;
}

syscall::copy_file_range:return,
syscall::splice:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::copy_file_range:return,
syscall::splice:return
/self->ts && self->d/
{
	this->o = *(int64_t *)copyin(self->d, 8) - ((int64_t)arg1 > 0 ? (int64_t)arg1 : 0);
}

syscall::copy_file_range:return,
syscall::splice:return
/self->ts && self->e/
{
	this->r = *(int64_t *)copyin(self->e, 8) - ((int64_t)arg1 > 0 ? (int64_t)arg1 : 0);
}

syscall::copy_file_range:return,
syscall::splice:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)self->c, (int64_t)this->o, (int64_t)this->r, 0, probefunc, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
	self->d = 0;
	self->e = 0;
}

/* to fd, from fd, *offset, length */
syscall::sendfile64:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg1;
	self->b = arg0;
	self->c = arg3;
	self->d = arg2;
}

syscall::sendfile64:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::sendfile64:return
/self->ts && self->d/
{
	this->o = *(int64_t *)copyin(self->d, 8) - ((int64_t)arg1 > 0 ? (int64_t)arg1 : 0);
}

syscall::sendfile64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)self->c, (int64_t)this->o, (int64_t)this->r, 0, probefunc, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
	self->d = 0;
}

/* fd, fd, length */
syscall::tee:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg1;
	self->c = arg2;
}

syscall::tee:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)self->c, (int64_t)-1, (int64_t)-1, 0, probefunc);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

/* path, flags */
syscall::open:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg1;
	self->b = arg0;
}

syscall::open:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::open:return
/self->ts && self->b/
{
	this->p = copyinstr(self->b);
}

syscall::open:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->a, probefunc, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* dirfd, path, flags */
syscall::openat:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
	self->c = arg1;
}

syscall::openat:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::openat:return
/self->ts && self->c/
{
	this->p = copyinstr(self->c);
}

syscall::openat:return
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

/* path (creat) */
syscall::creat:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
}

syscall::creat:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::creat:return
/self->ts && self->a/
{
	this->p = copyinstr(self->a);
}

syscall::creat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 01101, probefunc, this->p, this->q);
	self->ts = 0;
	self->a = 0;
}

/* fd */
syscall::close:entry,
syscall::dup:entry,
syscall::fsync:entry,
syscall::fdatasync:entry,
syscall::syncfs:entry,
syscall::newfstat:entry,
syscall::fstatfs:entry,
syscall::fchmod:entry,
syscall::fchown:entry,
syscall::fgetxattr:entry,
syscall::fsetxattr:entry,
syscall::flistxattr:entry,
syscall::fremovexattr:entry,
syscall::flock:entry,
syscall::fchdir:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
}

syscall::close:return,
syscall::dup:return,
syscall::fsync:return,
syscall::fdatasync:return,
syscall::syncfs:return,
syscall::newfstat:return,
syscall::fstatfs:return,
syscall::fchmod:return,
syscall::fchown:return,
syscall::fgetxattr:return,
syscall::fsetxattr:return,
syscall::flistxattr:return,
syscall::fremovexattr:return,
syscall::flock:return,
syscall::fchdir:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0, probefunc);
	self->ts = 0;
	self->a = 0;
}

/* fd, new fd */
syscall::dup2:entry,
syscall::dup3:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg1;
}

syscall::dup2:return,
syscall::dup3:return
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
syscall::ioctl:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
	self->c = arg1;
}

syscall::fcntl:return,
syscall::ioctl:return
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

/* fd, offset, length, flags */
syscall::sync_file_range:entry,
syscall::fadvise64:entry,
syscall::readahead:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
	self->c = arg1;
	self->d = arg3;
}

syscall::sync_file_range:return,
syscall::fadvise64:return,
syscall::readahead:return
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

/* nothing of interest */
syscall::sync:entry,
syscall::io_uring_setup:entry,
syscall::io_submit:entry,
syscall::io_getevents:entry,
syscall::io_pgetevents:entry
/trk[pid]/
{
	self->ts = timestamp;
}

syscall::sync:return,
syscall::io_uring_setup:return,
syscall::io_submit:return,
syscall::io_getevents:return,
syscall::io_pgetevents:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0, probefunc);
	self->ts = 0;
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
syscall::ftruncate:entry,
syscall::io_uring_enter:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg1;
}

syscall::ftruncate:return,
syscall::io_uring_enter:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0, probefunc);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* fd, mode, offset, length */
syscall::fallocate:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg3;
	self->c = arg2;
	self->d = arg1;
}

syscall::fallocate:return
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

/* path */
syscall::newstat:entry,
syscall::newlstat:entry,
syscall::access:entry,
syscall::statfs:entry,
syscall::readlink:entry,
syscall::unlink:entry,
syscall::rmdir:entry,
syscall::mkdir:entry,
syscall::chmod:entry,
syscall::chown:entry,
syscall::lchown:entry,
syscall::utime:entry,
syscall::utimes:entry,
syscall::getxattr:entry,
syscall::lgetxattr:entry,
syscall::setxattr:entry,
syscall::lsetxattr:entry,
syscall::listxattr:entry,
syscall::llistxattr:entry,
syscall::removexattr:entry,
syscall::lremovexattr:entry,
syscall::chdir:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
}

syscall::newstat:return,
syscall::newlstat:return,
syscall::access:return,
syscall::statfs:return,
syscall::readlink:return,
syscall::unlink:return,
syscall::rmdir:return,
syscall::mkdir:return,
syscall::chmod:return,
syscall::chown:return,
syscall::lchown:return,
syscall::utime:return,
syscall::utimes:return,
syscall::getxattr:return,
syscall::lgetxattr:return,
syscall::setxattr:return,
syscall::lsetxattr:return,
syscall::listxattr:return,
syscall::llistxattr:return,
syscall::removexattr:return,
syscall::lremovexattr:return,
syscall::chdir:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::newstat:return,
syscall::newlstat:return,
syscall::access:return,
syscall::statfs:return,
syscall::readlink:return,
syscall::unlink:return,
syscall::rmdir:return,
syscall::mkdir:return,
syscall::chmod:return,
syscall::chown:return,
syscall::lchown:return,
syscall::utime:return,
syscall::utimes:return,
syscall::getxattr:return,
syscall::lgetxattr:return,
syscall::setxattr:return,
syscall::lsetxattr:return,
syscall::listxattr:return,
syscall::llistxattr:return,
syscall::removexattr:return,
syscall::lremovexattr:return,
syscall::chdir:return
/self->ts && self->a/
{
	this->p = copyinstr(self->a);
}

syscall::newstat:return,
syscall::newlstat:return,
syscall::access:return,
syscall::statfs:return,
syscall::readlink:return,
syscall::unlink:return,
syscall::rmdir:return,
syscall::mkdir:return,
syscall::chmod:return,
syscall::chown:return,
syscall::lchown:return,
syscall::utime:return,
syscall::utimes:return,
syscall::getxattr:return,
syscall::lgetxattr:return,
syscall::setxattr:return,
syscall::lsetxattr:return,
syscall::listxattr:return,
syscall::llistxattr:return,
syscall::removexattr:return,
syscall::lremovexattr:return,
syscall::chdir:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, probefunc, this->p, this->q);
	self->ts = 0;
	self->a = 0;
}

/* dirfd, path */
syscall::newfstatat:entry,
syscall::statx:entry,
syscall::faccessat:entry,
syscall::faccessat2:entry,
syscall::readlinkat:entry,
syscall::unlinkat:entry,
syscall::mkdirat:entry,
syscall::fchmodat:entry,
syscall::fchmodat2:entry,
syscall::fchownat:entry,
syscall::utimensat:entry,
syscall::futimesat:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg1;
}

syscall::newfstatat:return,
syscall::statx:return,
syscall::faccessat:return,
syscall::faccessat2:return,
syscall::readlinkat:return,
syscall::unlinkat:return,
syscall::mkdirat:return,
syscall::fchmodat:return,
syscall::fchmodat2:return,
syscall::fchownat:return,
syscall::utimensat:return,
syscall::futimesat:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::newfstatat:return,
syscall::statx:return,
syscall::faccessat:return,
syscall::faccessat2:return,
syscall::readlinkat:return,
syscall::unlinkat:return,
syscall::mkdirat:return,
syscall::fchmodat:return,
syscall::fchmodat2:return,
syscall::fchownat:return,
syscall::utimensat:return,
syscall::futimesat:return
/self->ts && self->b/
{
	this->p = copyinstr(self->b);
}

syscall::newfstatat:return,
syscall::statx:return,
syscall::faccessat:return,
syscall::faccessat2:return,
syscall::readlinkat:return,
syscall::unlinkat:return,
syscall::mkdirat:return,
syscall::fchmodat:return,
syscall::fchmodat2:return,
syscall::fchownat:return,
syscall::utimensat:return,
syscall::futimesat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, probefunc, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* path, path */
syscall::rename:entry,
syscall::link:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg1;
}

syscall::rename:return,
syscall::link:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::rename:return,
syscall::link:return
/self->ts && self->a/
{
	this->p = copyinstr(self->a);
}

syscall::rename:return,
syscall::link:return
/self->ts && self->b/
{
	this->q = copyinstr(self->b);
}

syscall::rename:return,
syscall::link:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\t%S\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, probefunc, this->p, this->q);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* dirfd, path, dirfd, path */
syscall::renameat:entry,
syscall::renameat2:entry,
syscall::linkat:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
	self->c = arg1;
	self->d = arg3;
}

syscall::renameat:return,
syscall::renameat2:return,
syscall::linkat:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::renameat:return,
syscall::renameat2:return,
syscall::linkat:return
/self->ts && self->c/
{
	this->p = copyinstr(self->c);
}

syscall::renameat:return,
syscall::renameat2:return,
syscall::linkat:return
/self->ts && self->d/
{
	this->q = copyinstr(self->d);
}

syscall::renameat:return,
syscall::renameat2:return,
syscall::linkat:return
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

/* address, length */
syscall::msync:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg1;
	self->b = arg0;
}

syscall::msync:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\t%s\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)self->a, (int64_t)self->b, (int64_t)-1, 0, probefunc);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

profile-10hz
{
	printf("T\t%d\t%d\n", cpu, timestamp);
}

END
{
	printf("Z\t%d\n", timestamp);
}
