package cause

import "strings"

// Work is a kind of work that CPU time is spent on, and what helps against it.
type Work struct {
	Name string
	Try  string
	// Programs and libraries that do nothing else, by the beginnings of their names; of a program's that is all of it.
	Programs, Libraries []string
	Functions           []string // beginnings of names, without underscores before them, whatever they are part of
}

// WorkOf is what a function does, or a library if the function does not tell; nil if neither is known.
func WorkOf(library, function string) *Work {
	if name := strings.TrimLeft(function, "_"); name != "" {
		if w := find(name, func(w *Work) []string { return w.Functions }); w != nil {
			return w
		}
	}
	if w := find(library, func(w *Work) []string { return w.Libraries }); w != nil {
		return w
	}
	for i := range works {
		for _, program := range works[i].Programs {
			if program == library {
				return &works[i]
			}
		}
	}
	return nil
}

// find is the kind of the longest beginning that a name has.
func find(name string, of func(*Work) []string) (best *Work) {
	longest := 0
	for i := range works {
		for _, begin := range of(&works[i]) {
			if len(begin) > longest && strings.HasPrefix(name, begin) {
				best, longest = &works[i], len(begin)
			}
		}
	}
	return best
}

// works are all kinds, in the order of the page.
var works = []Work{
	{
		Name: "compression", Try: "a lower level, several threads (pigz, xz -T0, zstd -T0), or none",
		Programs: []string{"gzip", "pigz", "bzip2", "pbzip2", "lbzip2", "xz", "pixz", "zstd", "lz4", "lzop",
			"brotli", "zip", "unzip", "7z", "7za", "7zr", "7zz"},
		Libraries: []string{"libz.so", "libz-ng.so", "libzstd.so", "liblzma.so", "libbz2.so", "liblz4.so",
			"libbrotli", "libsnappy.so", "liblzo2.so", "libdeflate.so", "libisal.so"},
		Functions: []string{"inflate", "deflate", "longest_match", "ZSTD_", "zstd_", "LZ4", "BZ2_", "lzma_",
			"HUF_", "FSE_", "lzo1x_", "compress/", "github.com/klauspost/compress/", "github.com/klauspost/pgzip",
			"snappy"},
	},
	{
		Name: "checksums", Try: "leave out what needs them, or take a faster one (XXH3, BLAKE3, CRC-32C)",
		Programs: []string{"md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum",
			"b3sum", "cksum", "sum", "xxhsum", "rhash", "rsync"},
		Libraries: []string{"libxxhash.so", "libb2.so", "libblake3.so"},
		Functions: []string{"sha1", "sha2", "sha5", "SHA1", "SHA2", "SHA5", "sha_", "md4", "md5", "MD5", "MD4",
			"crc", "adler32", "XXH", "xxh", "blake", "BLAKE", "keccak", "Keccak", "KECCAK", "siphash", "crypto/sha",
			"crypto/md5", "crypto/internal/fips140/sha", "hash/", "github.com/cespare/xxhash",
			"lukechampine.com/blake"},
	},
	{
		Name: "encryption", Try: "a cipher that the CPU has instructions for (AES-GCM), or none",
		Libraries: []string{"libssl.so"},
		Programs:  []string{"gpg", "age"},
		Functions: []string{"aes", "AES_", "vpaes", "bsaes", "chacha", "ChaCha", "CRYPTO_", "poly1305", "gcm_",
			"ghash", "xts_", "crypt_convert", "argon2", "blamka", "scrypt", "bn_", "BN_", "ecp_", "RSA_",
			"crypto/aes", "crypto/cipher", "crypto/internal/fips140/aes", "golang.org/x/crypto/"},
	},
	{
		Name: "encryption or checksums", Try: "a cipher or a hash that the CPU has instructions for, or none",
		Programs: []string{"openssl"},
		Libraries: []string{"libcrypto.so", "libgcrypt.so", "libnettle.so", "libsodium.so", "libmbedcrypto.so",
			"libgnutls.so"},
	},
	{
		Name: "matching text", Try: "LC_ALL=C where bytes will do, or a search for fixed strings (grep -F)",
		Programs:  []string{"grep", "sed"},
		Libraries: []string{"libpcre", "libonig.so", "libicu"},
		Functions: []string{"mbrto", "mbrlen", "mbtowc", "mbsrto", "mbsinit", "wcrtomb", "wcsrto", "wctype",
			"iswa", "iswc", "iswl", "towl", "towu", "towc", "wcscoll", "wcsxfrm", "strcoll", "strxfrm", "gconv",
			"iconv", "re_", "regexec", "regcomp", "check_matching", "check_subexp", "check_arrival", "transit_state",
			"merge_state", "build_wcs", "build_trtable", "sift_states", "get_subexp", "match_ctx", "regexp.",
			"regexp/"},
	},
	{
		Name:     "sorting and comparing",
		Try:      "LC_ALL=C where bytes will do, several threads (sort --parallel), or data that is in order already",
		Programs: []string{"sort", "cmp", "diff"},
		Functions: []string{"memcmp", "strcmp", "strncmp", "bcmp", "qsort", "msort", "slices.pdqsort", "sort.",
			"std::__introsort"},
	},
	{
		Name: "copying in memory", Try: "fewer copies: larger buffers, copy_file_range or sendfile, direct I/O",
		Functions: []string{"memcpy", "memmove", "mempcpy", "memset", "copy_user", "copy_to_", "copy_from_",
			"copy_page", "copy_folio", "copy_mc", "rep_movs", "raw_copy", "runtime.memmove", "runtime.memclr",
			"wmem", "arch_copy_"},
	},
	{
		Name: "page faults", Try: "memory that is used again in place of new memory, huge pages, or fewer program starts",
		Functions: []string{"clear_page", "clear_huge_page", "clear_user", "clear_folio", "folio_zero",
			"handle_mm_fault", "handle_pte_fault", "do_anonymous_page", "do_fault", "do_user_addr_fault",
			"do_wp_page", "wp_page_copy", "exc_page_fault", "asm_exc_page_fault", "do_page_fault", "do_mem_abort",
			"filemap_map_pages", "next_uptodate_folio", "set_pte_range", "lru_add", "lru_gen_add",
			"mem_cgroup_charge", "charge_memcg", "get_page_from_freelist", "rmqueue", "alloc_pages",
			"alloc_frozen_pages", "unmap_page_range", "zap_", "free_unref", "free_pages", "free_frozen_pages",
			"folio_remove_rmap", "folio_add_", "copy_pte_range", "copy_present", "tlb_", "flush_tlb",
			"lock_vma_under_rcu", "mas_walk", "vma_alloc_folio", "folios_put", "release_pages"},
	},
	{
		Name:      "memory allocation",
		Try:       "fewer objects that live longer; another allocator, or a larger heap before it is collected (GOGC)",
		Libraries: []string{"libjemalloc.so", "libtcmalloc", "libmimalloc.so"},
		Functions: []string{"malloc", "int_malloc", "int_free", "libc_malloc", "libc_free", "libc_calloc",
			"calloc", "realloc", "free", "cfree", "unlink_chunk", "Znwm", "ZdlPv", "je_", "tc_malloc", "tc_free",
			"mi_malloc", "mi_free", "runtime.mallocgc", "runtime.gc", "runtime.scan", "runtime.grey",
			"runtime.sweep", "runtime.(*mspan)", "runtime.(*mheap)", "runtime.(*sweep", "PyObject_Malloc",
			"PyObject_Free", "gc_collect"},
	},
	{
		Name: "interpreting a script", Try: "less work for each item in the script, or a compiled library or program for it",
		Programs: []string{"bash", "dash", "sh", "zsh", "ksh", "perl", "awk", "gawk", "mawk", "ruby", "php",
			"lua", "tclsh", "node", "qemu-x86_64", "qemu-aarch64"},
		Libraries: []string{"libpython", "python", "libperl.so", "libruby", "libphp", "liblua", "libnode.so",
			"libv8", "libmozjs", "libguile", "libtcl"},
		Functions: []string{"Py", "Builtins_", "v8::"},
	},
	{
		Name: "compiling", Try: "what was compiled kept (ccache, a build cache), or less of it",
		Programs:  []string{"cc1", "cc1plus", "lto1", "rustc", "compile", "javac"},
		Libraries: []string{"libLLVM", "libclang", "librustc_driver", "clang"},
	},
	{
		Name: "encoding pictures", Try: "a faster preset, or the encoder of the graphics hardware",
		Libraries: []string{"libx264.so", "libx265.so", "libaom.so", "libSvtAv1", "libvpx.so", "libavcodec.so",
			"libjpeg.so", "libwebp.so", "libMagickCore"},
	},
	{
		Name: "linking programs that start", Try: "fewer program starts, or programs that are linked statically",
		Libraries: []string{"ld-linux", "ld-musl"},
		Functions: []string{"dl_relocate", "dl_lookup", "do_lookup_x"},
	},
	{
		Name: "looking up names",
		Try:  "fewer calls on names: keep what is known, look in fewer directories",
		Functions: []string{"link_path_walk", "path_lookup", "path_openat", "path_init", "lookup_", "d_lookup",
			"d_alloc", "d_hash", "walk_component", "step_into", "filename_lookup", "getname", "strncpy_from_user",
			"inode_permission", "generic_permission", "dput", "lockref_", "legitimize_", "complete_walk",
			"try_to_unlazy", "set_nameidata", "may_open"},
	},
	{
		Name: "a file system's own work", Try: "fewer and larger calls; a faster drive changes nothing",
		Functions: []string{"ext4_", "jbd2_", "xfs_", "xlog_", "btrfs_", "f2fs_", "ovl_", "fuse_", "nfs_",
			"nfsd_", "smb2_", "cifs_", "squashfs_", "zfs_", "zio_", "dbuf_", "bch2_", "fat_", "exfat_", "ntfs",
			"udf_", "iomap_"},
	},
	{
		Name: "waiting for locks on a CPU", Try: "fewer threads at what they share",
		Functions: []string{"native_queued_spin_lock_slowpath", "queued_spin_lock_slowpath", "pv_queued_spin",
			"osq_lock", "mutex_spin_on_owner", "rwsem_spin", "rwsem_optimistic", "queued_read_lock",
			"queued_write_lock", "pthread_spin"},
	},
}
