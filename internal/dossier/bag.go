package dossier

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Names in a bag.
const (
	bagItFile     = "bagit.txt"
	bagInfoFile   = "bag-info.txt"
	manifestFile  = "manifest-sha256.txt"
	tagFile       = "tagmanifest-sha256.txt"
	signatureFile = "signature.txt"
	dataFolder    = "data/"
	trailFile     = "trail.ndjson"
	checkpointOf  = "checkpoint"
	filesFolder   = "files/"

	bagItText = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
)

// zipTime is the time of all members of the archive: the first that ZIP can represent.
func zipTime() time.Time { return time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC) }

// folderOf returns the folder of the bag about a record.
func folderOf(about string) string { return "dossier-" + about + "/" }

// archive writes the members of a bag in the order of its calls, and collects their digests.
type archive struct {
	zip     *zip.Writer
	folder  string
	digests []digested
}

type digested struct {
	name   string // within the folder
	sha256 string
	size   int64
}

func newArchive(to io.Writer, folder string) *archive {
	return &archive{zip: zip.NewWriter(to), folder: folder}
}

// add writes one member and returns its digest.
func (a *archive) add(name string, content io.Reader) (digested, error) {
	header := &zip.FileHeader{Name: a.folder + name, Method: zip.Store, Modified: zipTime()}
	to, err := a.zip.CreateHeader(header)
	if err != nil {
		return digested{}, err
	}
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(to, sum), content)
	one := digested{name, hex.EncodeToString(sum.Sum(nil)), size}
	a.digests = append(a.digests, one)
	return one, err
}

// manifest returns the text of a manifest of members.
func manifest(of []digested) string {
	var b strings.Builder
	for _, one := range of {
		fmt.Fprintf(&b, "%s  %s\n", one.sha256, one.name)
	}
	return b.String()
}

// statement returns the text that the ledger signs: which log, how many entries its tree has, and the digest of the tag manifest.
func statement(origin string, size int64, tagManifest string) string {
	digest := sha256.Sum256([]byte(tagManifest))
	return origin + "/dossier\n" + strconv.FormatInt(size, 10) + "\n" + hex.EncodeToString(digest[:]) + "\n"
}

// info is the content of bag-info.txt.
type info struct {
	about, day   string
	language     string // tag of the language of the pages; "" in dossiers of earlier versions
	origin       string // "" without a ledger
	size         int64
	bytes, files int64
}

func (i info) text() string {
	sealed := "none: this service has no ledger, so nothing here is proved"
	if i.origin != "" {
		sealed = fmt.Sprintf("%s %d", i.origin, i.size)
	}
	language := ""
	if i.language != "" {
		language = "Routecard-Language: " + i.language + "\n"
	}
	return fmt.Sprintf("Bag-Software-Agent: Routecard\nBagging-Date: %s\nExternal-Identifier: %s\nPayload-Oxum: %d.%d\n%s"+
		"Routecard-Ledger: %s\n",
		i.day, i.about, i.bytes, i.files, language, sealed)
}
