package verdict

// The shares from which on something counts. One half is written as such; the others are few, so that rules can be
// compared, and each is far from what the situations show that it tells apart (docs/verification.md).
const (
	worthTelling = 0.02    // of the time: less is within the noise of two runs
	tenth        = 0.1     // also worth a word; ten times less does not matter
	fifth        = 0.2     // one of a few, or likely to matter where some of it is not seen
	third        = 0.3     // next to the rest, too much to be left out
	twoThirds    = 2.0 / 3 // twice as much as all the rest
	fourFifths   = 0.8     // four times the rest: the rest is not it
	nearlyAll    = 0.9     // ten times: the rest is the exception
)

// What is too little to tell anything from.
const (
	noticeable = 100_000_000   // ns: ten ticks of the kernel's clock, and more than one slow request
	long       = 2_000_000_000 // ns: longer than a drive takes for its cache, and 200 ticks, of which counters are sums
	several    = 16            // requests or calls: chance does not make so many alike
)
