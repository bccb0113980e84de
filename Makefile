.PHONY: build test release man clean

build:
	CGO_ENABLED=0 go build -tags urfave_cli_no_docs -o bin/pnmc ./cmd/pnmc

test:
	go test ./...

# Archives for Linux, macOS and Windows on amd64 and arm64, in the folder dist.
release:
	go run ./internal/release -out dist

man: build
	bin/pnmc man -o bin/man/man1

clean:
	rm -rf bin dist
