// Package postgres measures instances of the program on one PostgreSQL server, over HTTP: advances a second for 1, 8 and 64 callers of one
// and of three instances, with 1,000, 100,000 and a million serials, with and without a synchronous standby, and reads of a serial, in turn
// with pgbench on the same server. Each turn takes a second, and medians are printed.
//
//	go test -run '^$' -bench . -benchtime 7x -timeout 1h ./bench/postgres
//	go test -run '^$' -bench 'Advance/standby=none/serials=1000$/callers=8' -benchtime 7x ./bench/postgres
//
// Advances are compared with pgbench -N: one of its transactions runs an UPDATE, a SELECT and an INSERT; one of ours runs an UPDATE of a
// serial and an INSERT into the audit trail, after it has loaded the card and checked the rules. Reads are compared with pgbench -S, one
// SELECT by a key. Callers, instances, the server and pgbench share the machine.
package postgres
