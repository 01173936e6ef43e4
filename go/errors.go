package cowrie

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Error is an error of the service by its code, or the reason why there was no usable answer. Branch on Code; the
// message is for people. Status is 0 when no complete answer arrived: network_error, timeout, stream_cut.
type Error struct {
	Status    int
	Code      string
	Message   string
	RequestID string
	// Fields are the invalid fields of the request.
	Fields []InvalidField
	// RetryAfter is the wait that the service asked for, if HasRetryAfter.
	RetryAfter    time.Duration
	HasRetryAfter bool
	// Detail has further fields of the answer, such as requiredMinor.
	Detail map[string]json.RawMessage
	// IdempotencyKey is that of the call. Retry with it to learn or finish the outcome; see IsResumable.
	IdempotencyKey string
	cause          error
}

// InvalidField is a field of the request and what is wrong with it.
type InvalidField struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }
func (e *Error) Unwrap() error { return e.cause }

// HasCode reports whether an error of the service has one of these codes.
func HasCode(err error, codes ...string) bool {
	var failure *Error
	if !errors.As(err, &failure) {
		return false
	}
	for _, code := range codes {
		if failure.Code == code {
			return true
		}
	}
	return false
}

type errorRow struct {
	status  int
	outcome string
	codes   string
}

func rowOf(code string) (errorRow, bool) {
	for _, row := range errorTable {
		for _, each := range strings.Split(row.codes, " ") {
			if each == code {
				return row, true
			}
		}
	}
	return errorRow{}, false
}

func (e *Error) isUnreadable() bool {
	return e.Code == "malformed_reply" || e.Code == "unexpected_redirect" || e.Code == "reply_too_large"
}

// Outcome is "decided" if the service refused or finished the request, "retry" if it changed nothing and the same request
// may succeed later, and "unknown" if it may have taken effect: send it again with the same key to find out.
func (e *Error) Outcome() string {
	if row, ok := rowOf(e.Code); ok {
		return row.outcome
	}
	if e.Status == 0 || e.Status >= 500 || e.isUnreadable() {
		return "unknown"
	}
	if e.Status == 408 || e.Status == 429 || e.HasRetryAfter {
		return "retry"
	}
	return "decided"
}

// IsResumable reports whether to keep the idempotency key and send the same request again.
func (e *Error) IsResumable() bool {
	return e.Outcome() != "decided" || e.Status == 401 || e.Status == 403 || e.Status == 451
}

// IsRetryable reports whether the same request can succeed later without any other change.
func (e *Error) IsRetryable() bool {
	if outcome := e.Outcome(); outcome != "unknown" {
		return outcome == "retry"
	}
	// A bug repeats its answer, and a card challenge waits for the payer.
	if row, ok := rowOf(e.Code); ok {
		return row.status != 500 && row.status != 402
	}
	return e.Status == 0 || e.HasRetryAfter || (e.isUnreadable() && e.Code != "reply_too_large")
}

// errorOf reads the error of an answer without a 2xx status.
func errorOf(response *http.Response) error {
	status := response.StatusCode
	if status >= 200 && status < 300 {
		return nil
	}
	if status >= 300 && status < 400 {
		return unusable(response, "unexpected_redirect", "The address answered with a redirect. Check the base URL.")
	}
	content, err := readAll(response)
	if err != nil {
		return err
	}
	failure := errorFromBody(content, status)
	if failure == nil || !isJSON(response) {
		failure = unusable(response, "malformed_reply", "The answer was HTTP "+strconv.Itoa(status)+" without an error code. A proxy may have sent it.")
	}
	if failure.RequestID == "" {
		failure.RequestID = response.Header.Get("X-Request-Id")
	}
	failure.RetryAfter, failure.HasRetryAfter = retryAfterOf(response)
	return failure
}

// errorFromBody returns nil for other shapes. Frames have no status: with 0 it is that of the code.
func errorFromBody(content []byte, status int) *Error {
	detail := map[string]json.RawMessage{}
	failure := &Error{Status: status}
	if json.Unmarshal(content, &detail) != nil ||
		json.Unmarshal(detail["error"], &failure.Message) != nil ||
		json.Unmarshal(detail["code"], &failure.Code) != nil {
		return nil
	}
	// These are optional.
	_ = json.Unmarshal(detail["requestId"], &failure.RequestID)
	_ = json.Unmarshal(detail["fields"], &failure.Fields)
	for _, name := range []string{"error", "code", "requestId", "fields"} {
		delete(detail, name)
	}
	failure.Detail = detail
	if status == 0 {
		failure.Status = 500
		if row, ok := rowOf(failure.Code); ok {
			failure.Status = row.status
		}
	}
	return failure
}

func unusable(response *http.Response, code, message string) *Error {
	return &Error{Status: response.StatusCode, Code: code, Message: message, RequestID: response.Header.Get("X-Request-Id")}
}

func retryAfterOf(response *http.Response) (time.Duration, bool) {
	header := response.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(header); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(header); err == nil {
		wait := time.Until(at)
		if wait < 0 {
			wait = 0
		}
		return wait, true
	}
	return 0, false
}

// networkError leaves our own errors and those of the caller's context unchanged.
func networkError(ctx context.Context, err error, code string) error {
	var own *Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &Error{Code: "timeout", Message: "The service sent no complete answer in time.", cause: err}
	}
	return &Error{Code: code, Message: "The service could not be reached, or the connection broke: " + err.Error(), cause: err}
}
