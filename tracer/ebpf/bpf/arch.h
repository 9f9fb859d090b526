/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Where each architecture keeps the number and the arguments of a system call. */
#ifndef IOTRACE_ARCH_H
#define IOTRACE_ARCH_H

#if defined(__TARGET_ARCH_x86)
#define CALL_NR(r) ((long)(r)->orig_ax)
#define ARG0(r) ((r)->di)
#define ARG1(r) ((r)->si)
#define ARG2(r) ((r)->dx)
#define ARG3(r) ((r)->r10)
#define ARG4(r) ((r)->r8)
#define ARG5(r) ((r)->r9)
#define COMPAT(p) ((p)->thread_info.status & 2) /* TS_COMPAT: a call of the 32-bit interface, which has other numbers */
#elif defined(__TARGET_ARCH_arm64)
#define CALL_NR(r) ((long)(r)->syscallno)
#define ARG0(r) ((r)->orig_x0)
#define ARG1(r) ((r)->regs[1])
#define ARG2(r) ((r)->regs[2])
#define ARG3(r) ((r)->regs[3])
#define ARG4(r) ((r)->regs[4])
#define ARG5(r) ((r)->regs[5])
#define COMPAT(p) ((p)->thread_info.flags >> 22 & 1) /* TIF_32BIT */
#endif

#endif /* IOTRACE_ARCH_H */
