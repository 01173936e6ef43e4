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
		os.Create(filepath.Join(to, filepath.Base(entry.Name)))
	}
	return nil
}
