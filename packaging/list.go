package main

import (
	"encoding/hex"
	"io"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

// list writes the bill of materials of a program (an SBOM) in CycloneDX format.
func (r *release) list(p *program) error {
	sum, err := digest(p.file)
	if err != nil {
		return err
	}
	listed := cyclonedx.NewBOM()
	listed.Metadata = &cyclonedx.Metadata{
		Timestamp: r.at.Format(time.RFC3339),
		Component: &cyclonedx.Component{
			Type: cyclonedx.ComponentTypeApplication, BOMRef: "routecard", Name: "routecard", Version: r.version,
			PackageURL: "pkg:golang/" + p.info.Main.Path + "@v" + r.version,
			Licenses:   &cyclonedx.Licenses{{Expression: "Apache-2.0"}},
			Hashes:     &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}},
			Properties: &[]cyclonedx.Property{
				{Name: "commit", Value: settings(p.info)["vcs.revision"]},
				{Name: "system", Value: p.system},
				{Name: "processor", Value: p.processor},
			},
		},
	}
	components := []cyclonedx.Component{}
	references := []string{}
	for _, one := range r.sortedParts() {
		if !p.has(one.name) {
			continue
		}
		components = append(components, cyclonedx.Component{
			Type: cyclonedx.ComponentTypeLibrary, BOMRef: one.address, Name: one.name, Version: one.version, PackageURL: one.address,
			Licenses: &cyclonedx.Licenses{{Expression: one.licence}},
		})
		references = append(references, one.address)
	}
	listed.Components = &components
	listed.Dependencies = &[]cyclonedx.Dependency{{Ref: "routecard", Dependencies: &references}}
	return create(r.file(p.target, ".cdx.json"), func(to io.Writer) error {
		return cyclonedx.NewBOMEncoder(to, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(listed)
	})
}

// has reports whether a part is inside a program: one of its modules, or a part of all programs.
func (p *program) has(name string) bool {
	for _, module := range p.info.Deps {
		if module.Path == name {
			return true
		}
	}
	if name == "std" {
		return true
	}
	for _, one := range embedded {
		if one.name == name {
			return true
		}
	}
	return false
}
