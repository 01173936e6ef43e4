package cowrie

import (
	"compress/gzip"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

type seen struct {
	path   string
	header http.Header
	body   []byte
}

// fake answers each request with the next of its scripted answers.
func fake(t *testing.T, answers ...http.HandlerFunc) (*Client, *[]seen) {
	requests := []seen{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reader := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			reader, _ = gzip.NewReader(r.Body)
		}
		body, _ := io.ReadAll(reader)
		requests = append(requests, seen{r.URL.String(), r.Header.Clone(), body})
		if len(answers) == 0 {
			reply(500, `{"error":"Bug.","code":"internal"}`)(w, r)
			return
		}
		answer := answers[0]
		answers = answers[1:]
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return New(server.URL, "key"), &requests
}

func reply(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func drop(w http.ResponseWriter, _ *http.Request) {
	connection, _, _ := w.(http.Hijacker).Hijack()
	connection.Close()
}

func frames(isCut bool, bodies ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, body := range bodies {
			fmt.Fprintf(w, ": keep-alive\n\nid: 1\ndata: %s\n\n", body)
		}
		w.(http.Flusher).Flush()
		if isCut {
			fmt.Fprint(w, "data: {\"seq\":")
			w.(http.Flusher).Flush()
			drop(w, r)
		}
	}
}

func TestALostAnswerIsAskedForAgainWithTheSameKey(t *testing.T) {
	client, requests := fake(t, drop, reply(200, `{"id":"agr_1"}`))
	run, err := client.Agent.Run(context.Background(), AgentRunRequest{Prompt: "x"})
	if err != nil || run.ID != "agr_1" {
		t.Fatal(run, err)
	}
	first, second := (*requests)[0].header.Get("Idempotency-Key"), (*requests)[1].header.Get("Idempotency-Key")
	if first == "" || first != second || len(*requests) != 2 {
		t.Fatal(first, second)
	}
}

func TestACallWithoutAKeyIsNeverRepeated(t *testing.T) {
	client, requests := fake(t, reply(200, `{}`), drop)
	// The second call finds an open connection that breaks.
	if _, err := client.Me.Get(context.Background()); err != nil {
		t.Fatal(err)
	}
	_, err := client.Tasks.Patch(context.Background(), "tsk_1", &TaskPatch{Title: Ptr("x")})
	if !HasCode(err, "network_error") || len(*requests) != 2 {
		t.Fatal(err, len(*requests))
	}
}

func TestMoneyAndNullAreExact(t *testing.T) {
	client, requests := fake(t, reply(200, `{"balanceMinor":9007199254740993}`), reply(200, `{}`))
	wallet, err := client.Wallet.Get(context.Background())
	if err != nil || wallet.BalanceMinor != 9007199254740993 {
		t.Fatal(wallet, err)
	}
	if _, err := client.Tasks.Patch(context.Background(), "tsk_1", &TaskPatch{BudgetMinor: Null[int64](), Model: Some("open")}); err != nil {
		t.Fatal(err)
	}
	var sent map[string]any
	if json.Unmarshal((*requests)[1].body, &sent) != nil || len(sent) != 2 || sent["budgetMinor"] != nil || sent["model"] != "open" {
		t.Fatal(string((*requests)[1].body))
	}
}

func TestAnErrorHasTheFactsOfTheService(t *testing.T) {
	client, _ := fake(t, reply(402, `{"error":"Top up.","code":"insufficient_funds","requestId":"req_1","requiredMinor":5}`))
	_, err := client.Agent.Run(context.Background(), AgentRunRequest{Prompt: "x"})
	var failure *Error
	if !errors.As(err, &failure) || failure.Status != 402 || failure.RequestID != "req_1" || failure.Outcome() != "decided" || string(failure.Detail["requiredMinor"]) != "5" {
		t.Fatal(err)
	}
}

func TestForeignAnswersAreNamed(t *testing.T) {
	redirect := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/other", http.StatusFound) }
	page := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }
	client, _ := fake(t, redirect, page)
	for _, code := range []string{"unexpected_redirect", "malformed_reply"} {
		if _, err := client.Me.Get(context.Background()); !HasCode(err, code) {
			t.Fatal(code, err)
		}
	}
}

func TestABrokenTaskStreamGoesOnAfterItsLastEvent(t *testing.T) {
	one := `{"seq":1,"kind":"message","turnId":"trn_1","text":"a"}`
	two := `{"seq":2,"kind":"status","status":"finished","turnId":"trn_1"}`
	task := `{"turns":[{"id":"trn_1","finishedAt":null}],"lastSeq":0,"needs":[]}`
	client, requests := fake(t, reply(200, task), frames(true, one), drop, frames(false, one, two))
	got := []int64{}
	err := client.FollowTask(context.Background(), "tsk_1", "trn_1", 0, func(event TaskEvent) error {
		got = append(got, event.Seq)
		return nil
	})
	if err != nil || fmt.Sprint(got) != "[1 2]" {
		t.Fatal(got, err)
	}
	if last := (*requests)[len(*requests)-1].path; last != "/tasks/tsk_1/stream?after=1" {
		t.Fatal(last)
	}
}

func TestToolsAreAnsweredAndErrorsAreResults(t *testing.T) {
	task := `{"turns":[{"id":"trn_1","finishedAt":null}],"lastSeq":3,"needs":[{"kind":"tool","turnId":"trn_1","callId":"call_1","tool":"read","input":{"path":"a"}}]}`
	done := `{"seq":9,"kind":"status","status":"finished","turnId":"trn_1"}`
	ended := `{"turns":[{"id":"trn_1","finishedAt":"now"}],"lastSeq":9,"needs":[]}`
	client, requests := fake(t, reply(200, task), reply(200, `{}`), reply(200, task), frames(false, done), reply(200, ended))
	turn, err := client.RunClientTools(context.Background(), "tsk_1", "", func(_ context.Context, call ToolCall) (ToolOutcome, error) {
		return ToolOutcome{}, errors.New("no " + call.Tool)
	})
	if err != nil || *turn.FinishedAt != "now" {
		t.Fatal(turn, err)
	}
	if sent := string((*requests)[1].body); sent != `{"results":[{"callId":"call_1","ok":false,"output":"no read"}]}` {
		t.Fatal(sent)
	}
}

func TestACancelledContextEndsACallAtOnce(t *testing.T) {
	released := make(chan struct{})
	client, _ := fake(t, func(http.ResponseWriter, *http.Request) { <-released })
	defer close(released)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := client.Me.Get(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
}

func TestPathsCannotLeadElsewhere(t *testing.T) {
	client, requests := fake(t)
	if _, err := client.Tasks.Get(context.Background(), "..", nil); err == nil || len(*requests) != 0 {
		t.Fatal(err)
	}
}

func TestOnlySignedAndRecentWebhooksAreAccepted(t *testing.T) {
	key, body := []byte("0123456789abcdef01234567"), []byte(`{"type":"ping","data":{}}`)
	secret := "whsec_" + base64.StdEncoding.EncodeToString(key)
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "evt_1.1000.%s", body)
	header := http.Header{}
	header.Set("webhook-id", "evt_1")
	header.Set("webhook-timestamp", "1000")
	header.Set("webhook-signature", "v1,AAAA v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	event, err := verifyWebhook(secret, header, body, time.Unix(1010, 0))
	if err != nil || event.ID != "evt_1" || event.Type != "ping" {
		t.Fatal(event, err)
	}
	if _, err := verifyWebhook(secret, header, append(body, ' '), time.Unix(1010, 0)); err == nil {
		t.Fatal("a changed body was accepted")
	}
	if _, err := verifyWebhook(secret, header, body, time.Unix(2000, 0)); err == nil {
		t.Fatal("an old call was accepted")
	}
}
