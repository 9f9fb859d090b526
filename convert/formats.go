package convert

// Importers are all formats that can be read.
var Importers = []*Importer{&Strace, &Blkparse, &Biosnoop, &FSUsage, &Xctrace, &Ktrace}

// Exporters are all formats that can be written.
var Exporters = []*Exporter{&Chrome}
