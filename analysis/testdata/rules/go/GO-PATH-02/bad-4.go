package unpack

import (
	"archive/zip"
	"os"
	"path/filepath"
)

func extract(entry *zip.File, to string) error {
	_, err := os.Create(filepath.Join(to, entry.Name)) // ← here
	return err
}
