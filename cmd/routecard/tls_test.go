package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// writeCertificate writes a new self-signed certificate with this serial number.
func writeCertificate(t *testing.T, certFile, keyFile string, number int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(number), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		later := time.Now().Add(time.Duration(number) * time.Second) // more than the resolution of file times
		if err := os.Chtimes(name, later, later); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCertificateIsRenewed(t *testing.T) {
	t.Parallel()
	certFile, keyFile := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	settings := tlsSettings{TLSCertFile: certFile, TLSKeyFile: keyFile}
	logger := slog.New(slog.DiscardHandler)
	if _, err := settings.config(logger); err == nil {
		t.Error("files that are not there are taken")
	}
	for _, half := range []tlsSettings{{TLSCertFile: certFile}, {TLSKeyFile: keyFile}} {
		if _, err := half.config(logger); err == nil {
			t.Error("one file is taken for two")
		}
	}
	writeCertificate(t, certFile, keyFile, 1)
	config, err := settings.config(logger)
	if err != nil {
		t.Fatal(err)
	}
	serves := func(number int64) {
		t.Helper()
		certificate, err := config.GetCertificate(nil)
		if err != nil || certificate.Leaf.SerialNumber.Int64() != number {
			t.Errorf("certificate %v, %v, want %d", certificate.Leaf.SerialNumber, err, number)
		}
	}
	serves(1)
	writeCertificate(t, certFile, keyFile, 2)
	serves(2)
	if err := os.WriteFile(keyFile, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	serves(2) // the previous certificate stays
	writeCertificate(t, certFile, keyFile, 3)
	serves(3)
}
