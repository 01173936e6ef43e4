package unpack

import (
	"archive/tar"
	"io"
	"os"
)

func Unpack(in io.Reader, to string) error {
	reader := tar.NewReader(in)
	for {
		header, err := reader.Next()
		if err != nil {
			return err
		}
		os.OpenFile(to+"/"+header.Name, os.O_CREATE, 0o644) // ← here
	}
}
