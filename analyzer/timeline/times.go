package timeline

// Times is the time spent under each label, and per state of threads.
type Times struct {
	Label [NumLabels]int64
	// Disk is the time in which a thread waited for I/O and none was running;
	// Wake is what it then took until a processor took a thread up again.
	Disk, Wake int64
	// Waking is the part of Ready in which all threads that were ready ran again within WakeUp of their I/O.
	Waking int64
	thread [numStates]int64
}

// ThreadTimes names the thread times: added over threads, they may exceed the
// wall time.
func (t *Times) ThreadTimes() map[string]int64 {
	return map[string]int64{
		"data_calls": t.thread[inData], "metadata_calls": t.thread[inMeta], "other_calls": t.thread[inOther],
		"sync_calls": t.thread[inSync], "async_calls": t.thread[inAsync], "waiting_async": t.thread[waitsAsync],
		"running": t.thread[running], "waiting_io": t.thread[waitsIO], "waking": t.thread[wakes],
		"ready": t.thread[runnable] + t.thread[preempted], "throttled": t.thread[waitsThrottle],
		"blocked_in_call": t.thread[waitsCall], "blocked": t.thread[waitsOther],
	}
}

// Running is the time threads were running, or ready to, added over them.
func (t *Times) Running() int64 {
	return t.thread[running] + t.thread[inData] + t.thread[inMeta] + t.thread[inOther] + t.thread[inAsync] +
		t.thread[preempted]
}

// Sub returns what was spent between an earlier state of the sums and this one.
func (t Times) Sub(earlier Times) Times {
	for i := range t.Label {
		t.Label[i] -= earlier.Label[i]
	}
	for i := range t.thread {
		t.thread[i] -= earlier.thread[i]
	}
	t.Disk -= earlier.Disk
	t.Wake -= earlier.Wake
	t.Waking -= earlier.Waking
	return t
}
