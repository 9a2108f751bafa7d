package migrations

import (
	"embed"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
)

//go:embed both postgres sqlite
var migrationFolders embed.FS

// The migrations in the folder both are for both engines. They are written for SQLite, with the types TEXT and INTEGER, and every table in
// them is STRICT, WITHOUT ROWID. A migration that needs anything else is a file in the folder of each engine, under the same name.
var forPostgres = strings.NewReplacer("TEXT", `text COLLATE "C"`, "INTEGER", "bigint", " STRICT, WITHOUT ROWID", "")

// engineFiles has the migrations of one engine: the files in its folder, and the files for both engines, converted to its dialect.
type engineFiles struct {
	own, both fs.FS
	words     *strings.Replacer
}

// Of returns the migrations in an engine's folder.
func Of(folder string) fs.FS {
	of := engineFiles{sub(folder), sub("both"), strings.NewReplacer()}
	if folder == "postgres" {
		of.words = forPostgres
	}
	return of
}

func sub(folder string) fs.FS {
	files, err := fs.Sub(migrationFolders, folder)
	if err != nil {
		panic(err) // cannot happen: the folder's name is a valid path
	}
	return files
}

// ReadDir lists the files of the engine and those for both, sorted by name.
func (m engineFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	own, err := fs.ReadDir(m.own, name)
	both, errBoth := fs.ReadDir(m.both, name)
	entries := slices.Concat(own, both)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, errors.Join(err, errBoth)
}

// Open opens a file of the engine, or a file for both engines converted to the engine's dialect.
func (m engineFiles) Open(name string) (fs.File, error) {
	file, err := m.own.Open(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	if file, err = m.both.Open(name); err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(m.both, name)
	return inWords{file, strings.NewReader(m.words.Replace(string(text)))}, err
}

// inWords is a file with its text replaced by another.
type inWords struct {
	fs.File
	text io.Reader
}

func (f inWords) Read(into []byte) (int, error) { return f.text.Read(into) }
