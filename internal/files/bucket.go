package files

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Bucket has the objects below a prefix in a bucket of a server that speaks the protocol of S3. It is safe for concurrent use.
type Bucket struct {
	client *minio.Client
	bucket string
	prefix string
}

// S3Config is the address and the credentials of a bucket.
type S3Config struct {
	Address   string // s3://bucket/prefix
	Endpoint  string // the address of the server
	AccessKey string
	SecretKey string
}

// Object is an object below the prefix of a bucket.
type Object struct {
	Key  string // the key without the prefix
	Size int64
	At   time.Time // the time when it was stored
}

const (
	s3Scheme = "s3"
	// s3Patience is the time within which the server must begin a response, and s3Retries the number of times that a request is repeated.
	s3Patience = 30 * time.Second
	s3Retries  = 3
)

// IsS3 reports whether an address is that of a bucket.
func IsS3(address string) bool { return strings.HasPrefix(address, s3Scheme+"://") }

// NewBucket returns a bucket. It does not contact the server.
func NewBucket(config S3Config) (*Bucket, error) {
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
	return &Bucket{client, bucket.Host, strings.Trim(bucket.Path, "/")}, nil
}

// Below returns the part of the bucket below a further prefix.
func (b *Bucket) Below(prefix string) *Bucket {
	return &Bucket{b.client, b.bucket, path.Join(b.prefix, prefix)}
}

// Address returns the address of an object, or of the prefix if key is "".
func (b *Bucket) Address(key string) string {
	return s3Scheme + "://" + path.Join(b.bucket, b.prefix, key)
}

func (b *Bucket) key(key string) string { return path.Join(b.prefix, key) }

// Put stores the bytes of a file. The server stores all of them or none. Afterwards Put requests the stored length and compares it.
func (b *Bucket) Put(ctx context.Context, key, file string) error {
	sent, err := b.client.FPutObject(ctx, b.bucket, b.key(key), file, minio.PutObjectOptions{
		ContentType: "application/octet-stream", SendContentMd5: true, NumThreads: 1,
	})
	if err != nil {
		return err
	}
	there, err := b.client.StatObject(ctx, b.bucket, b.key(key), minio.StatObjectOptions{})
	if err == nil && there.Size != sent.Size {
		err = fmt.Errorf("%d bytes were sent, and the server has %d", sent.Size, there.Size)
	}
	return err
}

// Open opens an object for reading. It returns ErrMissing if the object does not exist. The caller must close the content.
func (b *Bucket) Open(ctx context.Context, key string) (*Content, error) {
	object, err := b.client.GetObject(ctx, b.bucket, b.key(key), minio.GetObjectOptions{})
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

// Remove removes an object. It succeeds if the object does not exist.
func (b *Bucket) Remove(ctx context.Context, key string) error {
	return b.client.RemoveObject(ctx, b.bucket, b.key(key), minio.RemoveObjectOptions{})
}

// All yields the objects whose keys begin with a text, in the order of the keys.
func (b *Bucket) All(whole context.Context, begin string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		ctx, stop := context.WithCancel(whole)
		defer stop()
		prefix := b.prefix
		if prefix != "" {
			prefix += "/"
		}
		for object := range b.client.ListObjects(ctx, b.bucket, minio.ListObjectsOptions{Prefix: prefix + begin, Recursive: true}) {
			found := Object{strings.TrimPrefix(object.Key, prefix), object.Size, object.LastModified}
			if !yield(found, object.Err) || object.Err != nil {
				return
			}
		}
	}
}

// Probe returns the reason why the server cannot store objects at the moment, or nil. It writes a small object.
func (b *Bucket) Probe(ctx context.Context) error {
	const text = "Routecard writes this to see whether it can."
	_, err := b.client.PutObject(ctx, b.bucket, b.key("probe"), strings.NewReader(text), int64(len(text)),
		minio.PutObjectOptions{ContentType: "text/plain"})
	return err
}
