// Package postgres measures what several instances of the program do on one PostgreSQL: advances a second over HTTP, for
// 1, 8 and 64 callers and one and three instances, beside pgbench on the same server in the same run.
//
//	go test -run '^$' -bench . -benchtime 5s -timeout 30m ./bench/postgres
//
// pgbench -N is the yardstick: a transaction of its has an UPDATE, a SELECT and an INSERT, one of ours an UPDATE of a
// serial and an INSERT into the audit trail, after the card was loaded and judged. Callers and instances, server and
// pgbench share the machine.
package postgres
