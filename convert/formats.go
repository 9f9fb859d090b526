package convert

// Exporters are all formats that can be written.
var Exporters = []*Exporter{&Chrome, &Perfetto, &JSONLines, &Parquet, &Arrow, &CSV, &FioLog, &FioJob, &Blkparse}
