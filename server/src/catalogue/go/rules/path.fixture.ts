import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'GO-PATH-01',
    bad: [
      `package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("file")
	data, err := os.ReadFile(filepath.Join("/srv/files", name)) // ← here
	_, _ = data, err
}
`,
      `package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.ServeFile(w, r, "/srv/files/"+r.FormValue("file")) // ← here
}
`,
      `package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	path := filepath.Clean(r.PathValue("path"))
	os.Remove("/srv/" + path) // ← here
}
`,
      `package app

import "github.com/gin-gonic/gin"

func Download(c *gin.Context) {
	c.File("./files/" + c.Param("name")) // ← here
}
`,
    ],
    good: [
      `package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	os.ReadFile(filepath.Join("/srv/files", filepath.Base(r.FormValue("file"))))
}
`,
      `package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("file")
	if !filepath.IsLocal(name) {
		return
	}
	os.ReadFile(filepath.Join("/srv/files", name))
}
`,
      `package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	path := filepath.Join("/srv/files", filepath.Clean("/"+r.FormValue("file")))
	os.ReadFile(path)
}
`,
      `package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	path := filepath.Join("/srv/files", r.FormValue("file"))
	if !strings.HasPrefix(path, "/srv/files/") {
		return
	}
	os.ReadFile(path)
}
`,
      `package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("file")
	if strings.Contains(name, "..") {
		http.Error(w, "no", 400)
		return
	}
	os.ReadFile("/srv/files/" + name)
}
`,
      `package files

import "os"

func Load(path string) ([]byte, error) {
	return os.ReadFile(path)
}
`,
    ],
  },
  {
    rule: 'GO-PATH-02',
    bad: [
      `package unpack

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
		path := filepath.Join(to, entry.Name)
		out, err := os.Create(path) // ← here
		_, _ = out, err
	}
	return nil
}
`,
      `package unpack

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
`,
      `package unpack

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
`,
      `package unpack

import (
	"archive/zip"
	"os"
	"path/filepath"
)

func extract(entry *zip.File, to string) error {
	_, err := os.Create(filepath.Join(to, entry.Name)) // ← here
	return err
}
`,
    ],
    good: [
      `package unpack

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
		path := filepath.Join(to, entry.Name)
		if !strings.HasPrefix(path, filepath.Clean(to)+string(os.PathSeparator)) {
			continue
		}
		os.Create(path)
	}
	return nil
}
`,
      `package unpack

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
`,
      `package unpack

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
`,
    ],
  },
]
