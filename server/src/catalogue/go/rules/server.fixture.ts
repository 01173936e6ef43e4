import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'GO-DOS-01',
    bad: [
      `package app

import (
	"net/http"
)

func Run(handler http.Handler) error {
	server := &http.Server{Addr: ":8080", Handler: handler} // ← here
	return server.ListenAndServe()
}
`,
      `package app

import (
	"net/http"
)

func Run() error {
	return (&http.Server{Addr: ":80"}).ListenAndServe() // ← here
}
`,
      `package app

import (
	"net/http"
	"time"
)

func Run(address string) error {
	server := http.Server{ // ← here
		Addr:         address,
		WriteTimeout: time.Minute,
	}
	return server.ListenAndServe()
}
`,
    ],
    good: [
      `package app

import (
	"net/http"
	"time"
)

func Run() error {
	return (&http.Server{Addr: ":80", ReadHeaderTimeout: time.Second}).ListenAndServe()
}
`,
      `package app

import (
	"net/http"
	"time"
)

func Run() error {
	server := &http.Server{Addr: ":80"}
	server.ReadTimeout = time.Second
	return server.ListenAndServe()
}
`,
      `package app

import (
	"net/http"
)

func Serve(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler}
}
`,
    ],
  },
  {
    rule: 'GO-COOKIE-01',
    bad: [
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "session", Value: r.FormValue("id"), Path: "/"}) // ← here
}
`,
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "auth_token", Value: r.FormValue("id"), Secure: true, HttpOnly: false}) // ← here
}
`,
      `package app

import "github.com/gin-gonic/gin"

func SignIn(c *gin.Context) {
	c.SetCookie("session_id", c.Query("id"), 3600, "/", "", false, true) // ← here
}
`,
    ],
    good: [
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "session", Value: r.FormValue("id"), Secure: true, HttpOnly: true})
}
`,
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "session", Value: "", MaxAge: -1})
}
`,
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "theme", Value: r.FormValue("theme")})
}
`,
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	cookie := &http.Cookie{Name: "session", Value: r.FormValue("id"), HttpOnly: true}
	cookie.Secure = r.TLS != nil
	http.SetCookie(w, cookie)
}
`,
    ],
  },
]
