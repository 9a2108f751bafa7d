package web

import "testing"

// The words of the shop for the interface's messages, and the field that each is about.
func TestAdvice(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]advice{
		"userId is required": {"userId", 0, "Choose who is working."},
		"entries[0].requiredQuantityPerBuild must be a number":      {"quantity", 0, "Line 1: Quantity per build must be a number."},
		"entries[4].partType is required":                           {"partType", 4, "Line 5: please fill in Part type."},
		"steps[2].name is required":                                 {"step", 2, "Step 3: please fill in Name."},
		"steps[0].location is too long":                             {"location", 0, "Step 1: Location is too long."},
		"goalQuantity must be greater than 0":                       {"goalQuantity", 0, "Goal quantity must be more than 0."},
		"quantity must be at most 100000":                           {"quantity", 0, "Number of units must be at most 100\u202f000."},
		"quantity must be an integer":                               {"quantity", 0, "Number of units must be a whole number."},
		"name is required":                                          {"name", 0, "Please fill in Name."},
		"SerialNumber not found: SN-00007":                          {"", 0, "There is no unit SN-00007."},
		"Can only complete deferred steps — step status is: waived": {"", 0, "The step is not put off any more: it is waived."},
		// Operations on many units say which one refused.
		"Cannot rework to a step after the current position (SN-00742)": {"target", 0, "SN-00742: The unit has not come to that step yet."},
		"Cannot rework a scrapped serial (SN-1000000)":                  {"", 0, "SN-1000000: The unit is scrapped."},
		"Serial is on hold: see (SN-00007)":                             {"", 0, "The unit is on hold: see (SN-00007)"},
		"SN-00007 stands at step index 3, expected 2 (SN-00007)":        {"", 0, "SN-00007: SN-00007 has moved meanwhile. Nothing was done. Look again."},
		"Exactly one of serialIds, ranges, where is required":           {"units", 0, "Name at least one unit."},
		"At most 100000 serials at once":                                {"units", 0, "These are more than 100\u202f000 units at once."},
		"nonsense (SN-00007)":                                           {"", 0, "nonsense (SN-00007)"},
		// What nobody listed is shown as it is.
		"Ticket SHOP-1 is already linked to job job_1": {"", 0, "Ticket SHOP-1 is already linked to job job_1"},
		"nonsense is required":                         {"", 0, "nonsense is required"},
		"name must be one of: a, b":                    {"", 0, "name must be one of: a, b"},
	} {
		if got := adviseOn(message); got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", message, got, want)
		}
	}
}
