package main

import (
	"embed"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	"github.com/goreleaser/nfpm/v2/rpm"
)

// packaged has the files that the packages install in addition to the program, and the install scripts.
//
//go:embed files
var packaged embed.FS

// pack writes the Debian and RPM packages of a program for Linux. For other systems it writes none.
func (r *release) pack(p *program) error {
	if p.system != "linux" {
		return nil
	}
	folder := filepath.Join(r.scratch, "packaged")
	if _, err := os.Stat(folder); err != nil {
		own, err := fs.Sub(packaged, "files")
		if err != nil {
			return err
		}
		if err := os.CopyFS(folder, own); err != nil {
			return err
		}
	}
	scripts := func(kind string) nfpm.Scripts {
		script := func(name string) string { return filepath.Join(folder, kind+"."+name) }
		return nfpm.Scripts{
			PostInstall: script("postinstall"), PreRemove: script("preremove"), PostRemove: script("postremove"),
		}
	}
	forDebian := r.described(p, folder)
	forDebian.Depends = []string{"passwd", "init-system-helpers"}
	forDebian.Section, forDebian.Priority = "misc", "optional"
	forDebian.Deb.Compression = "zstd"
	forDebian.Scripts = scripts("deb")
	if err := create(r.file(p.target, ".deb"), func(to io.Writer) error { return deb.Default.Package(forDebian, to) }); err != nil {
		return err
	}
	forRPM := r.described(p, folder)
	forRPM.Depends = []string{"shadow-utils"}
	forRPM.RPM = nfpm.RPM{
		BuildHost: "localhost", Compression: "zstd", Group: "Unspecified", Summary: "Production tracking for machine shops",
	}
	forRPM.Scripts = scripts("rpm")
	forRPM.Scripts.PreInstall = filepath.Join(folder, "rpm.preinstall") // RPM sets the owners of files, so these users must exist before
	for _, content := range forRPM.Contents {
		if content.Type == files.TypeConfigNoReplace {
			content.FileInfo.Group = "routecard"
		}
	}
	return create(r.file(p.target, ".rpm"), func(to io.Writer) error { return rpm.DefaultRPM.Package(forRPM, to) })
}

// described returns the metadata and the files of a package, for both Debian and RPM.
func (r *release) described(p *program, folder string) *nfpm.Info {
	from := func(name string) string { return filepath.Join(folder, name) }
	document := func(name string) string { return filepath.Join(r.documents, name) }
	file := func(source, destination string, mode fs.FileMode, kind string) *files.Content {
		info := &files.ContentFileInfo{Mode: mode, MTime: r.at}
		return &files.Content{Source: source, Destination: destination, Type: kind, FileInfo: info}
	}
	number, metadata, _ := strings.Cut(r.version, "+")
	number, before, _ := strings.Cut(number, "-")
	return &nfpm.Info{
		Name: "routecard", Arch: p.processor, Platform: p.system,
		// A hyphen would begin the revision of a package.
		Version: number, Prerelease: strings.ReplaceAll(before, "-", "."), VersionMetadata: metadata, VersionSchema: "none", Release: "1",
		Maintainer: "Routecard <packages@routecard.invalid>", Vendor: "Routecard", Homepage: "https://github.com/routecard/routecard",
		License: "Apache-2.0", MTime: r.at, DisableGlobbing: true,
		Description: "Production tracking for machine shops\n" +
			"Routecard keeps the route card of every unit: the steps that it went through,\n" +
			"what was measured, who decided what, and an audit trail of all of it.",
		Overridables: nfpm.Overridables{Contents: files.Contents{
			file(p.file, "/usr/bin/routecard", 0o755, files.TypeFile),
			file(from("routecard.service"), "/usr/lib/systemd/system/routecard.service", 0o644, files.TypeFile),
			file(from("routecard.yaml"), "/etc/routecard/routecard.yaml", 0o640, files.TypeConfigNoReplace),
			file("", "/etc/routecard", 0o755, files.TypeDir),
			file(document("LICENCES"), "/usr/share/doc/routecard/copyright", 0o644, files.TypeFile),
			file(document("CHANGELOG.md"), "/usr/share/doc/routecard/CHANGELOG.md", 0o644, files.TypeFile),
			file(document("routecard.1.gz"), "/usr/share/man/man1/routecard.1.gz", 0o644, files.TypeFile),
			file(document("routecard.bash"), "/usr/share/bash-completion/completions/routecard", 0o644, files.TypeFile),
			file(document("routecard.zsh"), "/usr/share/zsh/site-functions/_routecard", 0o644, files.TypeFile),
			file(document("routecard.fish"), "/usr/share/fish/vendor_completions.d/routecard.fish", 0o644, files.TypeFile),
		}},
	}
}
