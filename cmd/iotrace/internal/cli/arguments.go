package cli

import "github.com/spf13/cobra"

// CheckArguments makes errors of a command's argument check usage errors, as cobra does for flags only.
func CheckArguments(c *cobra.Command) {
	check := c.Args
	if check == nil {
		check = cobra.NoArgs
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return Usage(c, err)
		}
		return nil
	}
}
