package client

import "net/http"

func Fetch(url string) (*http.Response, error) {
	return http.Get(url)
}
