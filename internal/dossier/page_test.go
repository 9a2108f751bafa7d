package dossier_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
)

// verifyPage returns the page that verifies dossiers, in English.
func verifyPage(t testing.TB) []byte {
	t.Helper()
	page, err := dossier.VerifyPage(nil)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// openPage opens the page that verifies dossiers in English from a folder, without a server.
func openPage(t *testing.T) (b *browsertest.Browser, folder string) {
	t.Helper()
	return openPageIn(t, nil)
}

func openPageIn(t *testing.T, l *lang.Language) (b *browsertest.Browser, folder string) {
	t.Helper()
	browsertest.Chromium(t)
	folder = t.TempDir()
	file := filepath.Join(folder, "verify.html")
	page, err := dossier.VerifyPage(l)
	if err == nil {
		err = os.WriteFile(file, page, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	b = (&browsertest.Site{T: t}).Open()
	b.Do("open the page", chromedp.Navigate((&url.URL{Scheme: "file", Path: file}).String()), chromedp.WaitVisible(chromedp.CSS("#verify")))
	return b, folder
}

// evaluated runs an asynchronous function on the page and reads its result.
func evaluated(b *browsertest.Browser, script string, into any) {
	b.T.Helper()
	b.Run("start", `window.done = null; (async () => { window.done = JSON.stringify(await (`+script+`)()) })().catch((e) => { window.done = String(e) })`)
	b.Wait("the result", "window.done !== null")
	text, err := chromedp.Run(b.Context, chromedp.Evaluate[string]("window.done"))
	if err == nil {
		err = json.Unmarshal([]byte(text), into)
	}
	if err != nil {
		b.T.Fatalf("%v: %s", err, text)
	}
}

// tamperedBy is the part of a tampered archive that differs from the original.
type tamperedBy struct {
	From  int    `json:"from"`  // length of the common beginning
	Until int    `json:"until"` // length of the common end
	Text  string `json:"text"`  // what is between, in base64
}

func difference(archive, tampered []byte) (d tamperedBy) {
	most := min(len(archive), len(tampered))
	for d.From < most && archive[d.From] == tampered[d.From] {
		d.From++
	}
	for d.Until < most-d.From && archive[len(archive)-1-d.Until] == tampered[len(tampered)-1-d.Until] {
		d.Until++
	}
	d.Text = base64.StdEncoding.EncodeToString(tampered[d.From : len(tampered)-d.Until])
	return d
}

// The page agrees with the command on whole dossiers, word for word, and calls none of a thousand tampered ones proved. Its own Ed25519
// agrees with that of the browser.
func TestVerifyPageAgreesWithTheCommand(t *testing.T) {
	t.Parallel()
	b, _ := openPage(t)
	of, all := eachTampered(t, 11)
	b.Run("pass the dossier", fmt.Sprintf(`
		window.bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
		window.whole = bytes(%q); window.key = %q; `, base64.StdEncoding.EncodeToString(of.archive), of.log.key))
	for what, archive := range map[string][]byte{"the dossier": of.archive, "an earlier one": of.earlier} {
		var report dossier.Report
		evaluated(b, fmt.Sprintf(`async () => verifyZip(new Blob([bytes(%q)]), key)`, base64.StdEncoding.EncodeToString(archive)), &report)
		said, _ := json.Marshal(report)
		want, _ := json.Marshal(verified(t, archive, of.log.verifiers()))
		if !bytes.Equal(said, want) {
			t.Errorf("%s: the page says\n%s, and the command\n%s", what, said, want)
		}
	}
	var names []string
	var tampered []tamperedBy
	for what, archive := range all {
		report, err := dossier.Verify(bytes.NewReader(archive), int64(len(archive)), of.log.verifiers())
		if err == nil && report.Proved {
			t.Errorf("%s is proved by the command", what)
		}
		names, tampered = append(names, what), append(tampered, difference(of.archive, archive))
	}
	if len(tampered) < 1000 {
		t.Errorf("only %d dossiers were tampered with", len(tampered))
	}
	for chunk := range slices.Chunk(tampered, 100) {
		text, _ := json.Marshal(chunk)
		var proved []int
		evaluated(b, fmt.Sprintf(`async () => {
			const proved = [];
			for (const [i, one] of %s.entries()) {
				const parts = [whole.slice(0, one.from), bytes(one.text), whole.slice(whole.length - one.until)];
				const report = await verifyZip(new Blob(parts), key);
				if (report.proved || report.findings.length === 0) proved.push(i);
			}
			return proved;
		}`, text), &proved)
		for _, i := range proved {
			t.Errorf("%s is proved by the page", names[slices.Index(tampered, chunk[i])])
		}
	}
	var differing []string
	evaluated(b, `async () => {
		const differing = [], pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
		const key = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
		for (let i = 0; i < 40; i++) {
			const message = crypto.getRandomValues(new Uint8Array(i * 7));
			const signature = new Uint8Array(await crypto.subtle.sign("Ed25519", pair.privateKey, message));
			if (i % 2 === 1) signature[i] ^= 1 << (i % 8);
			if (ed25519Own(key, message, signature) !== (i % 2 === 0)) differing.push("signature " + i);
			if (await ed25519(key, message, signature) !== (i % 2 === 0)) differing.push("the browser's " + i);
			const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", message));
			if (hex(sha256(message.slice(0, i), message.slice(i))) !== hex(sum)) differing.push("digest " + i);
		}
		return differing;
	}`, &differing)
	if len(differing) > 0 {
		t.Error(differing)
	}
}

// A customer chooses the file or the folder, types the key and reads the result. A result disappears with the next choice, which
// replaces the one before it.
func TestVerifyPageInABrowser(t *testing.T) {
	t.Parallel()
	b, folder := openPage(t)
	l := aShop(t, "shop.example")
	archive := written(t, l.content(10))
	file := filepath.Join(folder, "dossier.zip")
	if err := os.WriteFile(file, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(folder, "unpacked"), reader); err != nil {
		t.Fatal(err)
	}
	unpacked := filepath.Join(folder, "unpacked", "dossier-SN-00001")
	choose := func(input string, paths ...string) {
		t.Helper()
		b.Do("choose", chromedp.SetUploadFiles(chromedp.CSS(input), paths))
	}
	b.Click("#verify")
	b.Says("Choose the dossier first.")
	choose("#zip", file)
	b.Click("#verify")
	b.Says("enter the verifier key of the shop")
	b.Fill("#key", l.key)
	b.Click("#verify")
	b.Says("Proved: the dossier of SN-00001")
	b.Says("the details of aud_0000000000000001 (serial_created), which the dossier omits because they identify other units.")
	choose("#folder", unpacked)
	b.Wait("the result is gone", `document.querySelector("#result").innerText === ""`)
	b.Wait("the file is no longer chosen", `document.querySelector("#zip").files.length === 0`)
	b.Click("#verify")
	b.Says("Proved: the dossier of SN-00001")
	if err := os.WriteFile(filepath.Join(unpacked, "data", "measurements.csv"), []byte("id\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	choose("#folder", unpacked)
	b.Click("#verify")
	b.Says("NOT PROVED: the dossier of SN-00001")
	b.Says("bag: data/measurements.csv was changed")
	choose("#zip", filepath.Join(folder, "verify.html"))
	b.Click("#verify")
	b.Says("NOT PROVED: this is no dossier")
}

// The page knows the same prefixes as the command that units cannot have.
func TestVerifyPageKnowsReservedPrefixes(t *testing.T) {
	t.Parallel()
	line := `const reservedPrefixes = ["` + strings.Join(shop.ReservedPrefixes(), `", "`) + `"];`
	page, err := dossier.VerifyPage(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), line) {
		t.Errorf("verify.html lacks %s", line)
	}
}
