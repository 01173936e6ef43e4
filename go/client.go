// Package cowrie is a client of the Cowrie API: prepaid AI coding with a wallet in local currency.
//
// Amounts in fields named …Minor are int64 in minor units: kobo, cents, piastres.
package cowrie

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

const (
	replyMaxBytes     = 64 << 20
	compressFromBytes = 1024
	backoffFirst      = 500 * time.Millisecond
	backoffMax        = 8 * time.Second
	// With a longer Retry-After the client does not wait: the caller gets the error at once.
	retryAfterMax = 30 * time.Second
)

// Client is safe for use by several goroutines.
type Client struct {
	API

	baseURL string
	key     string
	// HTTP makes the requests. Set it before the first call, to use another transport. It must not follow redirects.
	HTTP *http.Client
	// Timeout limits each attempt for a complete answer, or for the start of a stream.
	Timeout time.Duration
	// StreamSilence is how long a stream may send nothing, not even a keep-alive, before it counts as broken.
	StreamSilence time.Duration
	// Retries is how often a failed attempt is repeated. Calls that are not safe to repeat are never repeated.
	Retries int
}

// New returns a client. With empty arguments it uses COWRIE_URL and COWRIE_API_KEY.
func New(baseURL, key string) *Client {
	if baseURL == "" {
		baseURL = os.Getenv("COWRIE_URL")
	}
	if baseURL == "" {
		baseURL = "http://127.0.0.1:8080"
	}
	if key == "" {
		key = os.Getenv("COWRIE_API_KEY")
	}
	refuse := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c := &Client{
		baseURL:       strings.TrimRight(baseURL, "/"),
		key:           key,
		HTTP:          &http.Client{CheckRedirect: refuse},
		Timeout:       2 * time.Minute,
		StreamSilence: time.Minute,
		Retries:       2,
	}
	c.bind()
	return c
}

// Option changes one call.
type Option func(*settings)

type settings struct {
	idempotencyKey string
	timeout        time.Duration
	retries        int
	headers        map[string]string
}

// WithIdempotencyKey sends a key that you stored before the call. Operations that accept one get a random key by default.
func WithIdempotencyKey(key string) Option { return func(s *settings) { s.idempotencyKey = key } }

// WithTimeout limits each attempt of this call.
func WithTimeout(limit time.Duration) Option { return func(s *settings) { s.timeout = limit } }

// WithRetries says how often a failed attempt of this call is repeated.
func WithRetries(n int) Option { return func(s *settings) { s.retries = n } }

// WithHeader adds a header.
func WithHeader(name, value string) Option {
	return func(s *settings) { s.headers[name] = value }
}

// NewIdempotencyKey returns a key to store before a paid call, so that a crash cannot cause a second charge.
func NewIdempotencyKey() string {
	random := make([]byte, 24)
	if _, err := rand.Read(random); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(random)
}

// Ptr returns a pointer to a value, for optional fields.
func Ptr[T any](value T) *T { return &value }

// Nullable is a field that can be left out (nil), null or a value.
type Nullable[T any] struct {
	Value  T
	IsNull bool
}

// Null is sent as null, which removes the value.
func Null[T any]() *Nullable[T] { return &Nullable[T]{IsNull: true} }

// Some is sent as its value.
func Some[T any](value T) *Nullable[T] { return &Nullable[T]{Value: value} }

func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if n.IsNull {
		return []byte("null"), nil
	}
	return json.Marshal(n.Value)
}

func (n *Nullable[T]) UnmarshalJSON(text []byte) error {
	n.IsNull = string(text) == "null"
	return json.Unmarshal(text, &n.Value)
}

type call struct {
	name       string
	method     string
	path       path
	body       any
	query      any
	idempotent bool
}

type path struct {
	text string
	err  error
}

func fixed(text string) path { return path{text: text} }

// An empty or dotted value would lead to another address.
func filled(pattern string, values ...string) path {
	parts := strings.Split(pattern, "{")
	text := parts[0]
	for i, part := range parts[1:] {
		name, rest, _ := strings.Cut(part, "}")
		value := values[i]
		if value == "" || value == "." || value == ".." {
			return path{err: fmt.Errorf("%s must not be %q", name, value)}
		}
		text += url.PathEscape(value) + rest
	}
	return path{text: text}
}

func fetchJSON[T any](ctx context.Context, c *Client, operation call, options []Option) (*T, error) {
	var value T
	err := c.send(ctx, operation, "application/json", options, func(response *http.Response) error {
		content, err := readAll(response)
		if err != nil {
			return err
		}
		if !isJSON(response) {
			return unusable(response, "malformed_reply", "The answer is not JSON. Check the base URL.")
		}
		if err := json.Unmarshal(content, &value); err != nil {
			return unusable(response, "malformed_reply", "The answer has another shape: "+err.Error())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &value, nil
}

func fetchBytes(ctx context.Context, c *Client, operation call, options []Option) ([]byte, error) {
	var content []byte
	err := c.send(ctx, operation, "*/*", options, func(response *http.Response) (err error) {
		content, err = readAll(response)
		return err
	})
	return content, err
}

func fetchText(ctx context.Context, c *Client, operation call, options []Option) (string, error) {
	content, err := fetchBytes(ctx, c, operation, options)
	return string(content), err
}

// Do makes any call. Query and body may be nil; the reply is read into reply, unless that is nil.
func (c *Client) Do(ctx context.Context, method, address string, query url.Values, body, reply any, options ...Option) error {
	operation := call{name: address, method: method, path: fixed(address), body: body, query: query, idempotent: true}
	return c.send(ctx, operation, "application/json, */*", options, func(response *http.Response) error {
		content, err := readAll(response)
		if err != nil || reply == nil {
			return err
		}
		return json.Unmarshal(content, reply)
	})
}

// send makes the call and reads its reply. A retry repeats both.
func (c *Client) send(ctx context.Context, operation call, accept string, options []Option, read func(*http.Response) error) error {
	s := c.settings(operation, options)
	address, body, err := c.prepare(operation)
	if err != nil {
		return err
	}
	// Other calls could take effect twice: a lost answer does not mean that nothing happened.
	isRepeatable := operation.method == "GET" || operation.method == "HEAD" || s.idempotencyKey != ""
	for attempt := 1; ; attempt++ {
		err := c.exchange(ctx, operation.method, address, body, accept, s, read)
		var failure *Error
		if err == nil || !errors.As(err, &failure) {
			return err
		}
		failure.IdempotencyKey = s.idempotencyKey
		if !isRepeatable || attempt > s.retries || !mayRetry(failure) {
			return failure
		}
		if err := pause(ctx, pauseAfter(failure, attempt)); err != nil {
			return err
		}
	}
}

func (c *Client) settings(operation call, options []Option) settings {
	s := settings{timeout: c.Timeout, retries: c.Retries, headers: map[string]string{}}
	for _, option := range options {
		option(&s)
	}
	if operation.idempotent && s.idempotencyKey == "" && operation.method != "GET" {
		s.idempotencyKey = NewIdempotencyKey()
	}
	return s
}

func (c *Client) prepare(operation call) (address string, body []byte, err error) {
	if operation.path.err != nil {
		return "", nil, fmt.Errorf("%s: %w", operation.name, operation.path.err)
	}
	query, err := queryText(operation.query)
	if err != nil {
		return "", nil, err
	}
	if operation.body != nil {
		if body, err = json.Marshal(operation.body); err != nil {
			return "", nil, err
		}
		if string(body) == "null" {
			body = nil
		}
	}
	return c.baseURL + operation.path.text + query, body, nil
}

func (c *Client) exchange(ctx context.Context, method, address string, body []byte, accept string, s settings, read func(*http.Response) error) error {
	limited, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	response, err := c.start(limited, method, address, body, accept, s)
	if err != nil {
		return networkError(ctx, err, "network_error")
	}
	defer response.Body.Close()
	if err := errorOf(response); err != nil {
		return networkError(ctx, err, "network_error")
	}
	return networkError(ctx, read(response), "network_error")
}

func (c *Client) start(ctx context.Context, method, address string, body []byte, accept string, s settings) (*http.Response, error) {
	content, isCompressed := compressed(body)
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	request.Header.Set("User-Agent", "cowrie-go/"+Version)
	if c.key != "" {
		request.Header.Set("Authorization", "Bearer "+c.key)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if isCompressed {
		request.Header.Set("Content-Encoding", "gzip")
	}
	if s.idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", s.idempotencyKey)
	} else if method != "GET" && method != "HEAD" {
		// The library would send it again on another connection.
		request.GetBody = nil
	}
	for name, value := range s.headers {
		request.Header.Set(name, value)
	}
	return c.HTTP.Do(request)
}

func compressed(body []byte) ([]byte, bool) {
	if len(body) < compressFromBytes {
		return body, false
	}
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	if _, err := writer.Write(body); err != nil || writer.Close() != nil {
		return body, false
	}
	return packed.Bytes(), true
}

func queryText(query any) (string, error) {
	if values, ok := query.(url.Values); ok {
		return prefixed(values), nil
	}
	text, err := json.Marshal(query)
	if err != nil || string(text) == "null" {
		return "", err
	}
	fields := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&fields); err != nil {
		return "", err
	}
	values := url.Values{}
	for name, value := range fields {
		if items, ok := value.([]any); ok {
			for _, item := range items {
				values.Add(name, fmt.Sprint(item))
			}
		} else if value != nil {
			values.Add(name, fmt.Sprint(value))
		}
	}
	return prefixed(values), nil
}

func prefixed(values url.Values) string {
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

func readAll(response *http.Response) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(response.Body, replyMaxBytes+1))
	if err == nil && len(content) > replyMaxBytes {
		return nil, unusable(response, "reply_too_large", "The answer is too large. Request less at once.")
	}
	return content, err
}

func isJSON(response *http.Response) bool {
	kind := strings.ToLower(response.Header.Get("Content-Type"))
	return strings.HasPrefix(kind, "application/") && strings.Contains(kind, "json")
}

func mayRetry(failure *Error) bool {
	isLasting := failure.Code == "stream_cut" ||
		((failure.Code == "malformed_reply" || failure.Code == "unexpected_redirect") && failure.Status < 500 && failure.Status != 429)
	return failure.IsRetryable() && !isLasting && failure.RetryAfter <= retryAfterMax
}

// Jitter: clients that failed together do not retry together.
func pauseAfter(failure *Error, attempt int) time.Duration {
	if failure.HasRetryAfter {
		return failure.RetryAfter + time.Duration(mathrand.Int63n(int64(backoffFirst)))
	}
	backoff := backoffMax
	if attempt < 5 {
		backoff = backoffFirst << (attempt - 1)
	}
	return backoff/2 + time.Duration(mathrand.Int63n(int64(backoff/2)))
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
