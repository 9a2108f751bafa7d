package demo

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/web/paper"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// AttachFiles attaches files to records that Fill created: a drawing to the first step of the newest route and to each step with
// characteristics, a photo to the newest report, and a calibration report to one of the instruments. It approves a first article, and
// issues a certificate of conformance.
func AttachFiles(ctx context.Context, store sqlstore.Store, place files.Place, now time.Time) error {
	clock := func() time.Time { return now }
	newest, err := shop.NewestIdentifier(ctx, store)
	if err != nil {
		return err
	}
	var keeper *files.Keeper
	service := shop.New(store, clock, ident.NewIdentifiersAfter(newest, clock),
		access.Signatures(), shop.WithPapers(paper.New(time.UTC, func() *files.Keeper { return keeper })))
	keeper = files.New(place, service, 1<<20, clock, slog.New(slog.DiscardHandler))
	var drawn map[string]string // the names of drawings by step
	var user string
	people := map[string]string{}
	if err := store.View(ctx, func(tx shop.Reader) (err error) {
		if drawn, err = stepsWithDrawings(tx); err != nil {
			return err
		}
		for person, err := range tx.Users() {
			if err != nil {
				return err
			}
			user, people[person.Name] = person.ID, person.ID
		}
		return nil
	}); err != nil {
		return err
	}
	reports, err := service.Nonconformances(ctx, shop.NonconformanceQuery{Limit: 1})
	if err != nil {
		return err
	}
	attach := func(on shop.FileSubject, name string, kind shop.FileKind, picture io.Reader) error {
		file, err := keeper.Upload(ctx, picture)
		if err != nil {
			return err
		}
		_, err = service.AttachFile(ctx, on, shop.AttachFileInput{
			SHA256: input.Given(file.SHA256), Name: input.Given(name), Kind: input.Given(string(kind)), UserID: input.Given(user),
		})
		return err
	}
	drawing, photo, err := pictures()
	if err != nil {
		return err
	}
	for _, step := range slices.Sorted(maps.Keys(drawn)) {
		on := shop.FileSubject{Kind: shop.RecordStep, ID: step}
		if err := attach(on, drawn[step], shop.Drawing, bytes.NewReader(drawing)); err != nil {
			return fmt.Errorf("attach a drawing: %w", err)
		}
	}
	if len(reports.Items) > 0 {
		on := shop.FileSubject{Kind: shop.RecordNonconformance, ID: reports.Items[0].ID}
		if err := attach(on, "surface.jpg", shop.Photo, photo); err != nil {
			return fmt.Errorf("attach a photo: %w", err)
		}
	}
	if err := describeOrganization(ctx, service, user); err != nil {
		return fmt.Errorf("describe the organization: %w", err)
	}
	if err := approveFirstArticles(ctx, store, service, people); err != nil {
		return fmt.Errorf("approve a first article: %w", err)
	}
	if err := certifyShipment(ctx, store, service, people); err != nil {
		return fmt.Errorf("issue a certificate of conformance: %w", err)
	}
	instruments, err := service.Instruments(ctx, shop.InstrumentQuery{Limit: 1})
	if err != nil || len(instruments.Items) == 0 {
		return err
	}
	one := instruments.Items[0]
	on := shop.FileSubject{Kind: shop.RecordInstrument, ID: one.ID}
	report := "Calibration of " + one.Number + ", " + one.Name + "\nGauge blocks 5, 25 and 50 mm: deviation below 2 \u00b5m\n" +
		"May be used until " + one.DueDate + "\n"
	if err := attach(on, one.Number+" calibration.txt", shop.CertificateFile, strings.NewReader(report)); err != nil {
		return fmt.Errorf("attach the report of a calibration: %w", err)
	}
	return nil
}

func describeOrganization(ctx context.Context, service *shop.Service, user string) error {
	_, err := service.SetOrganization(ctx, shop.OrganizationInput{
		Name: input.Given("Northfield Precision Ltd"), Address: input.Given("12 Mill Lane\nSheffield S3 8GG"), Lang: input.Given("en"),
		SupplierCode: input.Given("K7714"), ChangedBy: input.Given(user),
	})
	return err
}

// certifyShipment issues and signs a certificate of conformance for the newest shipment to a customer.
func certifyShipment(ctx context.Context, store sqlstore.Store, service *shop.Service, people map[string]string) error {
	sent, err := service.Shipments(ctx, shop.ShipmentQuery{Status: shop.ShipmentShipped, Limit: 1})
	if err != nil || len(sent.Items) == 0 {
		return err
	}
	in := shop.IssueConformanceInput{
		ShipmentID: input.Given(sent.Items[0].ID), Customer: input.Given(sent.Items[0].Customer),
		OrderNumber: input.Given(sent.Items[0].OrderNumber), UserID: input.Given(loginOf(quality)),
	}
	ctx, err = signed(ctx, store, people[quality], service.Now().Time(), signature{quality, shop.SignConformance, "/api/conformances", in})
	if err == nil {
		_, err = service.IssueConformance(ctx, in)
	}
	return err
}

// stepsWithDrawings returns the names of the drawings of steps: those at which a characteristic is measured, and the first step of the
// newest route.
func stepsWithDrawings(tx shop.Reader) (map[string]string, error) {
	drawn, first, drawing := map[string]string{}, "", ""
	for job, err := range tx.Jobs() {
		if err != nil {
			return nil, err
		}
		paths, err := tx.PathsOfJob(job.ID)
		if err != nil {
			return nil, err
		}
		drawing = cmp.Or(job.DrawingNumber, job.Name) + " rev " + cmp.Or(job.DrawingRevision, "A") + ".png"
		for i, path := range paths {
			if i == 0 {
				first = path.Steps[0].ID
			}
			whole, err := tx.Path(path.ID)
			if err != nil {
				return nil, err
			}
			for _, step := range whole.Steps {
				if len(whole.CharacteristicsOf(step.ID).Characteristics) > 0 {
					drawn[step.ID] = drawing
				}
			}
		}
	}
	if first != "" {
		drawn[first] = drawing
	}
	return drawn, nil
}

// pictures creates a drawing of a turned part with a bore, and a photo of a scratched surface.
func pictures() (drawing []byte, photo io.Reader, err error) {
	const width, height = 960, 640
	sheet := image.NewGray(image.Rect(0, 0, width, height))
	surface := image.NewRGBA(sheet.Rect)
	for y := range height {
		for x := range width {
			sheet.SetGray(x, y, color.Gray{Y: 255})
			shade := uint8(110 + (x*y/97+3*x)%40)
			if d := y - 180 - x/4; d > -3 && d < 3 {
				shade = 235
			}
			surface.Set(x, y, color.RGBA{shade, shade, shade + 10, 255})
		}
	}
	line := func(x0, y0, x1, y1 int) {
		for x := x0; x <= x1; x++ {
			for y := y0; y <= y1; y++ {
				sheet.SetGray(x, y, color.Gray{})
			}
		}
	}
	box := func(x0, y0, x1, y1 int) {
		line(x0, y0, x1, y0+2)
		line(x0, y1-2, x1, y1)
		line(x0, y0, x0+2, y1)
		line(x1-2, y0, x1, y1)
	}
	box(20, 20, width-20, height-20)
	box(width-300, height-120, width-20, height-20) // the title block
	box(160, 200, 460, 420)
	box(460, 250, 700, 370)
	box(160, 285, 700, 335) // the bore
	for x := 120; x < 740; x += 24 {
		line(x, 309, x+14, 310) // its axis
	}
	var asPNG, asJPEG bytes.Buffer
	if err := png.Encode(&asPNG, sheet); err != nil {
		return nil, nil, err
	}
	err = jpeg.Encode(&asJPEG, surface, &jpeg.Options{Quality: 80})
	return asPNG.Bytes(), &asJPEG, err
}
