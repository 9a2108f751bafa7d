package demo

import (
	"sort"
	"time"
)

// historyDays is the length of the demonstration's history in days.
const historyDays = 30

// calendar has the working hours of the shop: from six in the morning to ten at night, on Saturdays until noon, and not on Sundays. Every
// event of the simulation happens after an amount of working time, so no event happens at night.
type calendar struct {
	shifts []shift
	total  time.Duration
}

// shift is one period of work.
type shift struct {
	from   time.Time
	before time.Duration // working time before it
}

const (
	opens       = 6
	closes      = 22
	closesEarly = 12 // on Saturdays
	handover    = 14 // the early shift goes home
)

// newCalendar returns the working hours up to now. They begin with the last opening on a weekday at least historyDays ago.
func newCalendar(now time.Time) calendar {
	var c calendar
	day := openingOf(now, -historyDays)
	for back := -historyDays; day.After(now.AddDate(0, 0, -historyDays)) || isWeekend(day); {
		back--
		day = openingOf(now, back)
	}
	for ; day.Before(now); day = openingOf(day, 1) {
		hours := closes - opens
		switch day.Weekday() {
		case time.Sunday:
			continue
		case time.Saturday:
			hours = closesEarly - opens
		default:
		}
		c.shifts = append(c.shifts, shift{from: day, before: c.total})
		c.total += min(time.Duration(hours)*time.Hour, now.Sub(day))
	}
	return c
}

func openingOf(t time.Time, days int) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day()+days, opens, 0, 0, 0, t.Location())
}

func isWeekend(day time.Time) bool {
	return day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
}

// at returns the moment at which the shop has worked for the duration worked since the calendar began. worked must be less than total.
func (c *calendar) at(worked time.Duration) time.Time {
	i := sort.Search(len(c.shifts), func(i int) bool { return c.shifts[i].before > worked }) - 1
	return c.shifts[i].from.Add(worked - c.shifts[i].before)
}
