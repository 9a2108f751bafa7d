# Shorthand for common commands. The gate that every change passes is `bash .ci/run`.
.PHONY: test torture lint run bench release screenshots pictures

test: ## the tests; tests that need PostgreSQL, Chromium, Firefox, nginx or a tmpfs skip without it, and say so
	go test ./...

torture: ## the long tests: every call to the disk fails in turn, a thousand power failures, every change of every story twice, an hour of random calls on each engine
	ROUTECARD_TORTURE=1h ROUTECARD_REQUIRE=all go test -count=1 -timeout 8h -v ./internal/faulttest
	ROUTECARD_TORTURE=1h ROUTECARD_REQUIRE=all go test -count=1 -timeout 2h -run '^TestEveryChangeIsDoneOnce$$' ./internal/httpapi

lint: ## formatting, modules, vet and the linter, as the gate runs them
	bash .ci/run linter format modules vet lint

run: ## the service on http://127.0.0.1:8080, with its database in routecard.db
	go run ./cmd/routecard serve --listen 127.0.0.1:8080 --database routecard.db

bench: ## the benchmark, compared with what the machine can do at most
	go run ./bench

release: ## all files of a release of this commit, in dist; KEY=FILE signs their checksums
	go -C packaging run . -repository $(CURDIR) -out $(CURDIR)/dist $(if $(KEY),-key $(abspath $(KEY)))

pictures: ## take the pictures of the documents, docs/images, from a demonstration
	ROUTECARD_PICTURES=$(CURDIR)/docs/images go test -count=1 -run '^TestPictures$$' ./internal/browsertest/office

screenshots: ## take pictures of every page, into docs/screenshots, at three widths, light and dark
	ROUTECARD_SCREENSHOTS=$(CURDIR)/docs/screenshots go test -count=1 -run '^TestScreenshots$$' ./internal/browsertest/office
