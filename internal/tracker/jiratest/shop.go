package jiratest

// The identifiers of Shop's custom fields.
const (
	PartField     = "customfield_10101"
	QuantityField = "customfield_10102"
	EpicField     = "customfield_10014"
)

// Shop returns a Jira with a project of a machine shop. Its user and token are not secret.
func Shop(kind int) *Jira {
	j := &Jira{Kind: kind, User: "lead@example.com", Token: "example-token"}
	j.Add(
		Issue{Key: "SHOP-90", Fields: map[string]any{
			"summary": "Gearbox GH-200", "status": named("In Progress"), "priority": named("Medium"), "labels": []string{},
			"issuetype": named("Epic"),
		}},
		Issue{Key: "SHOP-101", Done: true, Fields: map[string]any{
			"summary": "4 prototypes of the housing", "status": named("Done"), "labels": []string{},
		}},
		Issue{Key: "SHOP-117", Fields: map[string]any{
			"summary": "Fixture for line 2", "status": named("To Do"), "priority": named("Low"), "labels": []string{},
		}},
		Issue{Key: "SHOP-118", Fields: map[string]any{
			"summary": "25 housings for line 2", "status": named("To Do"), "priority": named("High"),
			"labels": []string{"milling", "line-2"}, PartField: "GH-200-B", QuantityField: 25.0, EpicField: "SHOP-90",
			"parent": map[string]any{"id": "1090", "key": "SHOP-90", "fields": map[string]any{
				"summary": "Gearbox GH-200", "issuetype": map[string]any{"name": "Epic", "hierarchyLevel": 1},
			}},
		}},
		Issue{Key: "HR-7", Fields: map[string]any{"summary": "Nobody's business", "status": named("To Do")}},
	)
	return j
}

func named(name string) map[string]any { return map[string]any{"name": name} }
