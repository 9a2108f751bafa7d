package views

import (
	"context"

	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// measurementColumns are the columns of readings: those of Measurement, with a column for each of its limits.
func measurementColumns() []exportColumn[card.Measurement] {
	type reading = card.Measurement
	return []exportColumn[reading]{
		{"id", func(m *reading) sheet.Cell { return sheet.Text(m.ID) }},
		{"serialId", func(m *reading) sheet.Cell { return sheet.Text(m.SerialID) }},
		{"stepId", func(m *reading) sheet.Cell { return sheet.Text(m.StepID) }},
		{"characteristicId", func(m *reading) sheet.Cell { return sheet.Text(m.CharacteristicID) }},
		{"number", func(m *reading) sheet.Cell { return sheet.Text(m.Number) }},
		{"place", func(m *reading) sheet.Cell { return sheet.Given(m.Place) }},
		{"value", func(m *reading) sheet.Cell { return sheet.Text(m.Value) }},
		{"unit", func(m *reading) sheet.Cell { return sheet.Given(m.Unit) }},
		{"verdict", func(m *reading) sheet.Cell { return sheet.Text(m.Verdict) }},
		{"nominal", func(m *reading) sheet.Cell { return sheet.Given(m.Limits.Nominal) }},
		{"lower", func(m *reading) sheet.Cell { return sheet.Given(m.Limits.Lower) }},
		{"upper", func(m *reading) sheet.Cell { return sheet.Given(m.Limits.Upper) }},
		{"revision", func(m *reading) sheet.Cell { return sheet.Number(m.Revision) }},
		{"instrumentId", func(m *reading) sheet.Cell { return sheet.Given(m.InstrumentID) }},
		{"note", func(m *reading) sheet.Cell { return sheet.Given(m.Note) }},
		{"pass", func(m *reading) sheet.Cell { return sheet.Number(m.Pass) }},
		{"measuredBy", func(m *reading) sheet.Cell { return sheet.Text(m.MeasuredBy) }},
		{"measuredAt", func(m *reading) sheet.Cell { return timeCell(m.MeasuredAt) }},
		{"voidedAt", func(m *reading) sheet.Cell { return timeCell(m.VoidedAt) }},
		{"voidedBy", func(m *reading) sheet.Cell { return sheet.Given(m.VoidedBy) }},
		{"voidReason", func(m *reading) sheet.Cell { return sheet.Given(m.VoidReason) }},
		{"enteredAt", func(m *reading) sheet.Cell { return timeCell(m.EnteredAt) }},
	}
}

// ExportMeasurements exports the readings that a search finds, newest first.
func (v *Views) ExportMeasurements(ctx context.Context, query shop.MeasurementQuery) Export {
	return exported(measurementColumns(), v.shop.FindMeasurements(ctx, query))
}
