package main

import (
	"cmp"
	"errors"
	"fmt"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

type recordCommand struct {
	*cli.App
	scopeFlags
	output    string
	force     bool
	all       bool
	duration  unit.DurationFlag
	backend   string
	drain     unit.DurationFlag
	blind     bool
	buffer    unit.SizeFlag
	readyFile string
	quiet     bool
	runs      int
	warmups   int
	prepare   string
	goOn      bool
	flight    flightFlags
}

func (o *recordCommand) addFlags(f *pflag.FlagSet) {
	f.StringVarP(&o.output, "output", "o", "",
		"write the trace to `FILE`; - is standard output (default: COMMAND-DATE-TIME.iotrace)")
	f.BoolVarP(&o.force, "force", "f", false, "replace an existing FILE")
	o.scopeFlags.add(f, "record")
	f.BoolVar(&o.all, "all", false, "record all processes")
	f.Var(&o.duration, "duration", "record at most this long (30, 1m30s)")
	f.StringVar(&o.backend, "backend", backends.Automatic, "how to record: "+strings.Join(backends.Names(), ", "))
	o.drain = unit.DurationFlag(30 * time.Second)
	f.Var(&o.drain, "drain", "after the command, wait at most this long until its data is on the device; 0 does not wait")
	f.BoolVar(&o.blind, "no-verify-copies", false,
		"do not compare files after the command; what is a copy then depends on the calls alone")
	f.Var(&o.buffer, "buffer", "size of the kernel buffer, a power of two of at most 1 GiB (default: the backend's)")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print no summary, and no line while a command runs")
	f.IntVarP(&o.runs, "runs", "n", 1, "run the command `N` times, each recorded to a file of its own: FILE-1, FILE-2, …")
	f.IntVar(&o.warmups, "warmup", 0, "before that, run it `N` times unrecorded")
	f.StringVar(&o.prepare, "prepare", "", "run `CMD` in a shell before each run and warm-up, unrecorded")
	f.BoolVarP(&o.goOn, "ignore-failure", "i", false, "of several runs, go on when one fails")
	o.flight.add(f)
	f.StringVar(&o.readyFile, "ready-file", "", "create `FILE` when the probes are attached")
	_ = f.MarkHidden("ready-file")
	f.SetInterspersed(false)
}

func newRecordCommand(a *cli.App) *cobra.Command {
	o := &recordCommand{App: a}
	c := &cobra.Command{
		Use:   "record [flags] [--] COMMAND [ARG]...",
		Short: "Run a command and record what it does to its disk",
		Long:  cli.Help("record"),
		Example: `  sudo iotrace record -- cp big.iso /mnt/usb/
  sudo iotrace record -o backup.iotrace -- rsync -a src/ /mnt/backup/
  sudo iotrace record --runs 5 --prepare 'rm -f /mnt/usb/a' -- cp a /mnt/usb/
  sudo iotrace record --name postgres --duration 10s
  sudo iotrace record --all --keep 60s --when 'request.latency > 100ms' -o DIR`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			err := errors.Join(o.check(args), checkBackend(a.Backends, o.backend), o.checkFlight(c.Flags(), args))
			if err != nil {
				return cli.Usage(c, err)
			}
			if o.flight.used(c.Flags()) {
				return o.fly()
			}
			return o.run(args)
		},
	}
	o.addFlags(c.Flags())
	return c
}

func (o *recordCommand) check(command []string) error {
	if len(command) == 0 && !o.attaches() && !o.narrows() {
		return errors.New("nothing to record: want a command, --pid, --name, --cgroup, --container, --user, --device, " +
			"--file or --all")
	}
	if err := o.narrowFlags.check(); err != nil {
		return err
	}
	if err := o.checkRuns(command); err != nil {
		return err
	}
	for _, pid := range o.pids {
		if pid == 0 || pid > 1<<31-1 {
			return fmt.Errorf("%d is not a process ID", pid)
		}
	}
	for what, names := range map[string][]string{"process name": o.names, "control group": o.groups,
		"container": o.containers, "user": o.users} {
		if slices.Contains(names, "") {
			return fmt.Errorf("a %s cannot be empty", what)
		}
	}
	if o.buffer < 0 || o.buffer > 1<<30 {
		return fmt.Errorf("a buffer of %s: want at most 1 GiB", unit.BlockSize(int64(o.buffer)))
	}
	return nil
}

func (o *recordCommand) checkRuns(command []string) error {
	several := o.runs > 1 || o.warmups > 0 || o.prepare != ""
	switch {
	case o.runs < 1:
		return fmt.Errorf("%d runs: want at least 1", o.runs)
	case o.warmups < 0:
		return fmt.Errorf("%d warm-ups: want none or more", o.warmups)
	case several && (len(command) == 0 || o.attaches()):
		return errors.New("--runs, --warmup and --prepare are for a command alone, " +
			"not for what runs already (--pid, --all, …)")
	case o.runs > 1 && o.output == tracer.Stdout:
		return errors.New("several runs need files: name them with -o FILE, not -o -")
	}
	return nil
}

// run records, and prints what came of it.
func (o *recordCommand) run(command []string) error {
	user, err := tracer.InvokingUser()
	if err != nil {
		return notStarted(err, command)
	}
	scope, err := o.scope(command)
	if err != nil {
		return notStarted(err, command)
	}
	results, err := o.record(user, scope, command)
	signal.Ignore(unix.SIGPIPE) // who reads the summary may leave; the status counts
	if len(results) == 0 {
		return notStarted(err, command)
	}
	if user != nil { // root is no longer needed, least of all to read a file by its name
		err = errors.Join(err, user.Become())
	}
	switch {
	case o.quiet:
	case o.runs == 1:
		summarize(o.App, results[0])
	default:
		summarizeRuns(o.App, results)
	}
	if o.runs > 1 && o.goOn && err == nil {
		return nil // the summary has the statuses
	}
	return recordError(results[len(results)-1], o.runs > 1, err)
}

// record makes the recordings.
func (o *recordCommand) record(user *tracer.User, scope tracer.Scope, command []string) ([]*tracer.Result, error) {
	monitor := &tracer.Monitor{}
	signals := tracer.CatchSignals()
	defer signals.Stop()
	requests, stopRequests := cli.StatusRequests()
	defer stopRequests()
	status := recordStatus{Monitor: monitor, Command: len(command) > 0, Quiet: o.quiet}
	progress := cli.NewProgress(o.Err, requests, status.Line)
	defer progress.Stop()
	warn := func(err error) { progress.Println("iotrace: " + o.Explain(err)) }
	s := series{Runs: o.runs, Warmups: o.warmups, Prepare: o.prepare, GoOn: o.goOn}
	if o.runs+o.warmups > 1 && !o.quiet {
		s.Begin = func(run string) { progress.Println("iotrace: " + run) }
	}
	s.Recording = tracer.Options{
		Command:   command,
		User:      user,
		Scope:     scope,
		Open:      func() (tracer.Source, error) { return o.Backends.Open(o.backend, int(o.buffer), warn) },
		Output:    cmp.Or(o.output, traceFileName(command, scope, time.Now())),
		Owner:     user,
		Force:     o.force,
		Duration:  time.Duration(o.duration),
		Drain:     time.Duration(o.drain),
		Contents:  !o.blind,
		ReadyFile: o.readyFile,
		Tool:      cli.Tool(),
		Signals:   signals,
		Monitor:   monitor,
		Warn:      warn,
	}
	return recordSeries(s)
}

// recordError is the status to leave with after a recording, or the last of several: the command's own, unless the
// recording went wrong.
func recordError(result *tracer.Result, several bool, err error) error {
	switch {
	case err != nil && result.Ended && !several:
		err = fmt.Errorf("%w\nThe command itself %s", err, ended(result))
		return &cli.StatusError{Status: cli.ExitError, Err: err}
	case err != nil:
		return &cli.StatusError{Status: cli.ExitError, Err: err}
	case result.ExitCode != 0:
		return &cli.StatusError{Status: result.ExitCode}
	}
	return nil
}

// ended says how a command came to its end, where the status of this program
// says something else.
func ended(result *tracer.Result) string {
	if name := unix.SignalName(result.KilledBy); name != "" {
		return fmt.Sprintf("was ended by %s (status %d)", name, result.ExitCode)
	}
	return fmt.Sprintf("ended with status %d", result.ExitCode)
}

// notStarted is the error of a recording that did not begin. With a command
// the status tells it from everything the command itself could return.
func notStarted(err error, command []string) error {
	if len(command) == 0 {
		return err
	}
	return &cli.StatusError{Status: cli.ExitNotStarted, Err: err}
}
