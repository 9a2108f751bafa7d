package web_test

import (
	"net/http"
	"testing"
)

// The card gives a unit its own number, corrects it with a reason, and says which unit has one already.
func TestCardSetsTheOwnNumber(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(2, "Saw", "Turn")
	v := s.works("Dana")
	give := func(unit string, fields ...string) *visitor {
		return v.visit("/serials/"+unit).press(`value="set-serial-number"`, append([]string{"do", "set-serial-number"}, fields...)...)
	}
	give("SN-00001", "serialNumber", "VB-7").says("SN-00001 has the number VB-7.")
	give("SN-00002", "serialNumber", "VB-7").says("SN-00001 has the number VB-7: look which of the two units it is engraved on.")
	if v.page.status != http.StatusConflict {
		t.Errorf("status %d", v.page.status)
	}
	give("SN-00001", "serialNumber", "VB-8", "reason", " ").says("Say why.")
	give("SN-00001", "serialNumber", "VB-8", "reason", "misread").says("SN-00001 has the number VB-8.")
	v.says("Own number set")
	give("SN-00002", "serialNumber", "VB-7").says("SN-00002 has the number VB-7.")
}
