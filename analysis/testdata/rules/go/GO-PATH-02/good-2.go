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
		if !filepath.IsLocal(entry.Name) {
			continue
		}
		os.Create(filepath.Join(to, entry.Name))
	}
	return nil
}
