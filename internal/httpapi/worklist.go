package httpapi

import "net/http"

func getWorkQueue(s *Server, c *call) error {
	queue, err := s.service.WorkQueue(c.r.Context())
	return answer(c, http.StatusOK, queue, err)
}

func getOperatorQueue(s *Server, c *call) error {
	queue, err := s.service.OperatorQueue(c.r.Context(), c.r.PathValue("userId"))
	return answer(c, http.StatusOK, queue, err)
}

func getStepQueue(s *Server, c *call) error {
	queue, err := s.service.StepQueue(c.r.Context(), c.r.PathValue("stepId"))
	return answer(c, http.StatusOK, queue, err)
}
