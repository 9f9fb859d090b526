package workload

import (
	"fmt"
	"os/exec"
	"strconv"

	"golang.org/x/sys/unix"
)

func init() { programs["users"] = users }

// users FILE USER OTHER writes 1 byte to FILE as the real user USER, 2 as OTHER, 3 as USER again and 4 as OTHER. Then
// it has children write: 5 as USER, 6 as OTHER.
func users(args []string) error {
	f, err := create(args[0])
	if err != nil {
		return err
	}
	var uids [2]int
	for i := range uids {
		if uids[i], err = strconv.Atoi(args[1+i]); err != nil {
			return err
		}
	}
	for n := range 4 {
		if err := unix.Setreuid(uids[n%2], -1); err != nil {
			return fmt.Errorf("becoming user %d: %w", uids[n%2], err)
		}
		if err := put(f, n+1); err != nil {
			return err
		}
	}
	for n := range 2 {
		if err := unix.Setreuid(uids[n], -1); err != nil {
			return err
		}
		c := exec.Command("/bin/sh", "-c", fmt.Sprintf("printf %%0%dd 0 >> '%s'", 5+n, args[0]))
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	return nil
}
