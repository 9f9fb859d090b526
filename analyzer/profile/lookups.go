package profile

// Lookups says what calls on names asked for, and where that lies.
type Lookups struct {
	Found   int64   `json:"found"`     // calls that found what they asked for
	Within  Within  `json:"within"`    // directories among these: what other names lie in
	Missing Missing `json:"missing"`   // names that were not there
	Looked  Looked  `json:"looked_at"` // files of which only the name and the attributes were asked for
	// directories in which something was looked for that was not there, and nothing could be made, most refusals first,
	// at most 16
	Unkept []Unkept `json:"unkept,omitempty"`
	// files that were read where what a program keeps of them was not there, nor made
	Unmade *Unmade `json:"unmade,omitempty"`
}

// Missing counts what was looked for and was not there (ENOENT), nor made afterwards.
type Missing struct {
	Lookups int64 `json:"lookups"` // calls
	Paths   int64 `json:"paths"`   // different names with their directories
	Names   int64 `json:"names"`   // different names without them
	Places  int64 `json:"places"`  // directories in which each of these was looked for, on average
	// the path that was looked for most often, and how often
	Most      string `json:"most_path,omitempty"`
	MostCount int64  `json:"most_lookups"` // calls that looked for it
}

// Within counts directories of which only the attributes were asked for.
type Within struct {
	Directories int64 `json:"directories"` // how many
	Lookups     int64 `json:"lookups"`     // calls
}

// Looked counts files that were looked at, and neither read, written nor changed.
type Looked struct {
	Files   int64 `json:"files"`   // how many
	Lookups int64 `json:"lookups"` // calls
	// the deepest directory with more than nine tenths of these files below it, and how many these are; missing if there
	// is none
	Under      string `json:"under,omitempty"`
	UnderFiles int64  `json:"under_files"` // files below it
	Others     int64  `json:"other_files"` // that were used otherwise
}

// Unkept is a directory in which nothing could be made.
type Unkept struct {
	Path    string `json:"path"`    // its name
	Missed  int64  `json:"missed"`  // names that were looked for in it and were not there
	Refused int64  `json:"refused"` // calls that were to make something in it, or asked whether they may
	Errno   int64  `json:"errno"`   // of the last of these
}

// Unmade counts files that were read, by their extension and by that of others which were not there. These have the
// same name before the first dot, in the same directory or in one within it. Of several pairs it is the one of most
// files.
type Unmade struct {
	From  string `json:"from"`  // extension of what was read
	To    string `json:"to"`    // extension of what could not be opened, as it was not there
	Files int64  `json:"files"` // how many
}
