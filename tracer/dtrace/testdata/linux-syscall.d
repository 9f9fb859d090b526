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
	printf("V\t%d\t%d\t%d\t%s\t%s\n", 2, timestamp, walltimestamp, "linux", "syscall");
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
syscall::sendto:entry,
syscall::recvfrom:entry,
syscall::sendmsg:entry,
syscall::recvmsg:entry,
syscall::connect:entry,
syscall::accept:entry,
syscall::accept4:entry,
syscall::copy_file_range:entry,
syscall::splice:entry,
syscall::sendfile64:entry,
syscall::tee:entry,
syscall::open:entry,
syscall::creat:entry,
syscall::openat:entry,
syscall::openat2:entry,
syscall::close:entry,
syscall::dup:entry,
syscall::flock:entry,
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
syscall::fchdir:entry,
syscall::dup2:entry,
syscall::dup3:entry,
syscall::close_range:entry,
syscall::fcntl:entry,
syscall::sync_file_range:entry,
syscall::fadvise64:entry,
syscall::readahead:entry,
syscall::sync:entry,
syscall::io_uring_setup:entry,
syscall::umount:entry,
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
syscall::truncate:entry,
syscall::ftruncate:entry,
syscall::fallocate:entry,
syscall::lseek:entry,
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
syscall::msync:entry,
syscall::madvise:entry,
syscall::ioctl:entry,
syscall::io_uring_enter:entry,
syscall::io_submit:entry,
syscall::io_getevents:entry,
syscall::io_pgetevents:entry,
syscall::fork:entry,
syscall::vfork:entry,
syscall::clone:entry,
syscall::clone3:entry
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
syscall::sendto:entry,
syscall::recvfrom:entry,
syscall::sendmsg:entry,
syscall::recvmsg:entry,
syscall::connect:entry,
syscall::accept:entry,
syscall::accept4:entry,
syscall::copy_file_range:entry,
syscall::splice:entry,
syscall::sendfile64:entry,
syscall::tee:entry,
syscall::open:entry,
syscall::creat:entry,
syscall::openat:entry,
syscall::openat2:entry,
syscall::close:entry,
syscall::dup:entry,
syscall::flock:entry,
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
syscall::fchdir:entry,
syscall::dup2:entry,
syscall::dup3:entry,
syscall::close_range:entry,
syscall::fcntl:entry,
syscall::sync_file_range:entry,
syscall::fadvise64:entry,
syscall::readahead:entry,
syscall::sync:entry,
syscall::io_uring_setup:entry,
syscall::umount:entry,
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
syscall::truncate:entry,
syscall::ftruncate:entry,
syscall::fallocate:entry,
syscall::lseek:entry,
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
syscall::msync:entry,
syscall::madvise:entry,
syscall::ioctl:entry,
syscall::io_uring_enter:entry,
syscall::io_submit:entry,
syscall::io_getevents:entry,
syscall::io_pgetevents:entry,
syscall::fork:entry,
syscall::vfork:entry,
syscall::clone:entry,
syscall::clone3:entry
/!trk[pid] && (execname == "Finder" || substr(execname, 0, 15) == "DesktopServices")/
{
	trk[pid] = 1;
}

syscall::execve:return,
syscall::execveat:return
/trk[pid] && errno == 0/
{
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

syscall::getdents:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tgetdents\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::getdents64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tgetdents64\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0);
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

syscall::pread64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tpread64\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

syscall::pwrite64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tpwrite64\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, 0);
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

syscall::vmsplice:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tvmsplice\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

/* fd, vector, count, offset */
syscall::preadv:entry,
syscall::pwritev:entry
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

/* the same and flags; offset -1 is the descriptor's own */
syscall::preadv2:entry,
syscall::pwritev2:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg3;
}

syscall::preadv2:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tpreadv2\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)self->b, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::pwritev2:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tpwritev2\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)self->b, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* fd, buffer, length, flags of a socket */
syscall::sendto:entry,
syscall::recvfrom:entry
/trk[pid] && !(arg3 & 2)/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
}

syscall::sendto:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tsendto\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::recvfrom:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\trecvfrom\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* fd, message header, flags of a socket */
syscall::sendmsg:entry,
syscall::recvmsg:entry
/trk[pid] && !(arg2 & 2)/
{
	self->ts = timestamp;
	self->a = arg0;
}

syscall::sendmsg:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tsendmsg\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::recvmsg:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\trecvmsg\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

/* fd, address, its length */
syscall::connect:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
}

syscall::connect:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tconnect\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

/* fd, address, *its length */
syscall::accept:entry,
syscall::accept4:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
}

syscall::accept:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\taccept\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::accept4:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\taccept4\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
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

syscall::copy_file_range:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tcopy_file_range\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)self->c, (int64_t)this->o, (int64_t)this->r, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
	self->d = 0;
	self->e = 0;
}

syscall::splice:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tsplice\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)self->c, (int64_t)this->o, (int64_t)this->r, 0);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tsendfile64\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)self->c, (int64_t)this->o, (int64_t)this->r, 0);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\ttee\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)self->c, (int64_t)-1, (int64_t)-1, 0);
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\topen\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->a, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* path */
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tcreat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 01101, this->p);
	self->ts = 0;
	self->a = 0;
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\topenat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)self->a, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->b, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

/* dirfd, path, *how (flags first) */
syscall::openat2:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = *(uint64_t *)copyin(arg2, 8);
	self->c = arg1;
}

syscall::openat2:return
/self->ts/
{
	this->p = "";
	this->q = "";
	this->o = (int64_t)-1;
	this->r = (int64_t)-1;
}

syscall::openat2:return
/self->ts && self->c/
{
	this->p = copyinstr(self->c);
}

syscall::openat2:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\topenat2\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)self->a, (int64_t)0, (int64_t)this->o, (int64_t)this->r, self->b, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

/* fd */
syscall::close:entry,
syscall::dup:entry,
syscall::flock:entry,
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
syscall::fchdir:entry
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

syscall::dup:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tdup\n",
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

syscall::fsync:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfsync\n",
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

syscall::syncfs:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tsyncfs\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
}

syscall::newfstat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tnewfstat\n",
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

syscall::fchmod:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfchmod\n",
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

syscall::flistxattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tflistxattr\n",
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

syscall::fchdir:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfchdir\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
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

syscall::dup3:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tdup3\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* first fd, last fd, flags */
syscall::close_range:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg1;
	self->c = arg2;
}

syscall::close_range:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tclose_range\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)self->b, (int64_t)0, (int64_t)-1, (int64_t)-1, self->c);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

/* fd, command, argument */
syscall::fcntl:entry
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

/* fd, offset, length, flags or advice */
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

syscall::sync_file_range:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tsync_file_range\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, self->d);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
	self->d = 0;
}

syscall::fadvise64:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfadvise64\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, self->d);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
	self->d = 0;
}

syscall::readahead:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\treadahead\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)self->c, (int64_t)-1, self->d);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
	self->d = 0;
}

/* nothing that names a file */
syscall::sync:entry,
syscall::io_uring_setup:entry
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

syscall::io_uring_setup:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tio_uring_setup\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

/* path */
syscall::umount:entry,
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

syscall::umount:return,
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

syscall::umount:return,
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

syscall::umount:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tumount\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::newstat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tnewstat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::newlstat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tnewlstat\t%S\n",
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

syscall::statfs:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tstatfs\t%S\n",
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

syscall::unlink:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tunlink\t%S\n",
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

syscall::mkdir:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tmkdir\t%S\n",
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

syscall::lchown:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tlchown\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::utime:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tutime\t%S\n",
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

syscall::getxattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tgetxattr\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
}

syscall::lgetxattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tlgetxattr\t%S\n",
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

syscall::lsetxattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tlsetxattr\t%S\n",
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

syscall::llistxattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tllistxattr\t%S\n",
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

syscall::lremovexattr:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tlremovexattr\t%S\n",
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
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfallocate\n",
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

syscall::newfstatat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tnewfstatat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::statx:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tstatx\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
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

syscall::faccessat2:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfaccessat2\t%S\n",
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

syscall::fchmodat2:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfchmodat2\t%S\n",
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

syscall::utimensat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tutimensat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

syscall::futimesat:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfutimesat\t%S\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)0, (int64_t)this->o, (int64_t)this->r, 0, this->p);
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

syscall::renameat2:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\trenameat2\t%S\t%S\n",
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

/* address, length, flags or advice */
syscall::msync:entry,
syscall::madvise:entry
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

syscall::madvise:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tmadvise\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)self->a, (int64_t)self->b, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* fd, request, argument */
syscall::ioctl:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg2;
	self->c = arg1;
}

syscall::ioctl:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tioctl\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, self->c);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
}

/* fd, number */
syscall::io_uring_enter:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
	self->b = arg1;
}

syscall::io_uring_enter:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tio_uring_enter\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)self->a, (int)-1, (int64_t)self->b, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
	self->a = 0;
	self->b = 0;
}

/* context, count, **iocb */
syscall::io_submit:entry
/trk[pid]/
{
	self->ts = timestamp;
}

syscall::io_submit:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tio_submit\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

/* context, least, count, *events */
syscall::io_getevents:entry,
syscall::io_pgetevents:entry
/trk[pid]/
{
	self->ts = timestamp;
}

syscall::io_getevents:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tio_getevents\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

syscall::io_pgetevents:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tio_pgetevents\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

/* nothing */
syscall::fork:entry,
syscall::vfork:entry
/trk[pid]/
{
	self->ts = timestamp;
}

syscall::fork:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tfork\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

syscall::vfork:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tvfork\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, 0);
	self->ts = 0;
}

/* flags */
syscall::clone:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = arg0;
}

syscall::clone:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tclone\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, self->a);
	self->ts = 0;
	self->a = 0;
}

/* *arguments */
syscall::clone3:entry
/trk[pid]/
{
	self->ts = timestamp;
	self->a = *(uint64_t *)copyin(arg0, 8);
}

syscall::clone3:return
/self->ts/
{
	printf("C\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%x\tclone3\n",
	    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,
	    (int)-1, (int)-1, (int64_t)0, (int64_t)-1, (int64_t)-1, self->a);
	self->ts = 0;
	self->a = 0;
}

profile-10hz
{
	ticks[cpu]++;
	printf("T\t%d\t%d\t%d\n", cpu, timestamp, ticks[cpu]);
}

END
{
	printf("T\t%d\t%d\t%d\n", 0, timestamp, ticks[0] + 1);
	printf("T\t%d\t%d\t%d\n", 1, timestamp, ticks[1] + 1);
	printf("Z\t%d\n", timestamp);
}
