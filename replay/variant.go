package replay

// Variant is another way to do the work of a recorded program: in larger blocks, with more calls in flight, past the
// page cache, without syncs, or with its copies made by another method.
type Variant struct {
	Name    string
	Program *Program
}
