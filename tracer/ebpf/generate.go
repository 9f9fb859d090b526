package ebpf

// The generated objects are committed, packed, so that building needs only Go, and with them the types that the C shares
// with Go; TestObjectsCurrent rebuilds them with the pinned compiler and compares bytes.
//
//go:generate go tool bpf2go -go-package ebpf -output-stem iotrace -no-global-types -tags linux -target amd64,arm64 -cc clang-19 -strip llvm-strip-19 -type io -type call -type ident -type async -type fault -type req -type extent -type wait -type fork -type exec -type exit -type helper -type helper_info -type commit -type rpc -type sample -type call_cursor -type lost_key -type rq_info -type bio_info -type bound -type record -type half -type shape -type ident_flags -type api -type evidence -type req_marks -type wait_cause -type waker -type selection -type group -type group_path iotrace bpf/iotrace.bpf.c -- -O2 -g -mcpu=v3 -Wall -Wno-unused-function -Ibpf -I/usr/include -I/usr/include/x86_64-linux-gnu
//go:generate go tool bpf2go -go-package ebpf -output-stem legacy -no-global-types -tags linux -target amd64,arm64 -cc clang-19 -strip llvm-strip-19 legacy bpf/iotrace.bpf.c -- -DLEGACY -O2 -g -mcpu=v3 -Wall -Wno-unused-function -Ibpf -I/usr/include -I/usr/include/x86_64-linux-gnu
//go:generate go run ../../internal/tools objects
