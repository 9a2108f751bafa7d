package main

import "testing"

// A bucket without its settings is refused, with the names of the missing settings.
func TestBucketNeedsSettings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		settings placeSettings
		want     string
	}{
		{placeSettings{Files: "s3://"}, "--files s3:// needs --files-endpoint, --files-access-key-file, --files-secret-key-file too"},
		{placeSettings{Files: "s3://shop", FilesEndpoint: "http://127.0.0.1:1"}, "--files s3://shop needs --files-access-key-file, --files-secret-key-file too"},
		{placeSettings{Files: "s3://shop", FilesEndpoint: "http://127.0.0.1:1", FilesAccessKeyFile: "a"}, "--files s3://shop needs --files-secret-key-file too"},
		{placeSettings{Files: "s3://shop", FilesAccessKeyFile: "a", FilesSecretKeyFile: "b"}, "--files s3://shop needs --files-endpoint too"},
	} {
		if _, err := test.settings.place("shop.db"); err == nil || err.Error() != test.want {
			t.Errorf("%+v: error is %v, want %s", test.settings, err, test.want)
		}
	}
}

// If a disk has too little free space, the doctor says how much is needed.
func TestRoomDemanded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		room   room
		want   verdict
		needed string
	}{
		{room{free: leastFree - 1, total: 1 << 30}, wrongNow, ": at least 256.0 MiB have to be"},
		{room{free: leastFree, total: 10 << 30}, noted, ": 1.0 GiB, a tenth, should be"},
		{room{free: 1 << 30, total: 10 << 30}, allWell, ""},
	} {
		if v, needed := test.room.verdict(); v != test.want || needed != test.needed {
			t.Errorf("%+v: %s, %q, want %s, %q", test.room, v, needed, test.want, test.needed)
		}
	}
}
