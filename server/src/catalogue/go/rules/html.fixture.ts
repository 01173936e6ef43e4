import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'GO-XSS-01',
    bad: [
      `package app

import (
	"fmt"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "<h1>Hello %s</h1>", r.FormValue("name")) // ← here
}
`,
      `package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	w.Write([]byte("Hello " + r.FormValue("name"))) // ← here
}
`,
      `package app

import (
	"html/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	page := template.Must(template.New("page").Parse("<p>{{.}}</p>"))
	page.Execute(w, template.HTML(r.FormValue("bio"))) // ← here
}
`,
      `package app

import (
	"text/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	page := template.Must(template.New("page").Parse("<p>{{.}}</p>"))
	page.Execute(w, r.FormValue("bio")) // ← here
}
`,
    ],
    good: [
      `package app

import (
	"fmt"
	"html"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "<h1>Hello %s</h1>", html.EscapeString(r.FormValue("name")))
}
`,
      `package app

import (
	"html/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	page := template.Must(template.New("page").Parse("<p>{{.}}</p>"))
	page.Execute(w, r.FormValue("bio"))
}
`,
      `package app

import (
	"fmt"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, "<%s>", r.FormValue("name"))
}
`,
      `package app

import (
	"fmt"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "Hello %s", r.FormValue("name"))
}
`,
      `package app

import (
	"fmt"
	"strconv"
	"html/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	count, _ := strconv.Atoi(r.FormValue("count"))
	fmt.Fprintf(w, "<b>%d</b>", count)
	page := template.HTML("<hr>")
	_ = page
}
`,
    ],
  },
  {
    rule: 'GO-SSTI-01',
    bad: [
      `package app

import (
	"html/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	page, err := template.New("page").Parse(r.FormValue("template")) // ← here
	_, _ = page, err
}
`,
      `package app

import (
	"text/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	text := "<p>" + r.FormValue("greeting") + "</p>"
	template.Must(template.New("page").Parse(text)) // ← here
}
`,
      `package app

import (
	"io"
	"text/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	template.New("mail").Parse(string(body)) // ← here
}
`,
    ],
    good: [
      `package app

import (
	"html/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	page := template.Must(template.New("page").Parse("<p>{{.}}</p>"))
	page.Execute(w, r.FormValue("greeting"))
}
`,
      `package app

import (
	"html/template"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	const page = "<p>{{.Name}}</p>"
	template.New("page").Parse(page)
}
`,
      `package app

import (
	"net/url"
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	target, err := url.Parse(r.FormValue("url"))
	_, _ = target, err
}
`,
    ],
  },
]
