package main

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// imageUser is the user id of the service in the image. Other images are unlikely to use it.
const imageUser = 65532

// image writes one image for all processors of Linux, without a base image, as an archive in the OCI image layout.
func (r *release) image() error {
	index := v1.ImageIndex(empty.Index)
	index = mutate.IndexMediaType(index, types.OCIImageIndex)
	some := false
	for i := range r.programs {
		p := &r.programs[i]
		if p.system != "linux" {
			continue
		}
		one, err := r.imageOf(p)
		if err != nil {
			return err
		}
		some = true
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add:        one,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: p.system, Architecture: p.processor}},
		})
	}
	if !some {
		return nil
	}
	folder := filepath.Join(r.scratch, "image")
	top, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	if err := top.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": "routecard:" + r.version,
	})); err != nil {
		return err
	}
	files, err := filesIn(folder)
	if err != nil {
		return err
	}
	return create(filepath.Join(r.out, "routecard_"+r.version+"_oci.tar"), func(to io.Writer) error { return writeTar(to, files, r.at) })
}

// imageOf returns the image for one processor: a layer that rarely changes, and a layer with the program.
func (r *release) imageOf(p *program) (v1.Image, error) {
	program, err := os.ReadFile(p.file)
	if err != nil {
		return nil, err
	}
	licences, err := os.ReadFile(filepath.Join(r.documents, "LICENCES"))
	if err != nil {
		return nil, err
	}
	ground, err := r.layer(groundFiles())
	if err != nil {
		return nil, err
	}
	own, err := r.layer([]layerFile{
		{name: "usr/", mode: 0o755}, {name: "usr/bin/", mode: 0o755}, {name: "usr/bin/routecard", mode: 0o755, content: program},
		{name: "usr/share/", mode: 0o755}, {name: "usr/share/doc/", mode: 0o755}, {name: "usr/share/doc/routecard/", mode: 0o755},
		{name: "usr/share/doc/routecard/copyright", mode: 0o644, content: licences},
	})
	if err != nil {
		return nil, err
	}
	history := func(by string) v1.History { return v1.History{Created: v1.Time{Time: r.at}, CreatedBy: by} }
	image := mutate.MediaType(empty.Image, types.OCIManifestSchema1)
	image = mutate.ConfigMediaType(image, types.OCIConfigJSON)
	image, err = mutate.Append(image,
		mutate.Addendum{Layer: ground, MediaType: types.OCILayer, History: history("certificates, user")},
		mutate.Addendum{Layer: own, MediaType: types.OCILayer, History: history("routecard")},
	)
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = p.system, p.processor, v1.Time{Time: r.at}
	config.Config = v1.Config{
		User:         "65532:65532",
		Entrypoint:   []string{"/usr/bin/routecard"},
		WorkingDir:   "/var/lib/routecard",
		Volumes:      map[string]struct{}{"/var/lib/routecard": {}},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Env:          []string{"PATH=/usr/bin", "ROUTECARD_LISTEN=:8080", "ROUTECARD_DATABASE=/var/lib/routecard/routecard.db"},
		StopSignal:   "SIGTERM",
		Labels: map[string]string{
			"org.opencontainers.image.title":    "Routecard",
			"org.opencontainers.image.version":  r.version,
			"org.opencontainers.image.revision": settings(p.info)["vcs.revision"],
			"org.opencontainers.image.created":  r.at.Format(time.RFC3339),
			"org.opencontainers.image.licenses": "Apache-2.0",
			"org.opencontainers.image.source":   "https://github.com/routecard/routecard",
		},
	}
	return mutate.ConfigFile(image, config)
}

// layerFile is a file or folder of a layer. The name of a folder ends in a slash.
type layerFile struct {
	name    string
	mode    int64
	owner   int
	content []byte
}

// groundFiles lists the base files of the image: CA certificates, passwd, writable directories.
func groundFiles() []layerFile {
	return []layerFile{
		{name: "etc/", mode: 0o755},
		{name: "etc/group", mode: 0o644, content: []byte("root:x:0:\nroutecard:x:65532:\n")},
		{name: "etc/passwd", mode: 0o644, content: []byte("root:x:0:0:root:/root:/sbin/nologin\n" +
			"routecard:x:65532:65532:Routecard:/var/lib/routecard:/sbin/nologin\n")},
		{name: "etc/ssl/", mode: 0o755}, {name: "etc/ssl/certs/", mode: 0o755},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, content: authorities()},
		{name: "tmp/", mode: 0o1777},
		{name: "var/", mode: 0o755}, {name: "var/lib/", mode: 0o755}, {name: "var/lib/routecard/", mode: 0o700, owner: imageUser},
	}
}

// authorities returns the certificates of Mozilla's list from Go's module, in PEM. It omits certificates that are trusted only under
// conditions, because PEM cannot express these.
func authorities() []byte {
	var text bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		if parsed, err := x509.ParseCertificate(root.Certificate); err == nil {
			text.WriteString("# " + parsed.Subject.String() + "\n")
		}
		text.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}))
	}
	return text.Bytes()
}

func (r *release) layer(files []layerFile) (v1.Layer, error) {
	var content bytes.Buffer
	writer := tar.NewWriter(&content)
	for _, one := range files {
		kind := byte(tar.TypeReg)
		if one.content == nil {
			kind = tar.TypeDir
		}
		header := &tar.Header{
			Typeflag: kind, Name: one.name, Mode: one.mode, Uid: one.owner, Gid: one.owner,
			Size: int64(len(one.content)), ModTime: r.at, Format: tar.FormatPAX,
		}
		if err := writer.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := writer.Write(one.content); err != nil {
			return nil, err
		}
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
}

// filesIn lists the files below a folder, with their names relative to it.
func filesIn(folder string) (files []archived, err error) {
	err = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		within, err := filepath.Rel(folder, name)
		files = append(files, archived{filepath.ToSlash(within), name, 0o644})
		return err
	})
	return files, err
}
