/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The address of whoever is at the other end of a socket, as a struct sockaddr. */
#ifndef IOTRACE_PEER_H
#define IOTRACE_PEER_H

#define AF_INET 2
#define AF_INET6 10
#define S_IFSOCK 0140000
#define SCOPED 0xfe80 /* fe80::/10 is of one link (RFC 4291) */

/* struct sockaddr_in6, in whose beginning a struct sockaddr_in has its address too (linux/in.h, linux/in6.h). */
struct internet_address {
	u16 family;
	u16 port;
	u32 ip4; /* or a label of IPv6 */
	u8 ip6[16];
	u32 scope;
};

#define INTERNET_ADDRESS 28  /* sizeof(struct sockaddr_in6) */
#define INTERNET_ADDRESS4 16 /* sizeof(struct sockaddr_in) */

/* given_address copies an address that a program has, and returns its length; 0: none. */
static __always_inline u32 given_address(char *to, u64 user, u32 len)
{
	if (!user || len > MAX_ADDRESS)
		return 0;
	barrier_var(len);
	len &= 2 * MAX_ADDRESS - 1; /* which tells the verifier so */
	return bpf_probe_read_user(to, len, (void *)user) ? 0 : len;
}

/* connected_address is what the kernel has of a connection; 0 if it is no Internet one. */
static __noinline u32 connected_address(char *to, struct file *f)
{
	struct internet_address a = {};
	struct sock_common *sk;
	struct socket *socket;

	if (!f || (BPF_CORE_READ(f, f_inode, i_mode) & S_IFMT) != S_IFSOCK)
		return 0;
	socket = BPF_CORE_READ(f, private_data);
	sk = BPF_CORE_READ(socket, sk);
	a.family = BPF_CORE_READ(sk, skc_family);
	a.port = BPF_CORE_READ(sk, skc_dport);
	if (a.family == AF_INET) {
		a.ip4 = BPF_CORE_READ(sk, skc_daddr);
	} else if (a.family == AF_INET6 && bpf_core_field_exists(sk->skc_v6_daddr)) {
		BPF_CORE_READ_INTO(&a.ip6, sk, skc_v6_daddr);
		if (((a.ip6[0] << 8 | a.ip6[1]) & 0xffc0) == SCOPED)
			a.scope = BPF_CORE_READ(sk, skc_bound_dev_if);
	} else {
		return 0;
	}
	__builtin_memcpy(to, &a, sizeof(a));
	return a.family == AF_INET ? INTERNET_ADDRESS4 : INTERNET_ADDRESS;
}

/* has_address reports whether a call on a socket that moves data was given an address, or room for one. */
static __always_inline bool has_address(struct done *c)
{
	struct pt_regs *regs = c->regs;
	u64 given = 0;

	if (c->shape == SHAPE_MSG) {
		bpf_probe_read_user(&given, sizeof(given), (void *)ARG1(regs));
	} else if (c->shape == SHAPE_SEND) {
		given = ARG4(regs);
		barrier_var(given); /* lest one load of two pointers is made of both */
	}
	return given;
}

/* message_address copies the address of such a call. A length is no address: what receives is told where it is. */
static __always_inline u32 message_address(char *to, struct done *c)
{
	struct pt_regs *regs = c->regs;
	struct {
		u64 name;
		u32 len;
		u32 pad;
	} head = {};

	if (c->shape == SHAPE_MSG) {
		if (c->ret < 0 || bpf_probe_read_user(&head, sizeof(head), (void *)ARG1(regs)))
			return 0;
		return given_address(to, head.name, head.len);
	}
	head.len = ARG5(regs);
	if (ARG5(regs) > MAX_ADDRESS &&
	    (c->ret < 0 || bpf_probe_read_user(&head.len, sizeof(head.len), (void *)ARG5(regs))))
		return 0;
	return given_address(to, ARG4(regs), head.len);
}

#endif /* IOTRACE_PEER_H */
