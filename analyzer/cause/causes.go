package cause

// Cause is one of those that time can be given to. The list in docs/verdict.md is made from these.
type Cause struct {
	Code  string
	Title string // in the field's terms
	Short string // in a word or two, for a bar; none where it is called by its device
	Takes string // labels of the time stack
	When  string // it is named: what it takes to be
	Sure  string // how sure that is
	Try   string
	// Others says that other programs had what was waited for: on an idle machine another cause would come first.
	Others bool
	// Counted is how often it was true where it came first and was likely, in situations whose cause is known.
	Counted Count
}

// Count is of verdicts.
type Count struct{ Right, Of int }

// Probability is that of the next one, by Laplace's rule of succession: nothing counted is even odds.
func (c Count) Probability() float64 { return float64(c.Right+1) / float64(c.Of+2) }

// Of is the entry of a code.
func Of(code string) *Cause {
	for i := range causes {
		if causes[i].Code == code {
			return &causes[i]
		}
	}
	return &Cause{Code: code}
}

// All are all causes, in the order of the page.
func All() []Cause { return causes }

// causes are all of them, in the order of the page.
var causes = []Cause{
	{
		Code: DeviceBandwidth, Title: "drive bandwidth",
		Takes: "device_read, device_write, device_other",
		When: "time waiting for reads or writes at a device with a queue depth of 1.5 or more, where the next " +
			"request always waited. Their median request took 1.5 times as long as the shortest or longer. For " +
			"direct and synchronous I/O the queue depth counts calls and asynchronous operations in flight, " +
			"however many requests each is split into. For buffered I/O it counts the requests, which readahead " +
			"and writeback keep in flight. What waits in the device's queue counts too; a device that is given one " +
			"request after another, while more wait, has enough to do however long each takes. " +
			"Requests of several sizes tell whether it needs most of its time for each of them or for their bytes",
		Sure: "measured",
		Try:  "a faster drive, port or file system; fewer, larger requests or files where it takes as long for each",
	},
	{
		Code: DeviceLatency, Title: "drive latency, too few operations at a time",
		Takes: "device_read, device_write, device_other",
		When: "the same with fewer in flight, or with requests that did not wait for one another: more at once " +
			"would have helped",
		Sure: "measured",
		Try:  "a larger block size, or more in parallel",
	},
	{
		Code: SlowingDown, Title: "the drive slowed down",
		Takes: "device_read, device_write",
		When: "the time that a device would have saved at its first speed, a tenth of the time at least. It needs a " +
			"change point of what the device read or wrote, to two thirds of the speed or less, also while it was " +
			"busy. Also the time waiting for a device of whose requests a few took more than all others together: " +
			"0.1 s each or more, and one of 16 at most",
		Sure: "likely; measured if a few requests took that time",
		Try:  "pauses, or a drive that keeps its speed", Counted: Count{1, 1},
	},
	{
		Code: Fragmentation, Title: "a fragmented file",
		Takes: "device_read",
		When: "time waiting for reads of a file that calls read in order. They took 16 requests or more of half the " +
			"possible size or less, half of which do not follow one another on the device",
		Sure: "likely",
		Try:  "copy or defragment the file", Counted: Count{1, 1},
	},
	{
		Code: Readahead, Title: "too little readahead",
		Takes: "device_read",
		When: "time waiting for reads of a file that calls read in order through the page cache, one request at a " +
			"time. The device's readahead is off, or a tenth of the bytes at most were read ahead and requests " +
			"are of 32 KiB or less. Or requests are as large as the device's readahead, and none of them waits " +
			"for another. Or the program advised that the file would be read at random (`POSIX_FADV_RANDOM`)",
		Sure: "measured if it is off, by the program too, or as large as requests are; else likely",
		Try:  "blockdev --setra, POSIX_FADV_SEQUENTIAL",
	},
	{
		Code: PartialWrites, Title: "writes of parts of blocks, which are read first",
		Short: "partial writes",
		Takes: "device_read",
		When: "writes waited for reads of the device in most of that time, or most that it read were blocks of which " +
			"calls wrote a part and read nothing",
		Sure: "measured",
		Try:  "write whole blocks of 4 KiB, or keep the file in memory",
	},
	{
		Code: BlockingSubmit, Title: "asynchronous I/O that is synchronous",
		Short: "one by one",
		Takes: "device_read, device_write; sync",
		When: "`io_submit` waited for the device in most of that time. It does so for files that are opened without " +
			"O_DIRECT, and for writes past the end of a file or into holes. It also does so for direct reads of what is " +
			"dirty in memory, and while the queue of the device is full. Or writes that wait until they are durable, " +
			"most of which io_uring was given, through the page cache: four times as many as the drive got at a time",
		Sure: "measured",
		Try:  "O_DIRECT, or io_uring; several files",
	},
	{
		Code: MemoryPressure, Title: "short of memory: files read again",
		Short: "read again",
		Takes: "device_read, device_write",
		When: "the part of the time waiting for reads of blocks of the device that had been read before. 1.3 times " +
			"their size came in, direct I/O left out, and the program did not give them up itself " +
			"(`POSIX_FADV_DONTNEED`). Or the part of the time waiting for a device that went into memory of " +
			"programs which came back from swap, and into moving it there",
		Sure: "measured if a cgroup came up against its limit of memory meanwhile, and for swap; else " +
			"likely",
		Try: "more memory, or a higher limit of the cgroup", Counted: Count{1, 1},
	},
	{
		Code: CacheDropped, Title: "files read again: the page cache was dropped",
		Short: "read again",
		Takes: "device_read",
		When: "the same, but the program gave up what it had read (`POSIX_FADV_DONTNEED`). Or the page cache was " +
			"dropped meanwhile (drop_caches) and no cgroup reached its limit",
		Sure: "measured if most of what was read again had been given up by the program, else likely",
		Try:  "drop it after the last use, or not at all", Counted: Count{1, 1},
	},
	{
		Code: Compression, Title: "compression by the file system",
		Short: "compression",
		Takes: "sync, throttled, lock, io_wait, draining; page_cache, other_call",
		When: "in syncs, blocked, throttled and settling without requests, where a file system that can compress " +
			"wrote four fifths or less of what it was given. In reads and page faults, where four fifths or less " +
			"of what came into memory from such a file system were read from the device",
		Sure: "likely",
		Try:  "a lighter compression", Counted: Count{1, 1},
	},
	{
		Code: CopyUp, Title: "copy-up by overlayfs",
		Short: "copy-up",
		Takes: "device_read, device_write, device_other, lock, io_wait, queued, metadata",
		When: "opening files of an overlay, or calls that change their names, sizes or attributes, took 0.1 s " +
			"or more",
		Sure: "likely",
		Try:  "a volume for files that change", Counted: Count{1, 1},
	},
	{
		Code: ProgramStart, Title: "program start",
		Short: "start-up",
		Takes: "device_read",
		When:  "the same, of the program and its libraries",
		Sure:  "measured",
		Try:   "start it again (cached); fewer libraries",
	},
	{
		Code: Settling, Title: "write-back after it returned",
		Short: "write-back",
		Takes: "draining",
		When: "after the command, beyond what the device was busy with its writes: the file system's journal, " +
			"the drive's cache",
		Sure: "likely",
		Try:  "nothing in the program", Counted: Count{1, 1},
	},
	{
		Code: MappedReads, Title: "page faults that read from the drive",
		Short: "page faults",
		Takes: "device_read",
		When:  "most of the time in which a device read, page faults of mapped files waited",
		Sure:  "measured",
		Try:   "touch in order, MADV_WILLNEED",
	},
	{
		Code: LimitAbove, Title: "throttled before reaching the drive",
		Short: "throttled",
		Takes: "queued, io_wait; draining, sync",
		When: "time waiting for I/O with no request at the device: a cgroup, the host of a virtual machine, a token " +
			"bucket. Also time after the command in which writes trickled to an idle device. Then the journal may " +
			"not write between them, unless a limit is known, or all drives were idle for two thirds of two " +
			"seconds or more. Also the time in syncs, if most of it ended with a timer of the kernel",
		Sure: "measured if a limit of its cgroup is recorded and seven tenths of it were used while it " +
			"waited. Or a fifth was used, and a timer of the kernel let its writes through. Else likely, and the " +
			"limit is named if a fifth was used. The same goes for the time in syncs, and for that in which the " +
			"kernel held writes back (`dirty_limit`), where a limit is measured " +
			"so. The latter also counts where no drive was busy for half of it (likely)",
		Try: "raise the limit", Counted: Count{1, 13},
	},
	{
		Code: OtherUsers, Title: "others on the drive",
		Others: true,
		Takes:  "device_read, device_write, sync, lock",
		When: "the device served others first for three tenths of the time of the workload's requests or more. That is " +
			"estimated from when each request ended, and from what one takes alone. In syncs, in calls that are " +
			"blocked on a file system on that device, and where requests of others are not recorded, it goes by " +
			"bytes. Then others moved 8 MiB or more and three tenths of what the workload moved there. It is the " +
			"part that their bytes took at the device's speed, and no longer than it had requests of theirs. Also the " +
			"time in which the device served them while what the workload waited for was still in the queue",
		Sure: "likely; measured if what the workload waited for was in the queue",
		Try:  "run while nothing else uses the drive", Counted: Count{6, 6},
	},
	{
		Code: Sync, Title: "waiting for data to be durable (sync)",
		Short: "sync",
		Takes: "sync; device_write, device_other in syncs",
		When: "in fsync and the like, or waiting in synchronous writes ([exceptions](#exceptions)). Where each sync " +
			"had 4 MiB or more to write, the time in which the device wrote that is the device's. It would have " +
			"had to be written without the sync as well. The file system's journal is the sync's always",
		Sure: "measured",
		Try:  "more changes per sync (one transaction for many); a drive whose cache is protected",
	},
	{
		Code: DirtyLimit, Title: "writer throttled: too many dirty pages",
		Short: "dirty limit",
		Takes: "throttled",
		When: "held back by the kernel because too much data waited to be written (balance_dirty_pages). The file " +
			"system is local, and a drive was busy for half of the time or more",
		Sure: "measured",
		Try:  "a drive that writes faster",
	},
	{
		Code: SmallCalls, Title: "too many small calls",
		Short: "small calls",
		Takes: "page_cache, cpu, other_call; metadata; ready",
		When: "10,000 calls or more of 512 bytes or less (the median) that follow each other within 10 µs (the " +
			"median): these calls, and what their makers computed between them. So it is in a pipe or a " +
			"socket, as far as nobody waits there. Where one file is opened for " +
			"about each of them, the calls on names as well; where each is a file of its own, it is not this. Also the " +
			"time within 10,000 quick calls or more that move a file in order, and could be half as many. They are of up " +
			"to 1 KiB, or 4 KiB on ext4 (from Linux 6.16 on) and xfs (6.6). Quick is one of 5 µs or less. Also small calls " +
			"for each of which the path goes to another thread of the process. Then it is these calls, and those by " +
			"which threads wake each other. Of the time ready to run it is up to 50 µs for each time",
		Sure: "likely",
		Try:  "a larger block size; calls that are joined before another thread makes them", Counted: Count{1, 1},
	},
	{
		Code: Discards, Title: "discards (TRIM)",
		Takes: "device_other",
		When: "discards were waited for; without a critical path: the device was busy with discards, more than with " +
			"flushes, and nothing else was waited for",
		Sure: "measured",
		Try:  "fstrim now and then instead",
	},
	{
		Code: PageCache, Title: "copying through the page cache",
		Short: "page cache",
		Takes: "page_cache",
		When: "in calls that move data, with no wait for a device, where most bytes went through the page " +
			"cache",
		Sure: "measured",
		Try:  "direct I/O, copy_file_range, a clone",
	},
	{
		Code: Names, Title: "metadata calls",
		Short: "metadata",
		Takes: "metadata; device_read in such calls; cpu",
		When: "in metadata calls (open, stat, mkdir, fallocate); waiting for reads, if most of that was in such " +
			"calls. What the program computed between 10,000 calls or more that failed, within 10 µs on average",
		Sure: "measured",
		Try:  "fewer and larger files",
	},
	{
		Code: Fork, Title: "copying page tables at fork",
		Short: "fork",
		Takes: "other_call, cpu",
		When: "running in forks on the critical path: the kernel copies the page tables of the process, which waits " +
			"for that. The more memory it has, the longer that takes. A thread that is made, vfork and posix_spawn " +
			"copy none. Of what children run until they execute a program, which gives the copy back, as much as " +
			"the forks took",
		Sure: "measured",
		Try:  "posix_spawn, vfork; huge pages; less memory in the process that forks",
	},
	{
		Code: OwnCPU, Title: "the program's own CPU time",
		Short: "CPU",
		Takes: "cpu, other_call; page_cache past the cache; ready",
		When: "computing; or in calls that move data, with no wait for a device, where most bytes went past " +
			"the page cache. Also of the time ready to run what threads wait for each other, where more of them want to " +
			"run than there are CPUs ([exceptions](#exceptions))",
		Sure: "measured; likely in such calls",
		Try:  "a faster CPU, or less work",
	},
	{
		Code: WakeUp, Title: "wake-up latency of the CPU",
		Short: "wake-up",
		Takes: "ready",
		When: "its I/O was done, and it ran again within 50 µs. A CPU may take that long to wake up, even if " +
			"no other thread used it",
		Sure: "likely",
		Try:  "several requests in flight, polling",
	},
	{
		Code: CPUContention, Title: "CPU contention: waiting for a CPU",
		Short:  "runnable",
		Others: true,
		Takes:  "ready",
		When: "ready to run: interrupted (50 µs or more), or for longer than that after I/O. Or seemingly running " +
			"but without CPU time by the kernel's count (a twentieth of the time at least; " +
			"[exceptions](#exceptions))",
		Sure: "measured",
		Try:  "fewer programs, a higher priority",
	},
	{
		Code: CPUQuota, Title: "CPU quota of the cgroup",
		Short: "quota",
		Takes: "ready",
		When: "of the time ready to run, as much as a cgroup of the command was held back for having " +
			"used up its quota (`throttled_time` of its cpu.stat)",
		Sure: "measured if that is half of it or more, else likely",
		Try:  "a larger quota",
	},
	{
		Code: StolenCPU, Title: "CPU time stolen by the host",
		Short:  "stolen",
		Others: true,
		Takes:  "ready",
		When: "of the rest, the workload's part of the time that the host of a virtual machine gave to others " +
			"(steal of /proc/stat), by its part of the CPUs' time",
		Sure: "likely",
		Try:  "a machine of its own",
	},
	{
		Code: UserSpaceFS, Title: "the FUSE daemon",
		Short: "FUSE daemon",
		Takes: "lock, sync, throttled, queued, io_wait",
		When: "blocked, held back by the kernel, or waiting with no request to be seen. Most of the time in calls " +
			"and page faults was on files of a FUSE or a network file system",
		Sure: "measured",
		Try:  "a file system of the kernel, a larger block size",
	},
	{
		Code: NetworkFS, Title: "the file server",
		Short: "file server",
		Takes: "lock, sync, throttled, queued, io_wait",
		When: "blocked, held back by the kernel, or waiting with no request to be seen. Most of the time in calls " +
			"and page faults was on files of a FUSE or a network file system",
		Sure: "measured",
		Try:  "a faster network or server, several requests in parallel",
	},
	{
		Code: OtherEnd, Title: "waiting for another program",
		Short: "other program",
		Takes: "lock, waiting",
		When: "blocked, with most of it in calls on a pipe or a socket, or in reads of an eventfd, inotify and the " +
			"like. Or nothing ran, and processes were in poll, select or epoll for more than half of that time " +
			"and slept for less ([exceptions](#exceptions)). Or the path led through a program that the kernel asks " +
			"whether a file may be opened or read (fanotify). Or most of the time blocked or asleep went by in waits " +
			"for one address that did not answer. Such a wait is from a connect or a send to the thread's next call. " +
			"Or nothing ran, and most of the path led through another program that woke its threads: at a message " +
			"queue, a semaphore, a signal",
		Sure: "likely; measured where the kernel asks it",
		Try:  "speed up the other program", Counted: Count{8, 8},
	},
	{
		Code: UnderWay, Title: "the network held back what was sent",
		Short: "network",
		Takes: "lock",
		When: "blocked in reads of a socket until a packet came. The process at the other end is recorded as well, and " +
			"was in a read of its own end for more than half of that. The sum of both exceeds the time from the " +
			"first read to the last by as much",
		Sure: "measured",
		Try:  "TCP_NODELAY, one send for each message",
	},
	{
		Code: BlockedInCall, Title: "blocked in a system call",
		Takes: "lock",
		When: "blocked in other calls: a lock (of flock and fcntl: measured), the file system's journal. " +
			"Of operations also the time in which others held such a lock, whatever they did (measured)",
		Sure: "open",
		Try:  "a shorter time under the lock",
	},
	{
		Code: ThreadLock, Title: "a lock between its threads",
		Short: "thread lock",
		Takes: "waiting",
		When: "no thread ran or waited in a call, threads of one process waited in futexes for more than half of " +
			"that time, and no process slept for as long",
		Sure: "measured; likely where its threads were ready for longer than they ran",
		Try:  "a shorter time under the lock",
	},
	{
		Code: Stopped, Title: "stopped by a signal",
		Short: "stopped",
		Takes: "waiting",
		When: "in the state in which SIGSTOP, SIGTSTP and the like leave a thread (TASK_STOPPED), until another " +
			"program continued it (SIGCONT)",
		Sure: "measured",
		Try:  "find out why that program stops it",
	},
	{
		Code: Traced, Title: "stopped by a debugger (ptrace)",
		Short: "traced",
		Takes: "waiting",
		When: "in the state in which a traced thread waits for the program that traces it (TASK_TRACED): strace, gdb, " +
			"a sandbox",
		Sure: "measured",
		Try:  "run it without; strace --seccomp-bpf -e trace=…",
	},
	{
		Code: Frozen, Title: "frozen with its cgroup",
		Short: "frozen",
		Takes: "waiting",
		When: "frozen with its cgroup (cgroup.freeze, freezer.state; docker pause, a checkpoint), or for " +
			"the system's sleep",
		Sure: "measured",
		Try:  "thaw it sooner",
	},
	{
		Code: FrozenFS, Title: "a frozen file system",
		Short: "frozen file system",
		Takes: "lock",
		When: "blocked until another program thawed a file system (fsfreeze, xfs_freeze, a guest agent), or resumed " +
			"the device mapper's device below it (a snapshot of LVM)",
		Sure: "measured",
		Try:  "a shorter freeze",
	},
	{
		Code: ThinkTime, Title: "sleeping",
		Short: "sleeping",
		Takes: "waiting; lock in timers",
		When: "no thread ran or waited in a call, nor as `other_end` says; a read in which a server waits to be " +
			"asked does not count. Or blocked, with most of it in reads of timers (timerfd)",
		Sure: "measured; likely where its threads were ready for longer than they ran",
		Try:  "no waits between blocks", Counted: Count{7, 7},
	},
	{
		Code: OutsideOfCalls, Title: "not recorded",
		Short: "not recorded",
		Takes: "outside, other_call",
		When: "the recording does not show it (imports without waits; with strace what is left when the CPU " +
			"time that the kernel charged to the command is taken away)",
		Sure: "open",
		Try:  "record with iotrace",
	},
}
