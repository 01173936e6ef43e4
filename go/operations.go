// Code generated from openapi.json by `npm run print`. DO NOT EDIT.

package cowrie

import (
	"context"
	"encoding/json"
)

// Version is that of the service which this client was printed from.
const Version = "0.4.0"

// API has a method for every operation that an API key can call.
type API struct {
	Transparency   TransparencyAPI
	Me             MeAPI
	Keys           KeysAPI
	Teams          TeamsAPI
	Kyc            KycAPI
	Hooks          HooksAPI
	Wallet         WalletAPI
	Usage          UsageAPI
	Invoices       InvoicesAPI
	CreditNotes    CreditNotesAPI
	Billing        BillingAPI
	Plans          PlansAPI
	Subscription   SubscriptionAPI
	PaymentMethods PaymentMethodsAPI
	Review         ReviewAPI
	Index          IndexAPI
	Agent          AgentAPI
	Chat           ChatAPI
	Projects       ProjectsAPI
	Attachments    AttachmentsAPI
	Vcs            VcsAPI
	Tasks          TasksAPI
	Research       ResearchAPI
	Metrics        MetricsAPI
}

func (c *Client) bind() {
	c.Transparency.c = c
	c.Me.c = c
	c.Keys.c = c
	c.Teams.c = c
	c.Kyc.c = c
	c.Hooks.c = c
	c.Wallet.c = c
	c.Wallet.AutomaticTopup.c = c
	c.Usage.c = c
	c.Invoices.c = c
	c.CreditNotes.c = c
	c.Billing.c = c
	c.Billing.Details.c = c
	c.Plans.c = c
	c.Subscription.c = c
	c.PaymentMethods.c = c
	c.Review.c = c
	c.Review.CustomRules.c = c
	c.Review.Runs.c = c
	c.Review.Findings.c = c
	c.Index.c = c
	c.Agent.c = c
	c.Agent.Runs.c = c
	c.Chat.Threads.c = c
	c.Chat.Messages.c = c
	c.Projects.c = c
	c.Attachments.c = c
	c.Vcs.Installations.c = c
	c.Tasks.c = c
	c.Research.c = c
	c.Metrics.c = c
}

// TransparencyAPI has the operations of transparency.
type TransparencyAPI struct {
	c *Client
}

// MeAPI has the operations of me.
type MeAPI struct {
	c *Client
}

// KeysAPI has the operations of keys.
type KeysAPI struct {
	c *Client
}

// TeamsAPI has the operations of teams.
type TeamsAPI struct {
	c *Client
}

// KycAPI has the operations of kyc.
type KycAPI struct {
	c *Client
}

// HooksAPI has the operations of hooks.
type HooksAPI struct {
	c *Client
}

// WalletAutomaticTopupAPI has the operations of wallet.automaticTopup.
type WalletAutomaticTopupAPI struct {
	c *Client
}

// WalletAPI has the operations of wallet.
type WalletAPI struct {
	c              *Client
	AutomaticTopup WalletAutomaticTopupAPI
}

// UsageAPI has the operations of usage.
type UsageAPI struct {
	c *Client
}

// InvoicesAPI has the operations of invoices.
type InvoicesAPI struct {
	c *Client
}

// CreditNotesAPI has the operations of creditNotes.
type CreditNotesAPI struct {
	c *Client
}

// BillingDetailsAPI has the operations of billing.details.
type BillingDetailsAPI struct {
	c *Client
}

// BillingAPI has the operations of billing.
type BillingAPI struct {
	c       *Client
	Details BillingDetailsAPI
}

// PlansAPI has the operations of plans.
type PlansAPI struct {
	c *Client
}

// SubscriptionAPI has the operations of subscription.
type SubscriptionAPI struct {
	c *Client
}

// PaymentMethodsAPI has the operations of paymentMethods.
type PaymentMethodsAPI struct {
	c *Client
}

// ReviewCustomRulesAPI has the operations of review.customRules.
type ReviewCustomRulesAPI struct {
	c *Client
}

// ReviewRunsAPI has the operations of review.runs.
type ReviewRunsAPI struct {
	c *Client
}

// ReviewFindingsAPI has the operations of review.findings.
type ReviewFindingsAPI struct {
	c *Client
}

// ReviewAPI has the operations of review.
type ReviewAPI struct {
	c           *Client
	CustomRules ReviewCustomRulesAPI
	Runs        ReviewRunsAPI
	Findings    ReviewFindingsAPI
}

// IndexAPI has the operations of index.
type IndexAPI struct {
	c *Client
}

// AgentRunsAPI has the operations of agent.runs.
type AgentRunsAPI struct {
	c *Client
}

// AgentAPI has the operations of agent.
type AgentAPI struct {
	c    *Client
	Runs AgentRunsAPI
}

// ChatThreadsAPI has the operations of chat.threads.
type ChatThreadsAPI struct {
	c *Client
}

// ChatMessagesAPI has the operations of chat.messages.
type ChatMessagesAPI struct {
	c *Client
}

// ChatAPI has the operations of chat.
type ChatAPI struct {
	Threads  ChatThreadsAPI
	Messages ChatMessagesAPI
}

// ProjectsAPI has the operations of projects.
type ProjectsAPI struct {
	c *Client
}

// AttachmentsAPI has the operations of attachments.
type AttachmentsAPI struct {
	c *Client
}

// VcsInstallationsAPI has the operations of vcs.installations.
type VcsInstallationsAPI struct {
	c *Client
}

// VcsAPI has the operations of vcs.
type VcsAPI struct {
	Installations VcsInstallationsAPI
}

// TasksAPI has the operations of tasks.
type TasksAPI struct {
	c *Client
}

// ResearchAPI has the operations of research.
type ResearchAPI struct {
	c *Client
}

// MetricsAPI has the operations of metrics.
type MetricsAPI struct {
	c *Client
}

// Wallet: Prove that the head of your wallet is in the transparency log. GET /wallet/proof/transparency
func (a TransparencyAPI) Wallet(ctx context.Context, options ...Option) (*TransparencyWalletReply, error) {
	return fetchJSON[TransparencyWalletReply](ctx, a.c, call{name: "transparency.wallet", method: "GET", path: fixed("/wallet/proof/transparency")}, options)
}

// Get: Show your user, organisation, permissions and balance. GET /me
func (a MeAPI) Get(ctx context.Context, options ...Option) (*Me, error) {
	return fetchJSON[Me](ctx, a.c, call{name: "me.get", method: "GET", path: fixed("/me")}, options)
}

// Orgs: List the organisations you belong to. GET /me/orgs
func (a MeAPI) Orgs(ctx context.Context, options ...Option) (*MeOrgsReply, error) {
	return fetchJSON[MeOrgsReply](ctx, a.c, call{name: "me.orgs", method: "GET", path: fixed("/me/orgs")}, options)
}

// Flags: Get the features of your organisation and the source of each value. GET /me/flags
func (a MeAPI) Flags(ctx context.Context, options ...Option) (*MeFlagsReply, error) {
	return fetchJSON[MeFlagsReply](ctx, a.c, call{name: "me.flags", method: "GET", path: fixed("/me/flags")}, options)
}

// Usage: Read your usage in the organisation. GET /me/usage
func (a MeAPI) Usage(ctx context.Context, query *MeUsageQuery, options ...Option) (*MeUsageReply, error) {
	return fetchJSON[MeUsageReply](ctx, a.c, call{name: "me.usage", method: "GET", path: fixed("/me/usage"), query: query}, options)
}

// List: List your API keys in this organisation, newest first. GET /auth/keys
func (a KeysAPI) List(ctx context.Context, query *KeysListQuery, options ...Option) (*KeysListReply, error) {
	return fetchJSON[KeysListReply](ctx, a.c, call{name: "keys.list", method: "GET", path: fixed("/auth/keys"), query: query}, options)
}

// Create: Create an API key for this organisation. POST /auth/keys
func (a KeysAPI) Create(ctx context.Context, body KeysCreateBody, options ...Option) (*KeysCreateReply, error) {
	return fetchJSON[KeysCreateReply](ctx, a.c, call{name: "keys.create", method: "POST", path: fixed("/auth/keys"), body: body}, options)
}

// Change: Change the name and the limits of an API key. PATCH /auth/keys/{id}
func (a KeysAPI) Change(ctx context.Context, id string, body *KeysChangeBody, options ...Option) (*APIKey, error) {
	return fetchJSON[APIKey](ctx, a.c, call{name: "keys.change", method: "PATCH", path: filled("/auth/keys/{id}", id), body: body}, options)
}

// Revoke: Revoke an API key immediately. DELETE /auth/keys/{id}
func (a KeysAPI) Revoke(ctx context.Context, id string, options ...Option) (*Ok, error) {
	return fetchJSON[Ok](ctx, a.c, call{name: "keys.revoke", method: "DELETE", path: filled("/auth/keys/{id}", id)}, options)
}

// Create: Create a team. You become its owner. POST /teams
func (a TeamsAPI) Create(ctx context.Context, body TeamsCreateBody, options ...Option) (*Team, error) {
	return fetchJSON[Team](ctx, a.c, call{name: "teams.create", method: "POST", path: fixed("/teams"), body: body}, options)
}

// Get: Get the verification status of your organisation. GET /kyc
func (a KycAPI) Get(ctx context.Context, options ...Option) (*KycGetReply, error) {
	return fetchJSON[KycGetReply](ctx, a.c, call{name: "kyc.get", method: "GET", path: fixed("/kyc")}, options)
}

// EventTypes: List the webhook event types, with an example of each. GET /webhook-event-types
func (a HooksAPI) EventTypes(ctx context.Context, options ...Option) (*HooksEventTypesReply, error) {
	return fetchJSON[HooksEventTypesReply](ctx, a.c, call{name: "hooks.eventTypes", method: "GET", path: fixed("/webhook-event-types")}, options)
}

// Get: Show the automatic top-up of your organisation. GET /wallet/automatic-topup
func (a WalletAutomaticTopupAPI) Get(ctx context.Context, options ...Option) (*AutomaticTopupState, error) {
	return fetchJSON[AutomaticTopupState](ctx, a.c, call{name: "wallet.automaticTopup.get", method: "GET", path: fixed("/wallet/automatic-topup")}, options)
}

// Get: Show the balance of your wallet and the part that is available. GET /wallet
func (a WalletAPI) Get(ctx context.Context, options ...Option) (*Wallet, error) {
	return fetchJSON[Wallet](ctx, a.c, call{name: "wallet.get", method: "GET", path: fixed("/wallet")}, options)
}

// Ledger: List the credits and debits of your wallet, newest first. GET /wallet/ledger
func (a WalletAPI) Ledger(ctx context.Context, query *WalletLedgerQuery, options ...Option) (*WalletLedgerReply, error) {
	return fetchJSON[WalletLedgerReply](ctx, a.c, call{name: "wallet.ledger", method: "GET", path: fixed("/wallet/ledger"), query: query}, options)
}

// Proof: Prove that your balance is the sum of its postings and that none was changed. GET /wallet/proof
func (a WalletAPI) Proof(ctx context.Context, query *WalletProofQuery, options ...Option) (*WalletProofReply, error) {
	return fetchJSON[WalletProofReply](ctx, a.c, call{name: "wallet.proof", method: "GET", path: fixed("/wallet/proof"), query: query}, options)
}

// Movements: List the postings of your wallet with every hashed field, oldest first. GET /wallet/proof/movements
func (a WalletAPI) Movements(ctx context.Context, query *WalletMovementsQuery, options ...Option) (*WalletMovementsReply, error) {
	return fetchJSON[WalletMovementsReply](ctx, a.c, call{name: "wallet.movements", method: "GET", path: fixed("/wallet/proof/movements"), query: query}, options)
}

// Explain: Explain a ledger entry. GET /wallet/ledger/{id}
func (a WalletAPI) Explain(ctx context.Context, id string, options ...Option) (*WalletExplainReply, error) {
	return fetchJSON[WalletExplainReply](ctx, a.c, call{name: "wallet.explain", method: "GET", path: filled("/wallet/ledger/{id}", id)}, options)
}

// Channels: List the payment channels for your currency, with their limits. GET /wallet/channels
func (a WalletAPI) Channels(ctx context.Context, options ...Option) (*WalletChannelsReply, error) {
	return fetchJSON[WalletChannelsReply](ctx, a.c, call{name: "wallet.channels", method: "GET", path: fixed("/wallet/channels")}, options)
}

// Topup: Start a top-up. The reply says what the payer has to do. POST /wallet/topup
func (a WalletAPI) Topup(ctx context.Context, body TopupRequest, options ...Option) (*TopupResult, error) {
	return fetchJSON[TopupResult](ctx, a.c, call{name: "wallet.topup", method: "POST", path: fixed("/wallet/topup"), body: body, idempotent: true}, options)
}

// Verify: Verify a top-up with its provider, and credit it if it was paid. POST /wallet/verify
func (a WalletAPI) Verify(ctx context.Context, body WalletVerifyBody, options ...Option) (*WalletVerifyReply, error) {
	return fetchJSON[WalletVerifyReply](ctx, a.c, call{name: "wallet.verify", method: "POST", path: fixed("/wallet/verify"), body: body}, options)
}

// Topups: List your top-ups, newest first. GET /wallet/topups
func (a WalletAPI) Topups(ctx context.Context, query *WalletTopupsQuery, options ...Option) (*WalletTopupsReply, error) {
	return fetchJSON[WalletTopupsReply](ctx, a.c, call{name: "wallet.topups", method: "GET", path: fixed("/wallet/topups"), query: query}, options)
}

// TopupOtp: Submit the code that the network sent to the payer, when a top-up has otpRequired. POST /wallet/topups/{reference}/otp
func (a WalletAPI) TopupOtp(ctx context.Context, reference string, body WalletTopupOtpBody, options ...Option) (*TopupResult, error) {
	return fetchJSON[TopupResult](ctx, a.c, call{name: "wallet.topupOtp", method: "POST", path: filled("/wallet/topups/{reference}/otp", reference), body: body}, options)
}

// Paybill: Show the paybill and your account number, for payments by hand in M-Pesa. GET /wallet/paybill
func (a WalletAPI) Paybill(ctx context.Context, options ...Option) (*Paybill, error) {
	return fetchJSON[Paybill](ctx, a.c, call{name: "wallet.paybill", method: "GET", path: fixed("/wallet/paybill")}, options)
}

// Requests: List model calls with cost, tokens and timing, newest first. GET /usage/requests
func (a UsageAPI) Requests(ctx context.Context, query *UsageRequestsQuery, options ...Option) (*UsageRequestsReply, error) {
	return fetchJSON[UsageRequestsReply](ctx, a.c, call{name: "usage.requests", method: "GET", path: fixed("/usage/requests"), query: query}, options)
}

// RequestSummary: Show calls, errors, cost, tokens and latency by hour or day. GET /usage/requests/summary
func (a UsageAPI) RequestSummary(ctx context.Context, query *UsageRequestSummaryQuery, options ...Option) (*RequestSummary, error) {
	return fetchJSON[RequestSummary](ctx, a.c, call{name: "usage.requestSummary", method: "GET", path: fixed("/usage/requests/summary"), query: query}, options)
}

// List: List the invoices of your organisation, newest first. GET /invoices
func (a InvoicesAPI) List(ctx context.Context, query *InvoicesListQuery, options ...Option) (*InvoicesListReply, error) {
	return fetchJSON[InvoicesListReply](ctx, a.c, call{name: "invoices.list", method: "GET", path: fixed("/invoices"), query: query}, options)
}

// Get: Show an invoice with its credit notes. GET /invoices/{id}
func (a InvoicesAPI) Get(ctx context.Context, id string, options ...Option) (*Invoice, error) {
	return fetchJSON[Invoice](ctx, a.c, call{name: "invoices.get", method: "GET", path: filled("/invoices/{id}", id)}, options)
}

// Receipt: Show an invoice as a printable page or a PDF file. GET /invoices/{id}/receipt
func (a InvoicesAPI) Receipt(ctx context.Context, id string, query *InvoicesReceiptQuery, options ...Option) (string, error) {
	return fetchText(ctx, a.c, call{name: "invoices.receipt", method: "GET", path: filled("/invoices/{id}/receipt", id), query: query}, options)
}

// Receipt: Show a credit note as a printable page or a PDF file. GET /credit-notes/{id}/receipt
func (a CreditNotesAPI) Receipt(ctx context.Context, id string, query *CreditNotesReceiptQuery, options ...Option) (string, error) {
	return fetchText(ctx, a.c, call{name: "creditNotes.receipt", method: "GET", path: filled("/credit-notes/{id}/receipt", id), query: query}, options)
}

// Get: Show the buyer details on your invoices. GET /billing/details
func (a BillingDetailsAPI) Get(ctx context.Context, options ...Option) (*BillingDetails, error) {
	return fetchJSON[BillingDetails](ctx, a.c, call{name: "billing.details.get", method: "GET", path: fixed("/billing/details")}, options)
}

// Summary: Show your wallet, plan, allowance and seats. GET /billing/summary
func (a BillingAPI) Summary(ctx context.Context, options ...Option) (*BillingSummary, error) {
	return fetchJSON[BillingSummary](ctx, a.c, call{name: "billing.summary", method: "GET", path: fixed("/billing/summary")}, options)
}

// List: List the plans in the currency of your organisation. GET /plans
func (a PlansAPI) List(ctx context.Context, options ...Option) (*PlansListReply, error) {
	return fetchJSON[PlansListReply](ctx, a.c, call{name: "plans.list", method: "GET", path: fixed("/plans")}, options)
}

// Get: Show your subscription, its plan and the remaining included usage. GET /subscription
func (a SubscriptionAPI) Get(ctx context.Context, options ...Option) (*SubscriptionGetReply, error) {
	return fetchJSON[SubscriptionGetReply](ctx, a.c, call{name: "subscription.get", method: "GET", path: fixed("/subscription")}, options)
}

// List: List the stored cards of your organisation, the default card first. GET /payment-methods
func (a PaymentMethodsAPI) List(ctx context.Context, options ...Option) (*PaymentMethodsListReply, error) {
	return fetchJSON[PaymentMethodsListReply](ctx, a.c, call{name: "paymentMethods.list", method: "GET", path: fixed("/payment-methods")}, options)
}

// List: List the analysis rules of your organisation. GET /review/custom-rules
func (a ReviewCustomRulesAPI) List(ctx context.Context, options ...Option) (*CustomRuleList, error) {
	return fetchJSON[CustomRuleList](ctx, a.c, call{name: "review.customRules.list", method: "GET", path: fixed("/review/custom-rules")}, options)
}

// Test: Try a rule on files. Free; nothing is stored. POST /review/custom-rules/test
func (a ReviewCustomRulesAPI) Test(ctx context.Context, body ReviewCustomRulesTestBody, options ...Option) (*RuleTestReport, error) {
	return fetchJSON[RuleTestReport](ctx, a.c, call{name: "review.customRules.test", method: "POST", path: fixed("/review/custom-rules/test"), body: body}, options)
}

// List: List pull request reviews, newest first. GET /review/runs
func (a ReviewRunsAPI) List(ctx context.Context, query *ReviewRunsListQuery, options ...Option) (*ReviewRunsListReply, error) {
	return fetchJSON[ReviewRunsListReply](ctx, a.c, call{name: "review.runs.list", method: "GET", path: fixed("/review/runs"), query: query}, options)
}

// List: List the findings of pull request reviews, newest first. GET /review/findings
func (a ReviewFindingsAPI) List(ctx context.Context, query *ReviewFindingsListQuery, options ...Option) (*ReviewFindingsListReply, error) {
	return fetchJSON[ReviewFindingsListReply](ctx, a.c, call{name: "review.findings.list", method: "GET", path: fixed("/review/findings"), query: query}, options)
}

// Read: Show one finding with its verdict and its tested fix. GET /review/findings/{id}
func (a ReviewFindingsAPI) Read(ctx context.Context, id string, options ...Option) (*ReviewFinding, error) {
	return fetchJSON[ReviewFinding](ctx, a.c, call{name: "review.findings.read", method: "GET", path: filled("/review/findings/{id}", id)}, options)
}

// Rules: List the analysis rules with their meaning and fix. GET /review/rules
func (a ReviewAPI) Rules(ctx context.Context, options ...Option) (*RuleList, error) {
	return fetchJSON[RuleList](ctx, a.c, call{name: "review.rules", method: "GET", path: fixed("/review/rules")}, options)
}

// Scan: Scan files or a diff with the analysis rules. Free; nothing is stored. POST /review/scan
func (a ReviewAPI) Scan(ctx context.Context, body *ReviewScanBody, options ...Option) (*ScanReport, error) {
	return fetchJSON[ScanReport](ctx, a.c, call{name: "review.scan", method: "POST", path: fixed("/review/scan"), body: body}, options)
}

// Precision: Show the false positive rate of findings, based on their verdicts. GET /review/precision
func (a ReviewAPI) Precision(ctx context.Context, query *ReviewPrecisionQuery, options ...Option) (*ReviewPrecision, error) {
	return fetchJSON[ReviewPrecision](ctx, a.c, call{name: "review.precision", method: "GET", path: fixed("/review/precision"), query: query}, options)
}

// Get: Show which code is indexed. GET /repo/index
func (a IndexAPI) Get(ctx context.Context, query *IndexGetQuery, options ...Option) (*IndexState, error) {
	return fetchJSON[IndexState](ctx, a.c, call{name: "index.get", method: "GET", path: fixed("/repo/index"), query: query}, options)
}

// Add: Index files for the agent, chat and search. POST /repo/index
func (a IndexAPI) Add(ctx context.Context, body IndexAddBody, options ...Option) (*IndexReply, error) {
	return fetchJSON[IndexReply](ctx, a.c, call{name: "index.add", method: "POST", path: fixed("/repo/index"), body: body, idempotent: true}, options)
}

// Clear: Remove a path of a repository from the index, or the whole repository. DELETE /repo/index
func (a IndexAPI) Clear(ctx context.Context, query *IndexClearQuery, options ...Option) (*IndexClearReply, error) {
	return fetchJSON[IndexClearReply](ctx, a.c, call{name: "index.clear", method: "DELETE", path: fixed("/repo/index"), query: query}, options)
}

// Search: Search your indexed code. POST /repo/search
func (a IndexAPI) Search(ctx context.Context, body IndexSearchBody, options ...Option) (*SearchReply, error) {
	return fetchJSON[SearchReply](ctx, a.c, call{name: "index.search", method: "POST", path: fixed("/repo/search"), body: body, idempotent: true}, options)
}

// List: List the runs and loops of your organisation, newest first. GET /agent/runs
func (a AgentRunsAPI) List(ctx context.Context, query *AgentRunsListQuery, options ...Option) (*AgentRunsListReply, error) {
	return fetchJSON[AgentRunsListReply](ctx, a.c, call{name: "agent.runs.list", method: "GET", path: fixed("/agent/runs"), query: query}, options)
}

// Get: Get a run or loop with its whole result. GET /agent/runs/{id}
func (a AgentRunsAPI) Get(ctx context.Context, id string, options ...Option) (*AgentRun, error) {
	return fetchJSON[AgentRun](ctx, a.c, call{name: "agent.runs.get", method: "GET", path: filled("/agent/runs/{id}", id)}, options)
}

// Stop: Stop a run or loop. POST /agent/runs/{id}/stop
func (a AgentRunsAPI) Stop(ctx context.Context, id string, body *map[string]json.RawMessage, options ...Option) (*AgentRun, error) {
	return fetchJSON[AgentRun](ctx, a.c, call{name: "agent.runs.stop", method: "POST", path: filled("/agent/runs/{id}/stop", id), body: body}, options)
}

// Quote: Quote the cost of a run before it starts. POST /agent/quote
func (a AgentAPI) Quote(ctx context.Context, body AgentQuoteBody, options ...Option) (*AgentQuote, error) {
	return fetchJSON[AgentQuote](ctx, a.c, call{name: "agent.quote", method: "POST", path: fixed("/agent/quote"), body: body}, options)
}

// Run: Return a plan and structured file edits for a prompt. POST /agent/run
func (a AgentAPI) Run(ctx context.Context, body AgentRunRequest, options ...Option) (*AgentRunResult, error) {
	return fetchJSON[AgentRunResult](ctx, a.c, call{name: "agent.run", method: "POST", path: fixed("/agent/run"), body: body, idempotent: true}, options)
}

// RunStream: Return a plan and structured file edits for a prompt. POST /agent/run
func (a AgentAPI) RunStream(ctx context.Context, body AgentRunRequest, options ...Option) *Stream[AgentRunStreamFrame] {
	return openStream[AgentRunStreamFrame](ctx, a.c, call{name: "agent.runStream", method: "POST", path: fixed("/agent/run"), body: body, idempotent: true}, options)
}

// RunLoop: Plan, edit, verify and retry until the tests pass, as a stream. POST /agent/run-loop
func (a AgentAPI) RunLoop(ctx context.Context, body AgentRunLoopBody, options ...Option) *Stream[AgentRunLoopFrame] {
	return openStream[AgentRunLoopFrame](ctx, a.c, call{name: "agent.runLoop", method: "POST", path: fixed("/agent/run-loop"), body: body, idempotent: true}, options)
}

// List: List your conversations, most recently used first. GET /chat/threads
func (a ChatThreadsAPI) List(ctx context.Context, query *ChatThreadsListQuery, options ...Option) (*ChatThreadsListReply, error) {
	return fetchJSON[ChatThreadsListReply](ctx, a.c, call{name: "chat.threads.list", method: "GET", path: fixed("/chat/threads"), query: query}, options)
}

// Create: Start a conversation. POST /chat/threads
func (a ChatThreadsAPI) Create(ctx context.Context, body *ChatThreadsCreateBody, options ...Option) (*Thread, error) {
	return fetchJSON[Thread](ctx, a.c, call{name: "chat.threads.create", method: "POST", path: fixed("/chat/threads"), body: body}, options)
}

// Read: Read a conversation with its newest messages. GET /chat/threads/{id}
func (a ChatThreadsAPI) Read(ctx context.Context, id string, query *ChatThreadsReadQuery, options ...Option) (*ThreadDetail, error) {
	return fetchJSON[ThreadDetail](ctx, a.c, call{name: "chat.threads.read", method: "GET", path: filled("/chat/threads/{id}", id), query: query}, options)
}

// Change: Rename, archive or unarchive a conversation, or change its mode. PATCH /chat/threads/{id}
func (a ChatThreadsAPI) Change(ctx context.Context, id string, body *ChatThreadsChangeBody, options ...Option) (*Thread, error) {
	return fetchJSON[Thread](ctx, a.c, call{name: "chat.threads.change", method: "PATCH", path: filled("/chat/threads/{id}", id), body: body}, options)
}

// Delete: Delete a conversation and all its messages. DELETE /chat/threads/{id}
func (a ChatThreadsAPI) Delete(ctx context.Context, id string, options ...Option) (*Ok, error) {
	return fetchJSON[Ok](ctx, a.c, call{name: "chat.threads.delete", method: "DELETE", path: filled("/chat/threads/{id}", id)}, options)
}

// Send: Send a message and stream the answer. POST /chat/threads/{id}/messages
func (a ChatMessagesAPI) Send(ctx context.Context, id string, body ChatMessagesSendBody, options ...Option) *Stream[ChatMessagesSendFrame] {
	return openStream[ChatMessagesSendFrame](ctx, a.c, call{name: "chat.messages.send", method: "POST", path: filled("/chat/threads/{id}/messages", id), body: body, idempotent: true}, options)
}

// Quote: Quote the maximum cost of a message before sending it. POST /chat/threads/{id}/quote
func (a ChatMessagesAPI) Quote(ctx context.Context, id string, body ChatMessagesQuoteBody, options ...Option) (*ChatMessagesQuoteReply, error) {
	return fetchJSON[ChatMessagesQuoteReply](ctx, a.c, call{name: "chat.messages.quote", method: "POST", path: filled("/chat/threads/{id}/quote", id), body: body}, options)
}

// Stop: Stop the running answer. POST /chat/threads/{id}/stop
func (a ChatMessagesAPI) Stop(ctx context.Context, id string, body *map[string]json.RawMessage, options ...Option) (*ChatMessagesStopReply, error) {
	return fetchJSON[ChatMessagesStopReply](ctx, a.c, call{name: "chat.messages.stop", method: "POST", path: filled("/chat/threads/{id}/stop", id), body: body}, options)
}

// List: List the projects that you can see, newest first. GET /projects
func (a ProjectsAPI) List(ctx context.Context, query *ProjectsListQuery, options ...Option) (*ProjectsListReply, error) {
	return fetchJSON[ProjectsListReply](ctx, a.c, call{name: "projects.list", method: "GET", path: fixed("/projects"), query: query}, options)
}

// Create: Create a project. POST /projects
func (a ProjectsAPI) Create(ctx context.Context, body ProjectsCreateBody, options ...Option) (*Project, error) {
	return fetchJSON[Project](ctx, a.c, call{name: "projects.create", method: "POST", path: fixed("/projects"), body: body}, options)
}

// Read: Show a project with its members and newest files. GET /projects/{id}
func (a ProjectsAPI) Read(ctx context.Context, id string, options ...Option) (*ProjectDetail, error) {
	return fetchJSON[ProjectDetail](ctx, a.c, call{name: "projects.read", method: "GET", path: filled("/projects/{id}", id)}, options)
}

// Rename: Rename a project. PATCH /projects/{id}
func (a ProjectsAPI) Rename(ctx context.Context, id string, body ProjectsRenameBody, options ...Option) (*Project, error) {
	return fetchJSON[Project](ctx, a.c, call{name: "projects.rename", method: "PATCH", path: filled("/projects/{id}", id), body: body}, options)
}

// List: List the files that you can see, newest first. GET /attachments
func (a AttachmentsAPI) List(ctx context.Context, query *AttachmentsListQuery, options ...Option) (*AttachmentsListReply, error) {
	return fetchJSON[AttachmentsListReply](ctx, a.c, call{name: "attachments.list", method: "GET", path: fixed("/attachments"), query: query}, options)
}

// Download: Download a file. GET /attachments/{id}
func (a AttachmentsAPI) Download(ctx context.Context, id string, options ...Option) ([]byte, error) {
	return fetchBytes(ctx, a.c, call{name: "attachments.download", method: "GET", path: filled("/attachments/{id}", id)}, options)
}

// Delete: Delete a file permanently. DELETE /attachments/{id}
func (a AttachmentsAPI) Delete(ctx context.Context, id string, options ...Option) (*Ok, error) {
	return fetchJSON[Ok](ctx, a.c, call{name: "attachments.delete", method: "DELETE", path: filled("/attachments/{id}", id)}, options)
}

// List: List the installations and connections of your organisation, oldest first. GET /vcs/installations
func (a VcsInstallationsAPI) List(ctx context.Context, options ...Option) (*VcsInstallationsListReply, error) {
	return fetchJSON[VcsInstallationsListReply](ctx, a.c, call{name: "vcs.installations.list", method: "GET", path: fixed("/vcs/installations")}, options)
}

// Permissions: Show the required and granted GitHub permissions, and the effect of missing ones. GET /vcs/installations/{id}/permissions
func (a VcsInstallationsAPI) Permissions(ctx context.Context, id string, options ...Option) (*VcsInstallationsPermissionsReply, error) {
	return fetchJSON[VcsInstallationsPermissionsReply](ctx, a.c, call{name: "vcs.installations.permissions", method: "GET", path: filled("/vcs/installations/{id}/permissions", id)}, options)
}

// Repositories: List the repositories of an installation that a task can start from. GET /vcs/installations/{id}/repositories
func (a VcsInstallationsAPI) Repositories(ctx context.Context, id string, options ...Option) (*VcsInstallationsRepositoriesReply, error) {
	return fetchJSON[VcsInstallationsRepositoriesReply](ctx, a.c, call{name: "vcs.installations.repositories", method: "GET", path: filled("/vcs/installations/{id}/repositories", id)}, options)
}

// Branches: List the branches of a repository. GET /vcs/installations/{id}/branches
func (a VcsInstallationsAPI) Branches(ctx context.Context, id string, query *VcsInstallationsBranchesQuery, options ...Option) (*VcsInstallationsBranchesReply, error) {
	return fetchJSON[VcsInstallationsBranchesReply](ctx, a.c, call{name: "vcs.installations.branches", method: "GET", path: filled("/vcs/installations/{id}/branches", id), query: query}, options)
}

// Create: Create a task: a conversation with the agent about a workspace. POST /tasks
func (a TasksAPI) Create(ctx context.Context, body NewTask, options ...Option) (*Task, error) {
	return fetchJSON[Task](ctx, a.c, call{name: "tasks.create", method: "POST", path: fixed("/tasks"), body: body, idempotent: true}, options)
}

// List: List your tasks, last used first. GET /tasks
func (a TasksAPI) List(ctx context.Context, query *TasksListQuery, options ...Option) (*TasksListReply, error) {
	return fetchJSON[TasksListReply](ctx, a.c, call{name: "tasks.list", method: "GET", path: fixed("/tasks"), query: query}, options)
}

// Get: Show a task with its turns, and what an open turn waits for. GET /tasks/{id}
func (a TasksAPI) Get(ctx context.Context, id string, query *TasksGetQuery, options ...Option) (*Task, error) {
	return fetchJSON[Task](ctx, a.c, call{name: "tasks.get", method: "GET", path: filled("/tasks/{id}", id), query: query}, options)
}

// Patch: Change the title, model, budget or instructions of a task, or archive it. PATCH /tasks/{id}
func (a TasksAPI) Patch(ctx context.Context, id string, body *TaskPatch, options ...Option) (*Task, error) {
	return fetchJSON[Task](ctx, a.c, call{name: "tasks.patch", method: "PATCH", path: filled("/tasks/{id}", id), body: body}, options)
}

// Delete: Delete a task with its transcript and files. DELETE /tasks/{id}
func (a TasksAPI) Delete(ctx context.Context, id string, options ...Option) (*Ok, error) {
	return fetchJSON[Ok](ctx, a.c, call{name: "tasks.delete", method: "DELETE", path: filled("/tasks/{id}", id)}, options)
}

// QuoteNew: Quote the first turn of a task before the task exists. POST /tasks/quote
func (a TasksAPI) QuoteNew(ctx context.Context, body *TasksQuoteNewBody, options ...Option) (*TaskTurnQuote, error) {
	return fetchJSON[TaskTurnQuote](ctx, a.c, call{name: "tasks.quoteNew", method: "POST", path: fixed("/tasks/quote"), body: body}, options)
}

// Quote: Quote the cost of a turn before it starts. POST /tasks/{id}/quote
func (a TasksAPI) Quote(ctx context.Context, id string, body *TasksQuoteBody, options ...Option) (*TaskTurnQuote, error) {
	return fetchJSON[TaskTurnQuote](ctx, a.c, call{name: "tasks.quote", method: "POST", path: filled("/tasks/{id}/quote", id), body: body}, options)
}

// Turn: Start a turn: the agent works on a request. POST /tasks/{id}/turns
func (a TasksAPI) Turn(ctx context.Context, id string, body NewTaskTurn, options ...Option) (*StartedTaskTurn, error) {
	return fetchJSON[StartedTaskTurn](ctx, a.c, call{name: "tasks.turn", method: "POST", path: filled("/tasks/{id}/turns", id), body: body, idempotent: true}, options)
}

// Stream: Follow a task: past events first, then new ones. GET /tasks/{id}/stream
func (a TasksAPI) Stream(ctx context.Context, id string, query *TasksStreamQuery, options ...Option) *Stream[TaskEvent] {
	return openStream[TaskEvent](ctx, a.c, call{name: "tasks.stream", method: "GET", path: filled("/tasks/{id}/stream", id), query: query}, options)
}

// Stop: Stop the turn under way. POST /tasks/{id}/stop
func (a TasksAPI) Stop(ctx context.Context, id string, options ...Option) (*Task, error) {
	return fetchJSON[Task](ctx, a.c, call{name: "tasks.stop", method: "POST", path: filled("/tasks/{id}/stop", id)}, options)
}

// ToolResults: Send the results of tools that you ran for a client workspace. POST /tasks/{id}/tool-results
func (a TasksAPI) ToolResults(ctx context.Context, id string, body TaskToolResults, options ...Option) (*TasksToolResultsReply, error) {
	return fetchJSON[TasksToolResultsReply](ctx, a.c, call{name: "tasks.toolResults", method: "POST", path: filled("/tasks/{id}/tool-results", id), body: body}, options)
}

// ToolOutput: Show the whole result of a tool call. GET /tasks/{id}/tool-results/{callId}
func (a TasksAPI) ToolOutput(ctx context.Context, id string, callId string, options ...Option) (*TasksToolOutputReply, error) {
	return fetchJSON[TasksToolOutputReply](ctx, a.c, call{name: "tasks.toolOutput", method: "GET", path: filled("/tasks/{id}/tool-results/{callId}", id, callId)}, options)
}

// Approve: Allow or decline a call that needs an approval. POST /tasks/{id}/approvals
func (a TasksAPI) Approve(ctx context.Context, id string, body TasksApproveBody, options ...Option) (*Task, error) {
	return fetchJSON[Task](ctx, a.c, call{name: "tasks.approve", method: "POST", path: filled("/tasks/{id}/approvals", id), body: body}, options)
}

// Diff: Show what the task changed. GET /tasks/{id}/diff
func (a TasksAPI) Diff(ctx context.Context, id string, query *TasksDiffQuery, options ...Option) (*TaskDiff, error) {
	return fetchJSON[TaskDiff](ctx, a.c, call{name: "tasks.diff", method: "GET", path: filled("/tasks/{id}/diff", id), query: query}, options)
}

// Files: List a folder of the workspace as it is now. GET /tasks/{id}/files
func (a TasksAPI) Files(ctx context.Context, id string, query *TasksFilesQuery, options ...Option) (*TaskFiles, error) {
	return fetchJSON[TaskFiles](ctx, a.c, call{name: "tasks.files", method: "GET", path: filled("/tasks/{id}/files", id), query: query}, options)
}

// File: Read a file of the workspace as it is now. GET /tasks/{id}/files/{path}
func (a TasksAPI) File(ctx context.Context, id string, path string, options ...Option) (string, error) {
	return fetchText(ctx, a.c, call{name: "tasks.file", method: "GET", path: filled("/tasks/{id}/files/{path}", id, path)}, options)
}

// Revert: Restore the workspace as a turn or a change left it. POST /tasks/{id}/revert
func (a TasksAPI) Revert(ctx context.Context, id string, body *TasksRevertBody, options ...Option) (*TasksRevertReply, error) {
	return fetchJSON[TasksRevertReply](ctx, a.c, call{name: "tasks.revert", method: "POST", path: filled("/tasks/{id}/revert", id), body: body}, options)
}

// Reject: Reject changes of a task, by hunk or by file. POST /tasks/{id}/reject
func (a TasksAPI) Reject(ctx context.Context, id string, body TaskRejection, options ...Option) (*RejectedTaskChanges, error) {
	return fetchJSON[RejectedTaskChanges](ctx, a.c, call{name: "tasks.reject", method: "POST", path: filled("/tasks/{id}/reject", id), body: body, idempotent: true}, options)
}

// PullRequest: Open a pull request with the changes of the task, or update it. POST /tasks/{id}/pull-request
func (a TasksAPI) PullRequest(ctx context.Context, id string, body *TasksPullRequestBody, options ...Option) (*TasksPullRequestReply, error) {
	return fetchJSON[TasksPullRequestReply](ctx, a.c, call{name: "tasks.pullRequest", method: "POST", path: filled("/tasks/{id}/pull-request", id), body: body}, options)
}

// Config: Show whether research is available, and the limits and prices of each depth. GET /research/config
func (a ResearchAPI) Config(ctx context.Context, options ...Option) (*ResearchConfig, error) {
	return fetchJSON[ResearchConfig](ctx, a.c, call{name: "research.config", method: "GET", path: fixed("/research/config")}, options)
}

// Start: Start a research run that answers a question from the web with a cited report. POST /research
func (a ResearchAPI) Start(ctx context.Context, body ResearchStartBody, options ...Option) (*ResearchStarted, error) {
	return fetchJSON[ResearchStarted](ctx, a.c, call{name: "research.start", method: "POST", path: fixed("/research"), body: body, idempotent: true}, options)
}

// List: List the research runs that you can see, newest first. GET /research
func (a ResearchAPI) List(ctx context.Context, query *ResearchListQuery, options ...Option) (*ResearchListReply, error) {
	return fetchJSON[ResearchListReply](ctx, a.c, call{name: "research.list", method: "GET", path: fixed("/research"), query: query}, options)
}

// FollowUp: Ask a further question about a finished run. POST /research/{id}/follow-ups
func (a ResearchAPI) FollowUp(ctx context.Context, id string, body ResearchFollowUpBody, options ...Option) (*ResearchStarted, error) {
	return fetchJSON[ResearchStarted](ctx, a.c, call{name: "research.followUp", method: "POST", path: filled("/research/{id}/follow-ups", id), body: body, idempotent: true}, options)
}

// Answer: Answer the clarifying question of a run, which then continues. POST /research/{id}/answer
func (a ResearchAPI) Answer(ctx context.Context, id string, body ResearchAnswerBody, options ...Option) (*ResearchSummary, error) {
	return fetchJSON[ResearchSummary](ctx, a.c, call{name: "research.answer", method: "POST", path: filled("/research/{id}/answer", id), body: body, idempotent: true}, options)
}

// Plan: Approve the plan of a run, or replace it. The run then continues. POST /research/{id}/plan
func (a ResearchAPI) Plan(ctx context.Context, id string, body *ResearchPlanBody, options ...Option) (*ResearchSummary, error) {
	return fetchJSON[ResearchSummary](ctx, a.c, call{name: "research.plan", method: "POST", path: filled("/research/{id}/plan", id), body: body, idempotent: true}, options)
}

// Get: Show a run with its plan, sources, findings and report files. GET /research/{id}
func (a ResearchAPI) Get(ctx context.Context, id string, options ...Option) (*ResearchRun, error) {
	return fetchJSON[ResearchRun](ctx, a.c, call{name: "research.get", method: "GET", path: filled("/research/{id}", id)}, options)
}

// Delete: Delete a finished run with its sources and events. DELETE /research/{id}
func (a ResearchAPI) Delete(ctx context.Context, id string, options ...Option) (*Ok, error) {
	return fetchJSON[Ok](ctx, a.c, call{name: "research.delete", method: "DELETE", path: filled("/research/{id}", id)}, options)
}

// Source: Show the stored text of a source, to verify quotes. GET /research/{id}/sources/{n}
func (a ResearchAPI) Source(ctx context.Context, id string, n string, options ...Option) (*ResearchSourceText, error) {
	return fetchJSON[ResearchSourceText](ctx, a.c, call{name: "research.source", method: "GET", path: filled("/research/{id}/sources/{n}", id, n)}, options)
}

// Stream: Follow a run: past events first, then new ones until it is done. GET /research/{id}/stream
func (a ResearchAPI) Stream(ctx context.Context, id string, query *ResearchStreamQuery, options ...Option) *Stream[ResearchStreamFrame] {
	return openStream[ResearchStreamFrame](ctx, a.c, call{name: "research.stream", method: "GET", path: filled("/research/{id}/stream", id), query: query}, options)
}

// Cancel: Cancel a run. POST /research/{id}/cancel
func (a ResearchAPI) Cancel(ctx context.Context, id string, body *map[string]json.RawMessage, options ...Option) (*ResearchSummary, error) {
	return fetchJSON[ResearchSummary](ctx, a.c, call{name: "research.cancel", method: "POST", path: filled("/research/{id}/cancel", id), body: body}, options)
}

// Overview: Show balance, usage and subscriptions of your organisation, today and over the last 30 days. GET /metrics/overview
func (a MetricsAPI) Overview(ctx context.Context, query *MetricsOverviewQuery, options ...Option) (*MetricsOverviewReply, error) {
	return fetchJSON[MetricsOverviewReply](ctx, a.c, call{name: "metrics.overview", method: "GET", path: fixed("/metrics/overview"), query: query}, options)
}

// Usage: Show usage by day, lane, source, model and member. GET /metrics/usage
func (a MetricsAPI) Usage(ctx context.Context, query *MetricsUsageQuery, options ...Option) (*MetricsUsageReply, error) {
	return fetchJSON[MetricsUsageReply](ctx, a.c, call{name: "metrics.usage", method: "GET", path: fixed("/metrics/usage"), query: query}, options)
}

// Timeseries: Show usage and money over time. GET /metrics/timeseries
func (a MetricsAPI) Timeseries(ctx context.Context, query *MetricsTimeseriesQuery, options ...Option) (*MetricsTimeseriesReply, error) {
	return fetchJSON[MetricsTimeseriesReply](ctx, a.c, call{name: "metrics.timeseries", method: "GET", path: fixed("/metrics/timeseries"), query: query}, options)
}

// Kpis: Show revenue, cash, subscriptions, float and margin. GET /metrics/kpis
func (a MetricsAPI) Kpis(ctx context.Context, query *MetricsKpisQuery, options ...Option) (*MetricsKpisReply, error) {
	return fetchJSON[MetricsKpisReply](ctx, a.c, call{name: "metrics.kpis", method: "GET", path: fixed("/metrics/kpis"), query: query}, options)
}
