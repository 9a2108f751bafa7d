package wording

import (
	"github.com/routecard/routecard/internal/importcsv"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

var importWords = nounWords{
	sentences: map[*refusal.Reason]sentence{
		importcsv.NoHeader:       {"file", "The first row must have the names of the columns, and this file has none that can be read."},
		importcsv.RowTooLong:     {"file", ""},
		importcsv.QuoteOpen:      {"file", ""},
		importcsv.ColumnUnknown:  {"is", "Nobody knows the column {name}. Choose what it is, or leave it out."},
		importcsv.ColumnNear:     {"is", "Nobody knows the column {name}. Perhaps it is {nearest}: choose what it is, or leave it out."},
		importcsv.ColumnTwice:    {"is", "Two columns of the file are “{name:column}”. Leave one of them out."},
		importing.TooManyRows:    {"file", "A file may have at most {limit:number} rows."},
		importcsv.Workbook:       {"file", "The file is a workbook. Save it as CSV in the program that made it, and choose that file."},
		NoFile:                   {"file", ""},
		NotLookedAt:              {"file", ""},
		FileTooLarge:             {"file", ""},
		FilesOfTwo:               {"file", ""},
		importcsv.AQDEFUnread:    {"file", ""},
		importcsv.AQDEFTooLong:   {"file", ""},
		importcsv.AQDEFTime:      {"is", "The time of the value is not clear in line {line}: {why}. Correct it, or leave the time out."},
		importcsv.TooManyColumns: {"file", "A file may have at most {limit:number} columns."},
		importcsv.InUTF16:        {"file", ""},
		importcsv.NoTable:        {"file", "No line names columns for the value and the feature. Was it saved as CSV?"},
		importcsv.TitleAbove: {
			"file", "Row {row} looks like a title, and row {header} like the names of the columns. Remove the rows above the names.",
		},
		importcsv.ListUnclear:      {"is", "{value} may be several numbers. Separate numbers by commas; write a range as ME-1..ME-3."},
		importing.KeyTwice:         {"is", "Row {row} has the same key and says something else. Remove one of the two rows."},
		importing.UserThere:        {"is", "{name} is there, but not with the same state. Give the row a key that says who is meant."},
		importing.OnlyWithID:       {"is", "The service records the time itself. Leave this column out."},
		importing.ReadingDiffers:   {"is", "The row is not what the reading {id} has, and a reading is never changed."},
		importing.RowTwice:         {"is", "{number} of the unit is measured twice in the file, in row {row} for the first time."},
		importing.UnitDiffers:      {"measuredIn", "The file measures in {value}, and {number} is measured in {planned}."},
		importing.PlannedOtherwise: {"is", "For {number} the file has {value}, and the plan {planned}: another revision was measured."},
		shop.MeasuredLater:         {"is", "The time of the reading is later than now. Correct the clock of the machine."},
		shop.MeasuredBefore:        {"is", "The reading of {number} that counts was taken later: {time}."},
		importing.LooksTolerance:   {"is", "{value} looks like a tolerance: from {nominal} it leads to {planned}, the limit of {number}."},
		importing.ToleranceDiffers: {
			"is",
			"The limit of {number} is {planned}, but the file says {value} (nominal {nominal}). The file may belong to another revision.",
		},
		input.PointUnclear:     {"is", "{value} may have its point between thousands. Write the decimals behind a comma."},
		importing.NamesAnother: {"is", "{value} is not the number of {record}. Leave one of the two columns out."},
		importing.PartDiffers: {
			"is", "The file is of {value}, and the job of {unit} of {part}. If that is the same, leave the column out.",
		},
		importing.FromOtherStep: {
			"is", "The value is from step {step}, but {unit} is at {current}. Add a column with the step.",
		},
		importing.LotBooked: {
			"is", "Lot {lotNumber} has another value here. Change it on the page of the lot, and leave this column out.",
		},
		importing.LotOfSeveral:         {"is", "{count} lots have the number {number}. Name the lot by its id."},
		importing.ComponentOnlyWithID:  {"is", "The service records this itself. Leave this column out."},
		importing.ComponentDiffers:     {"is", "The component {id} has another value here. Remove or void it to correct it."},
		importing.InstalledTwice:       {"is", "The file installs it twice, in row {row} for the first time."},
		importing.UnitOfLot:            {"is", "The file counts in {value}, and the lot is counted in {unit}."},
		importing.OtherRowRefused:      {"is", "Row {row} of the same record is refused. Correct that row first."},
		importing.RowsApart:            {"is", "Row {row} has the same key. Put the rows of one record next to one another."},
		importing.ShipmentDiffers:      {"is", "The shipment {id} has another value here, and a shipment is never changed."},
		importing.RowOfShipmentDiffers: {"is", "Row {row} of the same shipment has another value here."},
		importing.SentEarlier:          {"is", "The unit is sent on the day of the import, not on {value}. Leave this column out."},
		importing.SentTwice:            {"is", "The unit is on the shipment of row {row} already."},
		importcsv.AQDEFCatalog:         {"is", "{key} is {value} in line {line}, and the catalog of the file has no such entry."},
		importing.NumberOfSeveral:      {"unit", "{count} units have the number {number}. Name the unit by its id."},
	},
}
