import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'GO-SSRF-01',
    bad: [
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	resp, err := http.Get(r.FormValue("url")) // ← here
	_, _ = resp, err
}
`,
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	host := r.URL.Query().Get("host")
	req, err := http.NewRequest("GET", "https://"+host+"/status", nil) // ← here
	_, _ = req, err
}
`,
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	client := &http.Client{}
	client.Post(r.Header.Get("X-Callback"), "application/json", nil) // ← here
}
`,
    ],
    good: [
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.Get("https://api.example.com/users/" + r.FormValue("id"))
}
`,
      `package app

import (
	"net/http"
	"net/url"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	target, err := url.Parse(r.FormValue("url"))
	if err != nil || target.Host != "images.example.com" {
		return
	}
	http.Get(target.String())
}
`,
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	hosts := map[string]string{"eu": "https://eu.example.com", "ng": "https://ng.example.com"}
	http.Get(hosts[r.FormValue("region")] + "/status")
}
`,
      `package client

import "net/http"

func Fetch(url string) (*http.Response, error) {
	return http.Get(url)
}
`,
    ],
  },
  {
    rule: 'GO-REDIR-01',
    bad: [
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, r.FormValue("next"), http.StatusFound) // ← here
}
`,
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	next := r.URL.Query().Get("return")
	if next == "" {
		next = "/"
	}
	http.Redirect(w, r, next, 302) // ← here
}
`,
      `package app

import "github.com/gin-gonic/gin"

func Back(c *gin.Context) {
	c.Redirect(302, c.Query("to")) // ← here
}
`,
    ],
    good: [
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/users/"+r.FormValue("id"), http.StatusFound)
}
`,
      `package app

import (
	"net/http"
	"strings"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	next := r.FormValue("next")
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") {
		next = "/"
	}
	http.Redirect(w, r, next, 302)
}
`,
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, r.URL.Path+"/", http.StatusMovedPermanently)
}
`,
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	pages := map[string]string{"home": "/", "shop": "/shop"}
	http.Redirect(w, r, pages[r.FormValue("next")], 302)
}
`,
    ],
  },
]
