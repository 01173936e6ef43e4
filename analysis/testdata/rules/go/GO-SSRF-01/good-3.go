package app

import (
	"net/http"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	hosts := map[string]string{"eu": "https://eu.example.com", "ng": "https://ng.example.com"}
	http.Get(hosts[r.FormValue("region")] + "/status")
}
