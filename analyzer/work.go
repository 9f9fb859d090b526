package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// nameWork says of samples what kind of work they are.
func nameWork(list []profile.Sample) {
	for i := range list {
		if w := cause.WorkOf(list[i].Library, list[i].Function); w != nil {
			list[i].Work = w.Name
		}
	}
}
