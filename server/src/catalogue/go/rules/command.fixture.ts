import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'GO-CMD-01',
    bad: [
      `package app

import (
	"net/http"
	"os/exec"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	host := r.FormValue("host")
	out, err := exec.Command("sh", "-c", "ping -c 1 "+host).Output() // ← here
	_, _ = out, err
}
`,
      `package app

import (
	"net/http"
	"os/exec"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	exec.Command(r.URL.Query().Get("tool"), "--version").Run() // ← here
}
`,
      `package app

import (
	"fmt"
	"net/http"
	"os/exec"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	script := fmt.Sprintf("convert %s out.png", r.PathValue("file"))
	cmd := exec.CommandContext(r.Context(), "/bin/bash", "-c", script) // ← here
	cmd.Run()
}
`,
      `package images

import "os/exec"

func Convert(name string) error {
	return exec.Command("bash", "-c", "convert "+name+" out.png").Run() // ← here
}
`,
    ],
    good: [
      `package app

import (
	"net/http"
	"os/exec"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	exec.Command("ping", "-c", "1", r.FormValue("host")).Run()
}
`,
      `package app

import (
	"net/http"
	"os/exec"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	tools := map[string]string{"git": "/usr/bin/git", "go": "/usr/bin/go"}
	tool, ok := tools[r.FormValue("tool")]
	if !ok {
		return
	}
	exec.Command(tool, "--version").Run()
}
`,
      `package app

import (
	"fmt"
	"strconv"
	"net/http"
	"os/exec"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	port, err := strconv.Atoi(r.FormValue("port"))
	if err != nil {
		return
	}
	exec.Command("sh", "-c", fmt.Sprintf("lsof -i :%d", port)).Run()
}
`,
      `package app

import (
	"regexp"
	"net/http"
	"os/exec"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	var name = regexp.MustCompile(\`^[a-z0-9]+$\`)
	host := r.FormValue("host")
	if !name.MatchString(host) {
		return
	}
	exec.Command("sh", "-c", "ping -c 1 "+host).Run()
}
`,
      `package run

import "os/exec"

func Shell(command string) error {
	return exec.Command("sh", "-c", command).Run()
}
`,
    ],
  },
]
