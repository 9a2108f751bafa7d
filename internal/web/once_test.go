package web_test

import "testing"

// A form that arrives twice is carried out once, and answered the same both times. Filled in differently it is another one.
func TestFormsAreCarriedOutOnce(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	jobs := func() (count int) {
		for _, err := range s.service.Jobs(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			count++
		}
		return count
	}
	form := v.visit("/jobs").page.form(t, "Create").with("name", "Valve body", "goalQuantity", "3")
	first := v.post(form).page
	again := v.post(form).page
	if n := jobs(); n != 1 || again.address != first.address {
		t.Errorf("%d jobs; led to %s and then to %s", n, first.address, again.address)
	}
	v.says("Valve body")
	// Back, and another name in the same form.
	form.values.Set("name", "Housing")
	if v.post(form); jobs() != 2 {
		t.Errorf("%d jobs after another one was created", jobs())
	}
	// A form without its key is carried out as often as it comes.
	form.values.Del("once")
	v.post(form)
	if v.post(form); jobs() != 4 {
		t.Errorf("%d jobs without keys", jobs())
	}
}
