package files

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3 is a Place in a bucket of a server that speaks the protocol of S3: prefix/ab/cd/abcd... An upload is written to this machine first,
// because its digest is known only at its end.
type S3 struct {
	client *minio.Client
	bucket string
	prefix string
}

// S3Config says which bucket it is.
type S3Config struct {
	Address   string // s3://bucket/prefix
	Endpoint  string // the address of the server
	AccessKey string
	SecretKey string
}

const (
	s3Scheme = "s3"
	// s3Patience is how long the server may take to begin a response, and s3Retries how often a request is made again.
	s3Patience = 30 * time.Second
	s3Retries  = 3
	asidePart  = "routecard-upload-"
)

// IsS3 reports whether an address names a bucket.
func IsS3(address string) bool { return strings.HasPrefix(address, s3Scheme+"://") }

// NewS3 is a place in a bucket. It asks the server nothing yet.
func NewS3(config S3Config) (*S3, error) {
	bucket, err := url.Parse(config.Address)
	if err != nil || bucket.Host == "" {
		return nil, fmt.Errorf("%s is not of the form s3://bucket/prefix", config.Address)
	}
	endpoint, err := url.Parse(config.Endpoint)
	if err != nil || endpoint.Host == "" || endpoint.Scheme != "http" && endpoint.Scheme != "https" {
		return nil, fmt.Errorf("%q is not the address of a server, such as https://s3.example.com", config.Endpoint)
	}
	secure := endpoint.Scheme == "https"
	transport, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, err
	}
	transport.ResponseHeaderTimeout = s3Patience
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: credentials.NewStaticV4(config.AccessKey, config.SecretKey, ""), Secure: secure, Transport: transport,
		MaxRetries: s3Retries, BucketLookup: minio.BucketLookupAuto,
	})
	if err != nil {
		return nil, err
	}
	return &S3{client, bucket.Host, strings.Trim(bucket.Path, "/")}, nil
}

// Aside implements Place.
func (s *S3) Aside() (*os.File, error) { return os.CreateTemp("", asidePart) } // mode 0600

func (s *S3) key(digest string) (string, error) {
	if !isDigest(digest) {
		return "", fmt.Errorf("%q %w", digest, errNoDigest)
	}
	return path.Join(s.prefix, digest[:2], digest[2:4], digest), nil
}

// Keep implements Place. The server has the file whole or not at all; afterwards it is asked how long it is there.
func (s *S3) Keep(ctx context.Context, aside, digest string) error {
	key, err := s.key(digest)
	if err != nil {
		return err
	}
	sent, err := s.client.FPutObject(ctx, s.bucket, key, aside, minio.PutObjectOptions{
		ContentType: "application/octet-stream", SendContentMd5: true, NumThreads: 1,
	})
	if err != nil {
		return err
	}
	there, err := s.client.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	if err == nil && there.Size != sent.Size {
		err = fmt.Errorf("%d bytes were sent, and the server has %d", sent.Size, there.Size)
	}
	return err
}

// Open implements Place.
func (s *S3) Open(ctx context.Context, digest string) (*Content, error) {
	key, err := s.key(digest)
	if err != nil {
		return nil, err
	}
	object, err := s.client.GetObject(ctx, s.bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, s3Missing(err)
	}
	info, err := object.Stat()
	if err != nil {
		return nil, errors.Join(s3Missing(err), object.Close())
	}
	return &Content{object, info.Size}, nil
}

func s3Missing(err error) error {
	if answer := minio.ToErrorResponse(err); answer.StatusCode == http.StatusNotFound && answer.Code == minio.NoSuchKey {
		return ErrMissing
	}
	return err
}

// Remove implements Place.
func (s *S3) Remove(ctx context.Context, digest string) error {
	key, err := s.key(digest)
	if err != nil {
		return err
	}
	return s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{})
}

// All implements Place.
func (s *S3) All(whole context.Context) iter.Seq2[Stored, error] {
	return func(yield func(Stored, error) bool) {
		ctx, stop := context.WithCancel(whole)
		defer stop()
		prefix := s.prefix
		if prefix != "" {
			prefix += "/"
		}
		for object := range s.client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
			stored := Stored{path.Base(object.Key), object.Size, object.LastModified}
			if object.Err == nil && !isDigest(stored.Digest) {
				continue
			}
			if !yield(stored, object.Err) || object.Err != nil {
				return
			}
		}
	}
}

// Probe implements Place. It writes a small object.
func (s *S3) Probe(ctx context.Context) error {
	const text = "Routecard writes this to see whether it can."
	_, err := s.client.PutObject(ctx, s.bucket, path.Join(s.prefix, "probe"), strings.NewReader(text), int64(len(text)),
		minio.PutObjectOptions{ContentType: "text/plain"})
	return err
}

// Tidy implements Place.
func (s *S3) Tidy(before time.Time) error {
	left, err := filepath.Glob(filepath.Join(os.TempDir(), asidePart+"*"))
	for _, file := range left {
		if info, infoErr := os.Stat(file); infoErr == nil && info.ModTime().Before(before) {
			err = errors.Join(err, os.Remove(file))
		}
	}
	return err
}
