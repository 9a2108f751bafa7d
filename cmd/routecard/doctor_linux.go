package main

import "syscall"

// networkFileSystems are the network file systems of Linux, by their number in statfs.
var networkFileSystems = map[int64]string{
	0x6969: "NFS", 0x517b: "SMB", 0xfe534d42: "SMB", 0xff534d42: "CIFS", 0x01021997: "9p", 0x00c36400: "Ceph",
}

// roomIn returns the size and free space of the file system of a folder.
func roomIn(folder string) (room, error) {
	var told syscall.Statfs_t
	if err := syscall.Statfs(folder, &told); err != nil {
		return room{}, err
	}
	block := int64(told.Bsize) //nolint:unconvert // the type is different on other processors
	return room{
		free: int64(told.Bavail) * block, total: int64(told.Blocks) * block, //nolint:gosec // sizes of disks fit
		network: networkFileSystems[int64(told.Type)], //nolint:unconvert // as above
	}, nil
}

// clockSynchronized reports whether the system's clock is synchronized with another clock.
func clockSynchronized() (synchronized, known bool) {
	const notSynchronized = 5 // TIME_ERROR
	state, err := syscall.Adjtimex(&syscall.Timex{})
	return state != notSynchronized, err == nil
}
