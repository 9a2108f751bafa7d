package wording

import (
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

var requirementWords = nounWords{
	of: []ident.RecordKind{shop.RecordRequirements},
	fields: map[string]field{
		"components":               {"Parts", "components", "", ""},
		"lotRequired":              {"", "lotRequired", "", ""},
		"certificateRequired":      {"", "certificateRequired", "", ""},
		"outside.process":          {"Process", "process", "Name the process of the outside work.", ""},
		"outside.specification":    {"Specification", "specification", "", ""},
		"specification":            {"Specification", "specification", "", ""},
		"code":                     {"Code", "code", "", ""},
		"outside.suppliers":        {"Approved suppliers", "suppliers", "", ""},
		"outside.customerApproval": {"Source", "customerApproval", "", "Choose whether the customer approved the source."},
		"functionalTest.procedure": {"Functional test", "procedure", "", ""},
	},
}
