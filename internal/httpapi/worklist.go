package httpapi

import (
	"net/http"
	"strconv"

	"github.com/routecard/routecard/views"
)

// sorted are the parameters of the lists of waiting work.
type sorted struct {
	Sort views.WorkSort `query:"sort"`
}

func getWorkQueue(s *Server, c *call, query sorted) error {
	queue, err := s.views.WorkQueue(c.r.Context(), query.Sort)
	if err != nil {
		return err
	}
	stream := newStream(c, http.StatusOK)
	stream.text(`{"groups":[`)
	total := 0
	for i, group := range queue.Groups {
		if i > 0 {
			stream.text(",")
		}
		parts, err := s.writeWork(c, stream, group)
		if err != nil {
			return err
		}
		total += parts
	}
	stream.text(`],"totalParts":`)
	stream.add(func(b []byte) []byte { return strconv.AppendInt(b, int64(total), 10) })
	stream.text("}")
	return stream.finish()
}

func getOperatorQueue(s *Server, c *call, query sorted) error {
	queue, err := s.views.OperatorQueue(c.r.Context(), c.r.PathValue("userId"), query.Sort)
	if err != nil {
		return err
	}
	stream := newStream(c, http.StatusOK)
	if _, err := s.writeWork(c, stream, views.WorkQueueGroup{
		OperatorID: &queue.OperatorID, OperatorName: queue.OperatorName, Jobs: queue.Jobs,
	}); err != nil {
		return err
	}
	return stream.finish()
}

// The list of waiting work has groups, a group has jobs, and a job has units, so it is not a list of rows. The functions below write it to
// a listStream.

// writeWork writes one operator's work with every serial that waits, and returns the number of serials. They may be too many for memory, so
// they are written and counted while they are read.
func (s *Server) writeWork(c *call, stream *listStream, group views.WorkQueueGroup) (total int, err error) {
	stream.text(`{"operatorId":`)
	if err := encode(&stream.buffer, group.OperatorID); err != nil {
		return 0, stream.fail(err)
	}
	stream.text(`,"operatorName":`)
	if err := encode(&stream.buffer, group.OperatorName); err != nil {
		return 0, stream.fail(err)
	}
	stream.text(`,"jobs":[`)
	if total, err = s.writeWaiting(c, stream, group.Jobs); err != nil {
		return 0, err
	}
	stream.text(`],"totalParts":`)
	stream.add(func(b []byte) []byte { return strconv.AppendInt(b, int64(total), 10) })
	stream.text("}")
	return total, stream.flushFull()
}

// writeWaiting writes the places where work waits, separated by commas, and returns the number of their serials.
func (s *Server) writeWaiting(c *call, stream *listStream, jobs []views.WorkQueueJob) (total int, err error) {
	begun, listed := 0, 0 // the number of places that were begun, and of serials of the last one
	begin := func(place int) {
		for ; begun <= place; begun++ {
			if begun > 0 {
				stream.add(func(b []byte) []byte { return appendAfterSerials(b, &jobs[begun-1], listed) })
				stream.text(",")
			}
			listed = 0
			stream.add(func(b []byte) []byte { return appendUpToSerials(b, &jobs[begun]) })
		}
	}
	for part, err := range s.views.SerialsWaiting(c.r.Context(), jobs) {
		if err != nil {
			return 0, stream.fail(err)
		}
		begin(part.Place)
		stream.add(func(b []byte) []byte {
			for i, number := range part.Numbers {
				if listed+i > 0 {
					b = append(b, ',')
				}
				b = appendSerialID(s.service.SerialPrefix(), b, number)
			}
			return b
		})
		listed += len(part.Numbers)
		total += len(part.Numbers)
		if err := stream.flushFull(); err != nil {
			return 0, err
		}
	}
	begin(len(jobs) - 1)
	if begun > 0 {
		stream.add(func(b []byte) []byte { return appendAfterSerials(b, &jobs[begun-1], listed) })
	}
	return total, stream.flushFull()
}

func getStepQueue(s *Server, c *call) error {
	stepID := c.r.PathValue("stepId")
	queue, err := s.views.StepQueue(c.r.Context(), stepID)
	if err != nil {
		return err
	}
	stream := newStream(c, http.StatusOK)
	stream.text(`{"job":`)
	if _, err := s.writeWaiting(c, stream, []views.WorkQueueJob{queue.Job}); err != nil {
		return err
	}
	stream.text(`,"notes":[`)
	if err := stream.rows(&jsonWriter{stream: stream}, views.RowsOf(s.service.NotesOfStep(c.r.Context(), stepID))); err != nil {
		return err
	}
	stream.text(`]`)
	if queue.PreviousStepWIPCount != nil {
		stream.text(`,"previousStepWipCount":`)
		stream.add(func(b []byte) []byte { return strconv.AppendInt(b, *queue.PreviousStepWIPCount, 10) })
	}
	stream.text("}")
	return stream.finish()
}
