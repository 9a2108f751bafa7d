# Shorthand for what is typed most. The gate that every change passes is `bash .ci/run`.
.PHONY: test torture lint run bench screenshots pictures

test: ## the tests; those that need PostgreSQL, Chromium or a tmpfs skip where it is missing, and say so
	go test ./...

torture: ## the long versions of the tests: every call to the disk fails in turn, a thousand power failures, every change of every story twice, an hour of drawn calls on each engine
	ROUTECARD_TORTURE=1h ROUTECARD_REQUIRE=all go test -count=1 -timeout 8h -v ./internal/faulttest
	ROUTECARD_TORTURE=1h ROUTECARD_REQUIRE=all go test -count=1 -timeout 2h -run '^TestEveryChangeIsDoneOnce$$' ./internal/httpapi

lint: ## formatting, modules, vet and the linter, as the gate runs them
	bash .ci/run linter format modules vet lint

run: ## the service on http://127.0.0.1:8080, with its database in routecard.db
	go run ./cmd/routecard serve --listen 127.0.0.1:8080 --database routecard.db

bench: ## the benchmark program, held against its floors
	go run ./bench

pictures: ## the pictures of the documents in docs/images, taken anew from a demonstration
	ROUTECARD_PICTURES=$(CURDIR)/docs/images go test -count=1 -run '^TestPictures$$' ./internal/web

screenshots: ## pictures of every page in docs/screenshots, at three widths, light and dark
	ROUTECARD_SCREENSHOTS=$(CURDIR)/docs/screenshots go test -count=1 -run '^TestScreenshots$$' ./internal/web
