package cowrie

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// WebhookEvent is an event of the service. ID is the same for every delivery attempt: events can arrive more than once.
type WebhookEvent struct {
	ID        string          `json:"-"`
	Type      string          `json:"type"`
	Timestamp string          `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// VerifyWebhook returns the event if the call came from the service. Otherwise answer 400 and do nothing. The body must be
// the raw one: parsed and printed again, it would have another signature.
func VerifyWebhook(secret string, headers http.Header, body []byte) (*WebhookEvent, error) {
	return verifyWebhook(secret, headers, body, time.Now())
}

func verifyWebhook(secret string, headers http.Header, body []byte, now time.Time) (*WebhookEvent, error) {
	id, timestamp := headers.Get("Webhook-Id"), headers.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil {
		return nil, errors.New("the call has no id or no timestamp")
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > 5*time.Minute || age < -5*time.Minute {
		return nil, errors.New("the signature is too old, or the clocks differ")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if !strings.HasPrefix(secret, "whsec_") || err != nil || len(key) == 0 {
		return nil, errors.New("secret must be the whsec_… secret of the endpoint")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	// There is one signature for each valid secret.
	for _, signature := range strings.Split(headers.Get("Webhook-Signature"), " ") {
		given, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(signature, "v1,"))
		if strings.HasPrefix(signature, "v1,") && err == nil && hmac.Equal(given, expected) {
			event := &WebhookEvent{ID: id}
			return event, json.Unmarshal(body, event)
		}
	}
	return nil, errors.New("no signature of the call matches this secret")
}
