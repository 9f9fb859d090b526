/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Where each architecture keeps the number and the arguments of a system call, and what it runs. */
#ifndef IOTRACE_ARCH_H
#define IOTRACE_ARCH_H

#define REGISTER(r, name) TASK_READ(r, name)

#if defined(__TARGET_ARCH_x86)
#define CALL_NR(r) ((long)REGISTER(r, orig_ax))
#define ARG0(r) REGISTER(r, di)
#define ARG1(r) REGISTER(r, si)
#define ARG2(r) REGISTER(r, dx)
#define ARG3(r) REGISTER(r, r10)
#define ARG4(r) REGISTER(r, r8)
#define ARG5(r) REGISTER(r, r9)
/* Whether a call is of the 32-bit interface, which has other numbers. */
#define COMPAT(p) (TASK_READ(p, thread_info.status) & 2) /* TS_COMPAT */
#define IP 16 /* place of the instruction pointer among the registers that a sample is given */
#elif defined(__TARGET_ARCH_arm64)
#define CALL_NR(r) ((long)REGISTER(r, syscallno))
#define ARG0(r) REGISTER(r, orig_x0)
#define ARG1(r) REGISTER(r, regs[1])
#define ARG2(r) REGISTER(r, regs[2])
#define ARG3(r) REGISTER(r, regs[3])
#define ARG4(r) REGISTER(r, regs[4])
#define ARG5(r) REGISTER(r, regs[5])
#define COMPAT(p) (TASK_READ(p, thread_info.flags) >> 22 & 1) /* TIF_32BIT */
#define IP 32
#endif

#endif /* IOTRACE_ARCH_H */
