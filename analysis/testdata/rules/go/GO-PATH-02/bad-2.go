package unpack

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
)

func Unpack(from, to string) error {
	reader, err := zip.OpenReader(from)
	if err != nil {
		return err
	}
	for _, entry := range reader.File {
		os.MkdirAll(filepath.Join(to, entry.Name), 0o755) // ← here
	}
	return nil
}
