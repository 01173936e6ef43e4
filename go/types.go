// Code generated from openapi.json by `npm run print`. DO NOT EDIT.

package cowrie

import "encoding/json"

type AgentContext struct {
	// Files that the model saw completely.
	Included []string `json:"included"`
	// Files that the model saw in part or not at all.
	Omitted []AgentContextOmittedItem `json:"omitted"`
}

type AgentContextOmittedItem struct {
	Path       string `json:"path"`
	Lines      int64  `json:"lines"`
	ShownLines int64  `json:"shownLines"`
}

type AgentQuote struct {
	// One of open, frontier.
	Lane  string `json:"lane"`
	Model string `json:"model"`
	// The most prompt tokens of the first turn.
	PromptTokens int64 `json:"promptTokens"`
	MinMinor     int64 `json:"minMinor"`
	MaxMinor     int64 `json:"maxMinor"`
	// The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable.
	UsuallyMinor   *UsualCost `json:"usuallyMinor"`
	LeastMinor     int64      `json:"leastMinor"`
	BalanceMinor   int64      `json:"balanceMinor"`
	AvailableMinor int64      `json:"availableMinor"`
	// Whether the run would start. With little money the answer is kept short.
	Affordable bool `json:"affordable"`
	// The most iterations; 1 for a single run.
	Iterations int64 `json:"iterations"`
	// Secrets withheld from the model: whole files, or values with their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Set `allowSecrets` to send them.
	Withheld []AgentQuoteWithheldItem `json:"withheld,omitempty"`
}

type AgentQuoteBody struct {
	// The task.
	Prompt string `json:"prompt"`
	// The files of the task: at most 200, with at most 1500000 characters in total. Files that exceed the context window are truncated, and the reply lists them.
	Context []AgentQuoteBodyContextItem `json:"context,omitempty"`
	// The indexed repository to take excerpts from. Default: `default`, or the only indexed one.
	Repo *string `json:"repo,omitempty"`
	// True requests the frontier lane, if your policy allows it.
	Frontier *bool `json:"frontier,omitempty"`
	// The most that it may cost. A task that needs more is refused with 402.
	MaxMinor *int64 `json:"maxMinor,omitempty"`
	// True sends secrets in `prompt` and `context` to the model. Otherwise files such as `.env` and values that look like secrets are withheld and listed in `withheld`. Ask the owner of the files first.
	AllowSecrets *bool `json:"allowSecrets,omitempty"`
	// Quotes a loop with this many iterations.
	MaxIters *int64 `json:"maxIters,omitempty"`
	// Quotes a loop. One of none, local, docker.
	Sandbox *string `json:"sandbox,omitempty"`
	TestCmd *string `json:"testCmd,omitempty"`
}

type AgentQuoteBodyContextItem struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

type AgentQuoteWithheldItem struct {
	Path   string `json:"path"`
	Line   *int64 `json:"line,omitempty"`
	Reason string `json:"reason"`
}

type AgentRun struct {
	ID     string `json:"id"`
	UserID string `json:"userId"`
	// One of run, loop.
	Kind string `json:"kind"`
	// One of running, completed, cancelled, failed.
	Status string `json:"status"`
	Prompt string `json:"prompt"`
	// One of open, frontier.
	Lane  string `json:"lane"`
	Model string `json:"model"`
	// One of none, local, docker.
	Sandbox  string  `json:"sandbox"`
	TestCmd  *string `json:"testCmd"`
	MaxIters int64   `json:"maxIters"`
	// Dispatched and charged iterations.
	Iterations int64            `json:"iterations"`
	Verified   bool             `json:"verified"`
	Cancelled  bool             `json:"cancelled"`
	StopReason *string          `json:"stopReason"`
	Error      *string          `json:"error,omitempty"`
	Code       *string          `json:"code,omitempty"`
	CostMinor  int64            `json:"costMinor"`
	CreatedAt  string           `json:"createdAt"`
	FinishedAt *string          `json:"finishedAt"`
	Result     *AgentRunResult2 `json:"result"`
}

type AgentRunLoopBody struct {
	// The task.
	Prompt string `json:"prompt"`
	// The files of the task: at most 200, with at most 1500000 characters in total. Files that exceed the context window are truncated, and the reply lists them.
	Context []AgentRunLoopBodyContextItem `json:"context,omitempty"`
	// The indexed repository to take excerpts from. Default: `default`, or the only indexed one.
	Repo *string `json:"repo,omitempty"`
	// True requests the frontier lane, if your policy allows it.
	Frontier *bool `json:"frontier,omitempty"`
	// The most that it may cost. A task that needs more is refused with 402.
	MaxMinor *int64 `json:"maxMinor,omitempty"`
	// True sends secrets in `prompt` and `context` to the model. Otherwise files such as `.env` and values that look like secrets are withheld and listed in `withheld`. Ask the owner of the files first.
	AllowSecrets *bool `json:"allowSecrets,omitempty"`
	// One of none, local, docker.
	Sandbox        *string `json:"sandbox,omitempty"`
	TestCmd        *string `json:"testCmd,omitempty"`
	MaxIters       *int64  `json:"maxIters,omitempty"`
	AllowTestEdits *bool   `json:"allowTestEdits,omitempty"`
}

type AgentRunLoopBodyContextItem struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

type AgentRunLoopFrame struct {
	Seq   int64                   `json:"seq"`
	Start *AgentRunLoopFrameStart `json:"start,omitempty"`
	Delta *string                 `json:"delta,omitempty"`
	// One of plan, edit, verify, retry.
	Step           *string                    `json:"step,omitempty"`
	Turn           *int64                     `json:"turn,omitempty"`
	Ok             *bool                      `json:"ok,omitempty"`
	CostMinor      *int64                     `json:"costMinor,omitempty"`
	Note           *string                    `json:"note,omitempty"`
	Files          []AgentRunLoopFrameFile    `json:"files,omitempty"`
	Failures       []AgentRunLoopFrameFailure `json:"failures,omitempty"`
	Tests          *AgentRunLoopFrameTests    `json:"tests,omitempty"`
	Excerpt        *string                    `json:"excerpt,omitempty"`
	Result         *AgentRunResult            `json:"result,omitempty"`
	Verified       *bool                      `json:"verified,omitempty"`
	Iterations     *int64                     `json:"iterations,omitempty"`
	Cancelled      *bool                      `json:"cancelled,omitempty"`
	TotalCostMinor *int64                     `json:"totalCostMinor,omitempty"`
	BalanceMinor   *int64                     `json:"balanceMinor,omitempty"`
	// One of verified, not_verified, max_iters, stuck, budget, balance, cancelled, interrupted, wall_clock, suspended, policy, sandbox_failed, upstream_error.
	StopReason    *string `json:"stopReason,omitempty"`
	ID            *string `json:"id,omitempty"`
	TestsModified *bool   `json:"testsModified,omitempty"`
	// One of tests, exit-code, passed-before.
	Evidence *string `json:"evidence,omitempty"`
}

type AgentRunLoopFrameFailure struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type AgentRunLoopFrameFile struct {
	Path string `json:"path"`
	// One of create, update, delete.
	Action string `json:"action"`
}

type AgentRunLoopFrameStart struct {
	ID string `json:"id"`
	// One of open, frontier.
	Lane  string `json:"lane"`
	Model string `json:"model"`
	// One of none, local, docker.
	Sandbox  string `json:"sandbox"`
	MaxIters int64  `json:"maxIters"`
	MaxMinor int64  `json:"maxMinor"`
	// The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable.
	UsuallyMinor *UsualCost `json:"usuallyMinor"`
}

type AgentRunLoopFrameTests struct {
	Passed int64 `json:"passed"`
	Failed int64 `json:"failed"`
}

type AgentRunRequest struct {
	// The task.
	Prompt string `json:"prompt"`
	// The files of the task: at most 200, with at most 1500000 characters in total. Files that exceed the context window are truncated, and the reply lists them.
	Context []AgentRunRequestContextItem `json:"context,omitempty"`
	// The indexed repository to take excerpts from. Default: `default`, or the only indexed one.
	Repo *string `json:"repo,omitempty"`
	// True requests the frontier lane, if your policy allows it.
	Frontier *bool `json:"frontier,omitempty"`
	// The most that it may cost. A task that needs more is refused with 402.
	MaxMinor *int64 `json:"maxMinor,omitempty"`
	// True sends secrets in `prompt` and `context` to the model. Otherwise files such as `.env` and values that look like secrets are withheld and listed in `withheld`. Ask the owner of the files first.
	AllowSecrets *bool `json:"allowSecrets,omitempty"`
}

type AgentRunRequestContextItem struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

type AgentRunResult struct {
	ID      string `json:"id"`
	Plan    string `json:"plan"`
	Summary string `json:"summary"`
	// One of open, frontier.
	Lane      string `json:"lane"`
	Model     string `json:"model"`
	CostMinor int64  `json:"costMinor"`
	// Findings of our rules in the change.
	Review map[string]json.RawMessage `json:"review,omitempty"`
	// Partial: some intended changes are missing; `warnings` lists them. A run that intended changes and made none is free. One of complete, partial.
	Status   *string       `json:"status,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`
	Context  *AgentContext `json:"context,omitempty"`
	// Secrets withheld from the model: whole files, or values with their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Set `allowSecrets` to send them.
	Withheld     []AgentRunResultWithheldItem `json:"withheld,omitempty"`
	Edits        []FileEdit                   `json:"edits"`
	BalanceMinor int64                        `json:"balanceMinor"`
	// True if the run was stopped before its end.
	Cancelled *bool `json:"cancelled,omitempty"`
}

type AgentRunResult2 struct {
	ID      string `json:"id"`
	Plan    string `json:"plan"`
	Summary string `json:"summary"`
	// One of open, frontier.
	Lane      string `json:"lane"`
	Model     string `json:"model"`
	CostMinor int64  `json:"costMinor"`
	// Findings of our rules in the change.
	Review map[string]json.RawMessage `json:"review,omitempty"`
	// Partial: some intended changes are missing; `warnings` lists them. A run that intended changes and made none is free. One of complete, partial.
	Status   *string       `json:"status,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`
	Context  *AgentContext `json:"context,omitempty"`
	// Secrets withheld from the model: whole files, or values with their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Set `allowSecrets` to send them.
	Withheld []AgentRunResult2WithheldItem `json:"withheld,omitempty"`
	Edits    []FileEdit                    `json:"edits"`
}

type AgentRunResult2WithheldItem struct {
	Path   string `json:"path"`
	Line   *int64 `json:"line,omitempty"`
	Reason string `json:"reason"`
}

type AgentRunResultWithheldItem struct {
	Path   string `json:"path"`
	Line   *int64 `json:"line,omitempty"`
	Reason string `json:"reason"`
}

type AgentRunStreamFrame struct {
	Seq   int64                     `json:"seq"`
	Start *AgentRunStreamFrameStart `json:"start,omitempty"`
	Delta *string                   `json:"delta,omitempty"`
	// One of plan, edit, repair.
	Step           *string                      `json:"step,omitempty"`
	Ok             *bool                        `json:"ok,omitempty"`
	CostMinor      *int64                       `json:"costMinor,omitempty"`
	Files          []AgentRunStreamFrameFile    `json:"files,omitempty"`
	Failures       []AgentRunStreamFrameFailure `json:"failures,omitempty"`
	Result         *AgentRunResult              `json:"result,omitempty"`
	Cancelled      *bool                        `json:"cancelled,omitempty"`
	TotalCostMinor *int64                       `json:"totalCostMinor,omitempty"`
	BalanceMinor   *int64                       `json:"balanceMinor,omitempty"`
}

type AgentRunStreamFrameFailure struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type AgentRunStreamFrameFile struct {
	Path string `json:"path"`
	// One of create, update, delete.
	Action string `json:"action"`
}

type AgentRunStreamFrameStart struct {
	ID string `json:"id"`
	// One of open, frontier.
	Lane     string `json:"lane"`
	Model    string `json:"model"`
	MaxMinor int64  `json:"maxMinor"`
	// The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable.
	UsuallyMinor *UsualCost `json:"usuallyMinor"`
}

type AgentRunsListReply struct {
	Runs       []AgentRunsListReplyRun `json:"runs"`
	NextCursor *string                 `json:"nextCursor"`
}

type AgentRunsListReplyRun struct {
	ID     string `json:"id"`
	UserID string `json:"userId"`
	// One of run, loop.
	Kind string `json:"kind"`
	// One of running, completed, cancelled, failed.
	Status string `json:"status"`
	Prompt string `json:"prompt"`
	// One of open, frontier.
	Lane  string `json:"lane"`
	Model string `json:"model"`
	// One of none, local, docker.
	Sandbox  string  `json:"sandbox"`
	TestCmd  *string `json:"testCmd"`
	MaxIters int64   `json:"maxIters"`
	// Dispatched and charged iterations.
	Iterations int64                        `json:"iterations"`
	Verified   bool                         `json:"verified"`
	Cancelled  bool                         `json:"cancelled"`
	StopReason *string                      `json:"stopReason"`
	Error      *string                      `json:"error,omitempty"`
	Code       *string                      `json:"code,omitempty"`
	CostMinor  int64                        `json:"costMinor"`
	CreatedAt  string                       `json:"createdAt"`
	FinishedAt *string                      `json:"finishedAt"`
	Result     *AgentRunsListReplyRunResult `json:"result"`
}

type AgentRunsListReplyRunResult struct {
	ID      string `json:"id"`
	Plan    string `json:"plan"`
	Summary string `json:"summary"`
	// One of open, frontier.
	Lane      string `json:"lane"`
	Model     string `json:"model"`
	CostMinor int64  `json:"costMinor"`
	// Findings of our rules in the change.
	Review map[string]json.RawMessage `json:"review,omitempty"`
	// Partial: some intended changes are missing; `warnings` lists them. A run that intended changes and made none is free. One of complete, partial.
	Status   *string       `json:"status,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`
	Context  *AgentContext `json:"context,omitempty"`
	// Secrets withheld from the model: whole files, or values with their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Set `allowSecrets` to send them.
	Withheld []AgentRunsListReplyRunResultWithheldItem `json:"withheld,omitempty"`
	Edits    []AgentRunsListReplyRunResultEdit         `json:"edits"`
}

type AgentRunsListReplyRunResultEdit struct {
	Path string `json:"path"`
	// One of create, update, delete.
	Action string `json:"action"`
}

type AgentRunsListReplyRunResultWithheldItem struct {
	Path   string `json:"path"`
	Line   *int64 `json:"line,omitempty"`
	Reason string `json:"reason"`
}

type APIKey struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Scopes []string `json:"scopes"`
	// The first characters of the key, to recognise it.
	Prefix    string `json:"prefix"`
	CreatedAt string `json:"createdAt"`
	// Updated at most every minute.
	LastUsedAt  *string         `json:"lastUsedAt"`
	ExpiresAt   *string         `json:"expiresAt"`
	CreatedBy   APIKeyCreatedBy `json:"createdBy"`
	BudgetMinor *int64          `json:"budgetMinor"`
	// One of total, day, week, month.
	BudgetPeriod      string   `json:"budgetPeriod"`
	Models            []string `json:"models"`
	RequestsPerMinute *int64   `json:"requestsPerMinute"`
	TokensPerMinute   *int64   `json:"tokensPerMinute"`
	AllowedAddresses  []string `json:"allowedAddresses"`
	SpentMinor        int64    `json:"spentMinor"`
	// The budget without spent and reserved money; null without a budget.
	BudgetLeftMinor *int64 `json:"budgetLeftMinor"`
}

type APIKeyCreatedBy struct {
	UserID string `json:"userId"`
	Email  string `json:"email"`
}

type Attachment struct {
	ID string `json:"id"`
	// One of generated.
	Kind string `json:"kind"`
	// Null: visible to the whole organisation.
	ProjectID *string `json:"projectId"`
	// The id of the resource that generated it, such as a research run.
	Origin      string `json:"origin"`
	Name        string `json:"name"`
	ContentType string `json:"contentType"`
	Bytes       int64  `json:"bytes"`
	Sha256      string `json:"sha256"`
	// The download path.
	URL       string `json:"url"`
	CreatedBy string `json:"createdBy"`
	CreatedAt string `json:"createdAt"`
}

type AttachmentsListReply struct {
	Attachments []Attachment `json:"attachments"`
	NextCursor  *string      `json:"nextCursor"`
}

type AutomaticTopup struct {
	// `paused` needs an owner: PUT the same values to resume. One of active, paused.
	Status string `json:"status"`
	// One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency          string             `json:"currency"`
	ThresholdMinor    int64              `json:"thresholdMinor"`
	AmountMinor       int64              `json:"amountMinor"`
	MonthlyMaxMinor   int64              `json:"monthlyMaxMinor"`
	Card              AutomaticTopupCard `json:"card"`
	MonthChargedMinor int64              `json:"monthChargedMinor"`
	// Another charge would exceed the monthly maximum. It continues then.
	LimitedUntil *string `json:"limitedUntil"`
	// `card_declined`: the bank declined. `bank_confirmation`: open `attempt.authorizationUrl` and confirm. `card_unusable`: the card is expired or cannot be charged. `payment_disputed`: a card payment is disputed or was reversed. `currency_changed`: the wallet has another currency. `no_answer`: the provider gave no answer within a day. `member_left`: the person who turned it on is no longer an owner, or the person who added the card has left. One of card_declined, bank_confirmation, card_unusable, payment_disputed, currency_changed, no_answer, member_left.
	PausedReason *string `json:"pausedReason"`
	// The words of the bank, if it gave any.
	PausedDetail *string `json:"pausedDetail"`
	PausedAt     *string `json:"pausedAt"`
	// The charge whose outcome is not known yet. There is at most one.
	Attempt   *TopupAttempt `json:"attempt"`
	UpdatedAt string        `json:"updatedAt"`
}

type AutomaticTopupCard struct {
	ID    string `json:"id"`
	Brand string `json:"brand"`
	Last4 string `json:"last4"`
}

type AutomaticTopupState struct {
	// Null while it is off.
	AutomaticTopup *AutomaticTopup `json:"automaticTopup"`
	// As `automaticTopup.attempt`, and also shown while automatic top-up is off.
	OpenAttempt *TopupAttempt `json:"openAttempt"`
}

type BillingDetails struct {
	LegalName *string `json:"legalName"`
	Address   *string `json:"address"`
	TaxID     *string `json:"taxId"`
	Country   *string `json:"country"`
	UpdatedAt *string `json:"updatedAt"`
	// The values that the next invoice will show.
	InvoicedAs BillingDetailsInvoicedAs `json:"invoicedAs"`
}

// BillingDetailsInvoicedAs: The values that the next invoice will show.
type BillingDetailsInvoicedAs struct {
	Name    string                        `json:"name"`
	Country *string                       `json:"country"`
	Taxes   []BillingDetailsInvoicedAsTax `json:"taxes"`
}

type BillingDetailsInvoicedAsTax struct {
	Name    string `json:"name"`
	RateBps int64  `json:"rateBps"`
}

type BillingSummary struct {
	// One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency     string        `json:"currency"`
	Wallet       Wallet        `json:"wallet"`
	Subscription *Subscription `json:"subscription"`
	// The plan as it was sold.
	Plan     *Plan                  `json:"plan"`
	Included BillingSummaryIncluded `json:"included"`
	Seats    BillingSummarySeats    `json:"seats"`
	// The downgrade at the end of the period.
	ScheduledChange *ScheduledChange `json:"scheduledChange"`
}

type BillingSummaryIncluded struct {
	TotalMinor     int64   `json:"totalMinor"`
	UsedMinor      int64   `json:"usedMinor"`
	RemainingMinor int64   `json:"remainingMinor"`
	ResetsAt       *string `json:"resetsAt"`
}

type BillingSummarySeats struct {
	// Seats included in the plan.
	Allotment int64 `json:"allotment"`
	// Seats bought in addition.
	Purchased int64 `json:"purchased"`
	// The most members that the organisation can have.
	Total    int64 `json:"total"`
	Occupied int64 `json:"occupied"`
}

type Card struct {
	ID       string  `json:"id"`
	Brand    string  `json:"brand"`
	Last4    string  `json:"last4"`
	ExpMonth int64   `json:"expMonth"`
	ExpYear  int64   `json:"expYear"`
	Bank     *string `json:"bank"`
	// Charged first on renewals and upgrades.
	IsDefault bool   `json:"isDefault"`
	CreatedAt string `json:"createdAt"`
	// Past its expiry month. An expired card is never charged.
	Expired bool `json:"expired"`
}

type ChatMessage struct {
	ID string `json:"id"`
	// One of user, assistant.
	Role      string `json:"role"`
	Content   string `json:"content"`
	CreatedAt string `json:"createdAt"`
	// Null, like `model`, for questions and for answers of other features, such as reports. One of open, frontier.
	Lane      *string `json:"lane"`
	Model     *string `json:"model"`
	CostMinor int64   `json:"costMinor"`
	// `stopped`: the answer is incomplete and its text was charged. `failed`: nothing was charged. One of complete, stopped, failed.
	Status string `json:"status"`
	// For a failed answer: the error code of the stream, or `interrupted` when our process died. For a stopped answer: `length` at the output limit, `content_filter` when the provider withheld the rest, null when you stopped it.
	ErrorCode *string `json:"errorCode"`
}

type ChatMessagesQuoteBody struct {
	Prompt string `json:"prompt"`
	// In code mode, the indexed repository for excerpts. Default: `default`, or the only indexed repository.
	Repo *string `json:"repo,omitempty"`
	// True selects the frontier lane if policy allows it. Default: as configured.
	Frontier *bool `json:"frontier,omitempty"`
	// Maximum cost. The answer is shortened to fit, or refused with 402.
	MaxMinor *int64 `json:"maxMinor,omitempty"`
	// True sends values that look like secrets to the model. Otherwise the model receives placeholders.
	AllowSecrets *bool `json:"allowSecrets,omitempty"`
}

type ChatMessagesQuoteReply struct {
	// One of open, frontier.
	Lane  string `json:"lane"`
	Model string `json:"model"`
	// Upper bound, including the conversation context.
	PromptTokens int64 `json:"promptTokens"`
	MinMinor     int64 `json:"minMinor"`
	MaxMinor     int64 `json:"maxMinor"`
	// The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable.
	UsuallyMinor *UsualCost `json:"usuallyMinor"`
	BalanceMinor int64      `json:"balanceMinor"`
	// Whether wallet and plan cover a useful answer. Your member cap is checked when you send.
	Affordable bool `json:"affordable"`
	// Secrets hidden from the model. `path` is `prompt`, `conversation` for earlier messages, or an indexed file.
	Withheld []ChatMessagesQuoteReplyWithheldItem `json:"withheld"`
}

type ChatMessagesQuoteReplyWithheldItem struct {
	Path   string `json:"path"`
	Line   *int64 `json:"line,omitempty"`
	Reason string `json:"reason"`
}

type ChatMessagesSendBody struct {
	Prompt string `json:"prompt"`
	// In code mode, the indexed repository for excerpts. Default: `default`, or the only indexed repository.
	Repo *string `json:"repo,omitempty"`
	// True selects the frontier lane if policy allows it. Default: as configured.
	Frontier *bool `json:"frontier,omitempty"`
	// Maximum cost. The answer is shortened to fit, or refused with 402.
	MaxMinor *int64 `json:"maxMinor,omitempty"`
	// True sends values that look like secrets to the model. Otherwise the model receives placeholders.
	AllowSecrets *bool `json:"allowSecrets,omitempty"`
}

type ChatMessagesSendFrame struct {
	Delta *string `json:"delta,omitempty"`
	// Frame number in this stream, starting at 1.
	Seq          int64        `json:"seq"`
	Message      *ChatMessage `json:"message,omitempty"`
	CostMinor    *int64       `json:"costMinor,omitempty"`
	BalanceMinor *int64       `json:"balanceMinor,omitempty"`
	// Your question.
	UserMessage *ChatMessagesSendFrameUserMessage `json:"userMessage,omitempty"`
	// `length`: cut at 4096 tokens, or at the limit from `maxMinor`, the wallet or a cap. `content_filter`: the provider withheld the rest. One of stop, length, content_filter, stopped.
	Finish *string `json:"finish,omitempty"`
	// How many earlier messages the model received, and how many did not fit.
	Context *ChatMessagesSendFrameContext `json:"context,omitempty"`
	// Secrets hidden from the model. `path` is `prompt`, `conversation` for earlier messages, or an indexed file.
	Withheld []ChatMessagesSendFrameWithheldItem `json:"withheld,omitempty"`
}

// ChatMessagesSendFrameContext: How many earlier messages the model received, and how many did not fit.
type ChatMessagesSendFrameContext struct {
	Messages int64 `json:"messages"`
	Dropped  int64 `json:"dropped"`
}

// ChatMessagesSendFrameUserMessage: Your question.
type ChatMessagesSendFrameUserMessage struct {
	ID        string `json:"id"`
	CreatedAt string `json:"createdAt"`
}

type ChatMessagesSendFrameWithheldItem struct {
	Path   string `json:"path"`
	Line   *int64 `json:"line,omitempty"`
	Reason string `json:"reason"`
}

type ChatMessagesStopReply struct {
	Ok bool `json:"ok"`
	// Whether an answer was running.
	Stopped bool `json:"stopped"`
}

type ChatThreadsChangeBody struct {
	Title *string `json:"title,omitempty"`
	// Applies to new messages. One of general, code.
	Mode     *string `json:"mode,omitempty"`
	Archived *bool   `json:"archived,omitempty"`
}

type ChatThreadsCreateBody struct {
	// One of general, code.
	Mode *string `json:"mode,omitempty"`
	// Default: derived from the first question.
	Title *string `json:"title,omitempty"`
}

type ChatThreadsListReply struct {
	Threads    []Thread `json:"threads"`
	NextCursor *string  `json:"nextCursor"`
}

type Currency struct {
	// One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Code      string `json:"code"`
	Symbol    string `json:"symbol"`
	MinorUnit int64  `json:"minorUnit"`
	MinorName string `json:"minorName"`
}

type CustomRule struct {
	ID      string `json:"id"`
	Yaml    string `json:"yaml"`
	Enabled bool   `json:"enabled"`
	// Whether this version understands the rule. Others are not used.
	Valid     bool            `json:"valid"`
	CreatedAt json.RawMessage `json:"createdAt"`
	UpdatedAt json.RawMessage `json:"updatedAt"`
}

type CustomRuleList struct {
	Rules []CustomRule `json:"rules"`
}

type FileEdit struct {
	// Clean, relative, inside the workspace.
	Path string `json:"path"`
	// One of create, update, delete.
	Action string `json:"action"`
	// The whole new text; empty for delete.
	Content     string `json:"content"`
	Description string `json:"description"`
	// Hash of the text that was sent, to detect files that changed since; null for new files.
	BaseSha256 *string `json:"baseSha256"`
}

type HooksEventTypesReply struct {
	Types []HooksEventTypesReplyType `json:"types"`
}

type HooksEventTypesReplyType struct {
	Type        string `json:"type"`
	Description string `json:"description"`
	// An example.
	Data map[string]json.RawMessage `json:"data"`
}

type IndexAddBody struct {
	// A repository, such as `acme/shop`, with its own paths.
	Repo *string `json:"repo,omitempty"`
	// At most 2000 per call. Files at indexed paths are replaced. Unchanged files cost nothing.
	Files []IndexAddBodyFile `json:"files"`
	// Commits, for searches for a change. The newest 5000 are kept. Free.
	History *IndexAddBodyHistory `json:"history,omitempty"`
	// Return what would be indexed, skipped and charged, without storing or charging anything.
	Preview *bool `json:"preview,omitempty"`
	// A call that would cost more is rejected and costs nothing.
	MaxCostMinor *int64 `json:"maxCostMinor,omitempty"`
}

type IndexAddBodyFile struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

// IndexAddBodyHistory: Commits, for searches for a change. The newest 5000 are kept. Free.
type IndexAddBodyHistory struct {
	// The name of the newest commit, such as its hash.
	Latest string `json:"latest"`
	// Adds `commits` to the stored history if this is its newest commit. Without it, the stored history is replaced.
	After *string `json:"after,omitempty"`
	// The newest first, with the files that each commit changed.
	Commits []IndexAddBodyHistoryCommit `json:"commits"`
}

type IndexAddBodyHistoryCommit struct {
	Subject string   `json:"subject"`
	Paths   []string `json:"paths"`
}

type IndexClearReply struct {
	// Number of removed files.
	Cleared int64 `json:"cleared"`
}

type IndexReply struct {
	// Files that this call indexed.
	Indexed int64 `json:"indexed"`
	// Files indexed before with the same content. Free.
	Unchanged int64 `json:"unchanged"`
	// Number of chunks of the indexed files.
	Chunks int64 `json:"chunks"`
	// Embedded tokens, charged at the price of the open lane.
	Tokens int64 `json:"tokens"`
	// The embedding model.
	Model string `json:"model"`
	// Files that were not indexed, with the reason. Their earlier versions are removed from the index.
	Skipped []IndexReplySkippedItem `json:"skipped"`
	// If the call has a history.
	History      *IndexReplyHistory `json:"history,omitempty"`
	CostMinor    int64              `json:"costMinor"`
	BalanceMinor int64              `json:"balanceMinor"`
}

// IndexReplyHistory: If the call has a history.
type IndexReplyHistory struct {
	// base_differs: `after` is not the newest stored commit; send the whole history. no_files: no file is indexed. One of stored, unchanged, base_differs, no_files.
	Outcome string `json:"outcome"`
	// Number of stored commits.
	Commits int64 `json:"commits"`
}

type IndexReplySkippedItem struct {
	Path string `json:"path"`
	// One of invalid_path, ignored, vendored, generated, minified, lockfile, binary, too_large, empty, secret.
	Reason string `json:"reason"`
}

type IndexSearchBody struct {
	// A repository, such as `acme/shop`, with its own paths.
	Repo *string `json:"repo,omitempty"`
	// A question, an error message or a name.
	Query string `json:"query"`
	Limit *int64 `json:"limit,omitempty"`
	// Only paths with one of these prefixes, such as `src/`.
	Paths []string `json:"paths,omitempty"`
	// A model adds words to the query. Costs one call of the open lane.
	Rewrite *bool `json:"rewrite,omitempty"`
	// The maximum cost of `rewrite`.
	MaxCostMinor *int64 `json:"maxCostMinor,omitempty"`
	// Show the maximum cost of `rewrite` only.
	Preview *bool `json:"preview,omitempty"`
}

type IndexState struct {
	// Whether this deployment can index files.
	Enabled bool `json:"enabled"`
	// The repository of the totals and paths.
	Repo   string `json:"repo"`
	Chunks int64  `json:"chunks"`
	// Sorted, at most 20000. `files` is the total number.
	Paths []string `json:"paths"`
	// The number of chunks of each of `paths`.
	ChunksByPath []int64 `json:"chunksByPath"`
	// Of each of `paths`: the first 12 hexadecimal digits of its SHA-256.
	Digests []string `json:"digests"`
	Files   int64    `json:"files"`
	Bytes   int64    `json:"bytes"`
	// The embedding model for new files.
	Model     string  `json:"model"`
	UpdatedAt *string `json:"updatedAt"`
	// The newest commit and the number of commits of the stored history.
	History *IndexStateHistory `json:"history"`
	// All indexed repositories, sorted by name.
	Repositories []IndexStateRepository `json:"repositories"`
}

type IndexStateHistory struct {
	Latest  string `json:"latest"`
	Commits int64  `json:"commits"`
}

type IndexStateRepository struct {
	Repo      string `json:"repo"`
	Files     int64  `json:"files"`
	Chunks    int64  `json:"chunks"`
	Bytes     int64  `json:"bytes"`
	UpdatedAt string `json:"updatedAt"`
}

type Invoice struct {
	ID string `json:"id"`
	// Consecutive within your organisation.
	Number string `json:"number"`
	// One of paid, open, void.
	Status string `json:"status"`
	// One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency      string `json:"currency"`
	SubtotalMinor int64  `json:"subtotalMinor"`
	TaxMinor      int64  `json:"taxMinor"`
	TotalMinor    int64  `json:"totalMinor"`
	// Including tax; they sum to the total. Credits are negative.
	Lines    []InvoiceLine `json:"lines"`
	IssuedAt string        `json:"issuedAt"`
	PaidAt   *string       `json:"paidAt"`
	// A printable page; `?format=pdf` sends it as a PDF file.
	ReceiptURL string `json:"receiptUrl"`
	// One of topup, card, checkout, change, seats, renewal, credit.
	Subject string `json:"subject"`
	// `mock` is test money without value. One of live, mock.
	Mode string `json:"mode"`
	// The reference of the payment.
	Reference *string `json:"reference"`
	Method    *string `json:"method"`
	// The country whose tax is included.
	Country       *string      `json:"country"`
	Taxes         []InvoiceTax `json:"taxes"`
	CreditedMinor int64        `json:"creditedMinor"`
	// At most 50, oldest first.
	CreditNotes []InvoiceCreditNote `json:"creditNotes"`
}

type InvoiceCreditNote struct {
	ID         string `json:"id"`
	Number     string `json:"number"`
	TotalMinor int64  `json:"totalMinor"`
	Reason     string `json:"reason"`
	IssuedAt   string `json:"issuedAt"`
	// A printable page; `?format=pdf` sends it as a PDF file.
	ReceiptURL string `json:"receiptUrl"`
}

type InvoiceLine struct {
	Description string `json:"description"`
	Quantity    int64  `json:"quantity"`
	AmountMinor int64  `json:"amountMinor"`
}

type InvoiceTax struct {
	Name string `json:"name"`
	// Of the price without tax, in hundredths of a percent.
	RateBps     int64 `json:"rateBps"`
	AmountMinor int64 `json:"amountMinor"`
}

type InvoicesListReply struct {
	Invoices   []Invoice `json:"invoices"`
	NextCursor *string   `json:"nextCursor"`
}

type KeysChangeBody struct {
	Name *string `json:"name,omitempty"`
	// The most that the key and the keys it creates may spend per `budgetPeriod`.
	BudgetMinor *Nullable[int64] `json:"budgetMinor,omitempty"`
	// Default: total. Days, weeks from Monday and calendar months are in UTC. One of total, day, week, month.
	BudgetPeriod *string `json:"budgetPeriod,omitempty"`
	// The models that the key may use: ids, or patterns that end in `*`. Null allows every model.
	Models            []string         `json:"models,omitempty"`
	RequestsPerMinute *Nullable[int64] `json:"requestsPerMinute,omitempty"`
	// Counted when work ends: the call that reaches the limit is completed, and later calls wait for the next minute.
	TokensPerMinute *Nullable[int64] `json:"tokensPerMinute,omitempty"`
	// The addresses that the key may be used from: IPv4 and IPv6 addresses and CIDRs. Null allows all.
	AllowedAddresses []string `json:"allowedAddresses,omitempty"`
}

type KeysCreateBody struct {
	Name string `json:"name"`
	// Default: none.
	Scopes        []string `json:"scopes,omitempty"`
	ExpiresInDays *int64   `json:"expiresInDays,omitempty"`
	ExpiresAt     *string  `json:"expiresAt,omitempty"`
	// The most that the key and the keys it creates may spend per `budgetPeriod`.
	BudgetMinor *Nullable[int64] `json:"budgetMinor,omitempty"`
	// Default: total. Days, weeks from Monday and calendar months are in UTC. One of total, day, week, month.
	BudgetPeriod *string `json:"budgetPeriod,omitempty"`
	// The models that the key may use: ids, or patterns that end in `*`. Null allows every model.
	Models            []string         `json:"models,omitempty"`
	RequestsPerMinute *Nullable[int64] `json:"requestsPerMinute,omitempty"`
	// Counted when work ends: the call that reaches the limit is completed, and later calls wait for the next minute.
	TokensPerMinute *Nullable[int64] `json:"tokensPerMinute,omitempty"`
	// The addresses that the key may be used from: IPv4 and IPv6 addresses and CIDRs. Null allows all.
	AllowedAddresses []string `json:"allowedAddresses,omitempty"`
}

type KeysCreateReply struct {
	ID string `json:"id"`
	// The key itself. It is shown only once.
	Key         string   `json:"key"`
	Prefix      string   `json:"prefix"`
	Name        string   `json:"name"`
	Scopes      []string `json:"scopes"`
	ExpiresAt   *string  `json:"expiresAt"`
	BudgetMinor *int64   `json:"budgetMinor"`
	// One of total, day, week, month.
	BudgetPeriod      string   `json:"budgetPeriod"`
	Models            []string `json:"models"`
	RequestsPerMinute *int64   `json:"requestsPerMinute"`
	TokensPerMinute   *int64   `json:"tokensPerMinute"`
	AllowedAddresses  []string `json:"allowedAddresses"`
	SpentMinor        int64    `json:"spentMinor"`
	// The budget without spent and reserved money; null without a budget.
	BudgetLeftMinor *int64 `json:"budgetLeftMinor"`
}

type KeysListReply struct {
	Keys       []APIKey `json:"keys"`
	NextCursor *string  `json:"nextCursor"`
}

type KycGetReply struct {
	// One of unsubmitted, pending, verified, rejected.
	Status string     `json:"status"`
	Record *KycRecord `json:"record"`
}

type KycRecord struct {
	OrgID        string `json:"orgId"`
	OrgName      string `json:"orgName"`
	BusinessName string `json:"businessName"`
	// Empty when not submitted. The same applies to `contactEmail` and `documentRef`.
	RegistrationNumber string `json:"registrationNumber"`
	ContactEmail       string `json:"contactEmail"`
	DocumentRef        string `json:"documentRef"`
	// Notes of the reviewer. Empty before the review.
	ReviewerNotes string `json:"reviewerNotes"`
	// One of unsubmitted, pending, verified, rejected.
	Status      string  `json:"status"`
	SubmittedAt string  `json:"submittedAt"`
	ReviewedAt  *string `json:"reviewedAt"`
}

type LaneMargin struct {
	// One of open, frontier.
	Lane         string `json:"lane"`
	RevenueMinor int64  `json:"revenueMinor"`
	// Token cost at the current configured price per million, rounded to the nearest minor unit. Cost and margin are null for callers who are not staff.
	CogsMinor   *int64 `json:"cogsMinor"`
	MarginMinor *int64 `json:"marginMinor"`
	// Percentage of revenue; null without revenue.
	MarginPct *float64 `json:"marginPct"`
	Tokens    int64    `json:"tokens"`
}

type LedgerEntry struct {
	ID string `json:"id"`
	// One of credit, debit.
	Type        string `json:"type"`
	AmountMinor int64  `json:"amountMinor"`
	// One of topup, agent, chat, index, research, review, gateway, refund, adjustment, subscription, trial.
	Source string `json:"source"`
	// The payment, run or message that caused the entry.
	Ref               string `json:"ref"`
	BalanceAfterMinor int64  `json:"balanceAfterMinor"`
	CreatedAt         string `json:"createdAt"`
}

type Me struct {
	UserID string `json:"userId"`
	OrgID  string `json:"orgId"`
	Email  string `json:"email"`
	// The new address that waits for its confirmation. Null without one, and for API keys.
	PendingEmail *MePendingEmail `json:"pendingEmail"`
	// The language of mails to you. Null: English. One of en, fr, sw, ar.
	Language *string `json:"language"`
	// One of owner, admin, member.
	Role            string   `json:"role"`
	Scopes          []string `json:"scopes"`
	IsPlatformAdmin bool     `json:"isPlatformAdmin"`
	IsSuperAdmin    bool     `json:"isSuperAdmin"`
	// One of support, billing, compliance, operator, super_admin.
	StaffRole *string `json:"staffRole"`
	// Staff calls are refused until this session shows a second factor: POST /auth/step-up.
	StaffFactorRequired    bool     `json:"staffFactorRequired"`
	Currency               Currency `json:"currency"`
	BalanceMinor           int64    `json:"balanceMinor"`
	HeldMinor              int64    `json:"heldMinor"`
	AvailableMinor         int64    `json:"availableMinor"`
	TrialMinor             int64    `json:"trialMinor"`
	TrialExpiresAt         *string  `json:"trialExpiresAt"`
	MFAEnabled             bool     `json:"mfaEnabled"`
	Plan                   *string  `json:"plan"`
	SubscriptionStatus     *string  `json:"subscriptionStatus"`
	IncludedRemainingMinor int64    `json:"includedRemainingMinor"`
	OrgName                string   `json:"orgName"`
	OrgType                string   `json:"orgType"`
	OrgSuspended           bool     `json:"orgSuspended"`
	KycStatus              string   `json:"kycStatus"`
	// Your spending cap for this calendar month in UTC, and the remaining amount. Null without a cap.
	Cap *MeCap `json:"cap"`
	// The policy of the organisation.
	OrgPolicy MeOrgPolicy `json:"orgPolicy"`
}

type MeCap struct {
	CapMinor  int64 `json:"capMinor"`
	LeftMinor int64 `json:"leftMinor"`
}

type MeFlagsReply struct {
	// Every flag by its key.
	Flags   map[string]bool      `json:"flags"`
	Sources []MeFlagsReplySource `json:"sources"`
}

type MeFlagsReplySource struct {
	Key     string `json:"key"`
	Enabled bool   `json:"enabled"`
	// The source of the value. One of org, tier, default.
	Source string `json:"source"`
}

// MeOrgPolicy: The policy of the organisation.
type MeOrgPolicy struct {
	Tier            string   `json:"tier"`
	AllowedLanes    []string `json:"allowedLanes"`
	ResidencyRegion *string  `json:"residencyRegion"`
}

type MeOrgsReply struct {
	Orgs []MeOrgsReplyOrg `json:"orgs"`
}

type MeOrgsReplyOrg struct {
	OrgID string `json:"orgId"`
	Name  string `json:"name"`
	Type  string `json:"type"`
	// One of owner, admin, member.
	Role string `json:"role"`
	// Whether this is the active organisation of the session.
	Active bool `json:"active"`
	// Whether members must sign in with its identity provider.
	SSORequired bool `json:"ssoRequired"`
	// Whether sign-in with GitHub is allowed instead of single sign-on.
	GithubAllowed bool `json:"githubAllowed"`
}

type MePendingEmail struct {
	Email     string `json:"email"`
	ExpiresAt string `json:"expiresAt"`
}

type MeUsageReply struct {
	// Newest first, at most 1000.
	Points []MeUsageReplyPoint `json:"points"`
	// The total of the whole period, including points that are not listed.
	Totals MeUsageReplyTotals `json:"totals"`
	From   string             `json:"from"`
	To     string             `json:"to"`
}

type MeUsageReplyPoint struct {
	At        string `json:"at"`
	Lane      string `json:"lane"`
	Model     string `json:"model"`
	Source    string `json:"source"`
	Tokens    int64  `json:"tokens"`
	CostMinor int64  `json:"costMinor"`
	// The cost without rounding, in minor units, where charges accumulate: `costMinor` is then 0 if earlier charges paid for it. Null for a charge that is rounded up by itself.
	ExactCost *string `json:"exactCost"`
}

// MeUsageReplyTotals: The total of the whole period, including points that are not listed.
type MeUsageReplyTotals struct {
	CostMinor int64                                 `json:"costMinor"`
	Tokens    int64                                 `json:"tokens"`
	ByLane    map[string]MeUsageReplyTotalsByLane   `json:"byLane"`
	BySource  map[string]MeUsageReplyTotalsBySource `json:"bySource"`
	// Days with usage (UTC), earliest first.
	ByDay []MeUsageReplyTotalsByDayItem `json:"byDay"`
}

type MeUsageReplyTotalsByDayItem struct {
	CostMinor int64  `json:"costMinor"`
	Tokens    int64  `json:"tokens"`
	Day       string `json:"day"`
}

type MeUsageReplyTotalsByLane struct {
	CostMinor int64 `json:"costMinor"`
	Tokens    int64 `json:"tokens"`
}

type MeUsageReplyTotalsBySource struct {
	CostMinor int64 `json:"costMinor"`
	Tokens    int64 `json:"tokens"`
}

type MetricsKpisReply struct {
	// One of org, all.
	Scope string `json:"scope"`
	// Null for all organisations.
	OrgID *string `json:"orgId"`
	// The currency of all amounts in this object. For all organisations amounts are in kobo: the total of each currency is converted by the current rate card, rounded to the nearest kobo, then added. One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency string `json:"currency"`
	// True if a sum in kobo exceeds 64 bits. It is replaced by the largest 64-bit number; only the figures by currency are exact.
	Clamped               bool   `json:"clamped"`
	From                  string `json:"from"`
	To                    string `json:"to"`
	Days                  int64  `json:"days"`
	RateCardVersion       string `json:"rateCardVersion"`
	CompedSubscriptions   int64  `json:"compedSubscriptions"`
	MrrMinor              int64  `json:"mrrMinor"`
	AllowanceUsedMinor    int64  `json:"allowanceUsedMinor"`
	NetCreditedMinor      int64  `json:"netCreditedMinor"`
	GrantedMinor          int64  `json:"grantedMinor"`
	SubscriptionPaidMinor int64  `json:"subscriptionPaidMinor"`
	SubscriptionMrrMinor  int64  `json:"subscriptionMrrMinor"`
	ActiveSubscriptions   int64  `json:"activeSubscriptions"`
	PastDueMrrMinor       int64  `json:"pastDueMrrMinor"`
	PastDueSubscriptions  int64  `json:"pastDueSubscriptions"`
	FloatMinor            int64  `json:"floatMinor"`
	ForfeitedMinor        int64  `json:"forfeitedMinor"`
	PayingOrgs            int64  `json:"payingOrgs"`
	// Average payment per paying organisation in these days; null if there is none.
	ArpuMinor *int64       `json:"arpuMinor"`
	Margin    []LaneMargin `json:"margin"`
	// The same figures, exact, for each wallet currency.
	ByCurrency []MetricsKpisReplyByCurrencyItem `json:"byCurrency"`
}

type MetricsKpisReplyByCurrencyItem struct {
	// One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency              string `json:"currency"`
	MrrMinor              int64  `json:"mrrMinor"`
	AllowanceUsedMinor    int64  `json:"allowanceUsedMinor"`
	NetCreditedMinor      int64  `json:"netCreditedMinor"`
	GrantedMinor          int64  `json:"grantedMinor"`
	SubscriptionPaidMinor int64  `json:"subscriptionPaidMinor"`
	SubscriptionMrrMinor  int64  `json:"subscriptionMrrMinor"`
	ActiveSubscriptions   int64  `json:"activeSubscriptions"`
	PastDueMrrMinor       int64  `json:"pastDueMrrMinor"`
	PastDueSubscriptions  int64  `json:"pastDueSubscriptions"`
	FloatMinor            int64  `json:"floatMinor"`
	ForfeitedMinor        int64  `json:"forfeitedMinor"`
	PayingOrgs            int64  `json:"payingOrgs"`
	// Average payment per paying organisation in these days; null if there is none.
	ArpuMinor *int64       `json:"arpuMinor"`
	Margin    []LaneMargin `json:"margin"`
}

type MetricsOverviewReply struct {
	// One of org, all.
	Scope string `json:"scope"`
	// Null for all organisations.
	OrgID *string `json:"orgId"`
	// The currency of all amounts in this object. For all organisations amounts are in kobo: the total of each currency is converted by the current rate card, rounded to the nearest kobo, then added. One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency string `json:"currency"`
	// True if a sum in kobo exceeds 64 bits. It is replaced by the largest 64-bit number; only the figures by currency are exact.
	Clamped bool                       `json:"clamped"`
	At      string                     `json:"at"`
	Wallet  MetricsOverviewReplyWallet `json:"wallet"`
	Usage   MetricsOverviewReplyUsage  `json:"usage"`
	// From the ledger.
	Last30Days    MetricsOverviewReplyLast30Days    `json:"last30Days"`
	Subscriptions MetricsOverviewReplySubscriptions `json:"subscriptions"`
	// Null for all organisations.
	Org *MetricsOverviewReplyOrg `json:"org"`
	// Null for one organisation.
	Fleet *MetricsOverviewReplyFleet `json:"fleet"`
}

type MetricsOverviewReplyFleet struct {
	Orgs             int64 `json:"orgs"`
	ClosedOrgs       int64 `json:"closedOrgs"`
	Users            int64 `json:"users"`
	ActiveOrgs       int64 `json:"activeOrgs"`
	ActiveUsers      int64 `json:"activeUsers"`
	PayingOrgs       int64 `json:"payingOrgs"`
	SuspendedOrgs    int64 `json:"suspendedOrgs"`
	KycPending       int64 `json:"kycPending"`
	PaymentsInReview int64 `json:"paymentsInReview"`
}

// MetricsOverviewReplyLast30Days: From the ledger.
type MetricsOverviewReplyLast30Days struct {
	UsageMinor        int64 `json:"usageMinor"`
	AllowanceMinor    int64 `json:"allowanceMinor"`
	CreditedMinor     int64 `json:"creditedMinor"`
	GrantedMinor      int64 `json:"grantedMinor"`
	SubscriptionMinor int64 `json:"subscriptionMinor"`
}

type MetricsOverviewReplyOrg struct {
	Name               string  `json:"name"`
	Tier               string  `json:"tier"`
	Plan               *string `json:"plan"`
	SubscriptionStatus *string `json:"subscriptionStatus"`
	Suspended          bool    `json:"suspended"`
	KycStatus          string  `json:"kycStatus"`
	Members            int64   `json:"members"`
	ActiveUsers        int64   `json:"activeUsers"`
	CreatedAt          string  `json:"createdAt"`
	LastActiveAt       *string `json:"lastActiveAt"`
}

type MetricsOverviewReplySubscriptions struct {
	Active       int64 `json:"active"`
	PastDue      int64 `json:"pastDue"`
	Comped       int64 `json:"comped"`
	MonthlyMinor int64 `json:"monthlyMinor"`
}

type MetricsOverviewReplyUsage struct {
	// Since midnight UTC.
	Today      MetricsOverviewReplyUsageToday      `json:"today"`
	Last30Days MetricsOverviewReplyUsageLast30Days `json:"last30Days"`
}

type MetricsOverviewReplyUsageLast30Days struct {
	CostMinor int64 `json:"costMinor"`
	Tokens    int64 `json:"tokens"`
	Turns     int64 `json:"turns"`
}

// MetricsOverviewReplyUsageToday: Since midnight UTC.
type MetricsOverviewReplyUsageToday struct {
	CostMinor int64 `json:"costMinor"`
	Tokens    int64 `json:"tokens"`
	Turns     int64 `json:"turns"`
}

type MetricsOverviewReplyWallet struct {
	BalanceMinor  int64 `json:"balanceMinor"`
	HeldMinor     int64 `json:"heldMinor"`
	IncludedMinor int64 `json:"includedMinor"`
}

type MetricsTimeseriesReply struct {
	// One of org, all.
	Scope string `json:"scope"`
	// Null for all organisations.
	OrgID *string `json:"orgId"`
	// The currency of all amounts in this object. For all organisations amounts are in kobo: the total of each currency is converted by the current rate card, rounded to the nearest kobo, then added. One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency string `json:"currency"`
	// True if a sum in kobo exceeds 64 bits. It is replaced by the largest 64-bit number; only the figures by currency are exact.
	Clamped bool `json:"clamped"`
	// One of hour, day, week, month.
	Interval string   `json:"interval"`
	From     string   `json:"from"`
	To       string   `json:"to"`
	Metrics  []string `json:"metrics"`
	// Every interval, including empty ones.
	Points []MetricsTimeseriesReplyPoint `json:"points"`
}

type MetricsTimeseriesReplyPoint struct {
	At string `json:"at"`
	// Usage paid by wallets.
	UsageMinor *int64 `json:"usageMinor,omitempty"`
	// Usage paid by allowances.
	AllowanceMinor *int64 `json:"allowanceMinor,omitempty"`
	// Payments, including those for plans, minus reversals by providers.
	NetCreditedMinor *int64 `json:"netCreditedMinor,omitempty"`
	// Refunds and adjustments by staff, without cash.
	GrantedMinor *int64 `json:"grantedMinor,omitempty"`
	// Payments for plans minus refunds.
	SubscriptionMinor *int64 `json:"subscriptionMinor,omitempty"`
	Tokens            *int64 `json:"tokens,omitempty"`
	Turns             *int64 `json:"turns,omitempty"`
	ActiveOrgs        *int64 `json:"activeOrgs,omitempty"`
	ActiveUsers       *int64 `json:"activeUsers,omitempty"`
}

type MetricsUsageReply struct {
	// One of org, all.
	Scope string `json:"scope"`
	// Null for all organisations.
	OrgID *string `json:"orgId"`
	// The currency of all amounts in this object. For all organisations amounts are in kobo: the total of each currency is converted by the current rate card, rounded to the nearest kobo, then added. One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency string `json:"currency"`
	// True if a sum in kobo exceeds 64 bits. It is replaced by the largest 64-bit number; only the figures by currency are exact.
	Clamped bool                    `json:"clamped"`
	From    string                  `json:"from"`
	To      string                  `json:"to"`
	Totals  MetricsUsageReplyTotals `json:"totals"`
	// By UTC day, lane and source, oldest first, without empty rows. For all organisations each row is rounded.
	Rows []MetricsUsageReplyRow `json:"rows"`
	// The 200 members with the highest cost, for owners, admins and staff. Null for other callers, for keys and for all organisations. Background work has no member.
	ByMember []MetricsUsageReplyByMemberItem `json:"byMember"`
}

type MetricsUsageReplyByMemberItem struct {
	CostMinor int64   `json:"costMinor"`
	Tokens    int64   `json:"tokens"`
	Turns     int64   `json:"turns"`
	UserID    *string `json:"userId"`
	Email     *string `json:"email"`
}

type MetricsUsageReplyRow struct {
	CostMinor int64  `json:"costMinor"`
	Tokens    int64  `json:"tokens"`
	Turns     int64  `json:"turns"`
	Day       string `json:"day"`
	Lane      string `json:"lane"`
	Source    string `json:"source"`
}

type MetricsUsageReplyTotals struct {
	CostMinor int64                                      `json:"costMinor"`
	Tokens    int64                                      `json:"tokens"`
	Turns     int64                                      `json:"turns"`
	ByLane    map[string]MetricsUsageReplyTotalsByLane   `json:"byLane"`
	BySource  map[string]MetricsUsageReplyTotalsBySource `json:"bySource"`
	// The 50 models with the most tokens; null for more than 31 days, because daily sums have no model.
	ByModel []MetricsUsageReplyTotalsByModelItem `json:"byModel"`
}

type MetricsUsageReplyTotalsByLane struct {
	CostMinor int64 `json:"costMinor"`
	Tokens    int64 `json:"tokens"`
	Turns     int64 `json:"turns"`
}

type MetricsUsageReplyTotalsByModelItem struct {
	CostMinor int64  `json:"costMinor"`
	Tokens    int64  `json:"tokens"`
	Turns     int64  `json:"turns"`
	Model     string `json:"model"`
}

type MetricsUsageReplyTotalsBySource struct {
	CostMinor int64 `json:"costMinor"`
	Tokens    int64 `json:"tokens"`
	Turns     int64 `json:"turns"`
}

type NewTask struct {
	// Default: made from the first prompt.
	Title     *string          `json:"title,omitempty"`
	Workspace NewTaskWorkspace `json:"workspace"`
	// `open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn.
	Model *string `json:"model,omitempty"`
	// The most that all turns of the task may cost together.
	BudgetMinor *int64 `json:"budgetMinor,omitempty"`
	// Standing instructions for every turn.
	Instructions *string `json:"instructions,omitempty"`
}

type NewTaskTurn struct {
	Prompt      string                  `json:"prompt"`
	Attachments []NewTaskTurnAttachment `json:"attachments,omitempty"`
	// The most that this turn may cost. Default: see the quote.
	MaxMinor *int64 `json:"maxMinor,omitempty"`
	// The command that verifies the result. Default: the test command of the repository.
	Verify *NewTaskTurnVerify `json:"verify,omitempty"`
	// True sends secrets in the prompt, in attachments, and in files that the prompt names, to the model. Otherwise they are withheld and listed.
	AllowSecrets *bool `json:"allowSecrets,omitempty"`
	// `open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn.
	Model *string `json:"model,omitempty"`
	// `plan`: the model reads and answers with a plan. Tools that change something are refused. Default: `work`. One of work, plan.
	Mode *string `json:"mode,omitempty"`
	// True replaces the conversation before this turn by a summary first. It is a metered call within `maxMinor`.
	Compact *bool `json:"compact,omitempty"`
}

type NewTaskTurnAttachment struct {
	Name string `json:"name"`
	// One of image/png, image/jpeg, image/gif, image/webp.
	MediaType *string `json:"mediaType,omitempty"`
	Data      *string `json:"data,omitempty"`
	Content   *string `json:"content,omitempty"`
}

// NewTaskTurnVerify: The command that verifies the result. Default: the test command of the repository.
type NewTaskTurnVerify struct {
	Command string `json:"command"`
}

type NewTaskWorkspace struct {
	// One of files, repository, client.
	Kind  string                 `json:"kind"`
	Files []NewTaskWorkspaceFile `json:"files,omitempty"`
	// An installation of GET /vcs/installations.
	InstallationID *string `json:"installationId,omitempty"`
	Repository     *string `json:"repository,omitempty"`
	// A branch, a tag or a commit. Default: the default branch.
	Ref *string `json:"ref,omitempty"`
	// Shown to people, such as the name of the folder.
	Name *string `json:"name,omitempty"`
	// Tools that you run, beside those of the service: the turn asks with `needs_tool`. At most 64, and 128 kB together.
	Tools []TaskClientTool `json:"tools,omitempty"`
	// A file such as AGENTS.md that describes the conventions of the folder to the model.
	Conventions *NewTaskWorkspaceConventions `json:"conventions,omitempty"`
}

// NewTaskWorkspaceConventions: A file such as AGENTS.md that describes the conventions of the folder to the model.
type NewTaskWorkspaceConventions struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

type NewTaskWorkspaceFile struct {
	Path    string `json:"path"`
	Content string `json:"content"`
	// Default: utf8. Use base64 for files that are not text. One of utf8, base64.
	Encoding *string `json:"encoding,omitempty"`
}

type Ok struct {
	Ok bool `json:"ok"`
}

type Paybill struct {
	// The number of the paybill.
	Paybill *string `json:"paybill"`
	// The account number of your organisation. Case, spaces and hyphens do not matter.
	Account *string `json:"account"`
	// One of live.
	Mode *string `json:"mode"`
}

type PaymentMethodsListReply struct {
	PaymentMethods []Card `json:"paymentMethods"`
}

type Plan struct {
	// One of free, pro, team, enterprise.
	Code string `json:"code"`
	Name string `json:"name"`
	// One of individual, team, enterprise.
	Tier string `json:"tier"`
	// One of month, year.
	Interval    string `json:"interval"`
	AmountMinor int64  `json:"amountMinor"`
	// One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency           string `json:"currency"`
	IncludedUsageMinor int64  `json:"includedUsageMinor"`
	// Seats included in the plan.
	SeatAllotment  int64 `json:"seatAllotment"`
	SeatPriceMinor int64 `json:"seatPriceMinor"`
}

type PlansListReply struct {
	Plans []Plan `json:"plans"`
}

type Project struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Your access. Owners and admins are always editors. One of viewer, editor.
	Access    string `json:"access"`
	CreatedBy string `json:"createdBy"`
	CreatedAt string `json:"createdAt"`
}

type ProjectDetail struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Your access. Owners and admins are always editors. One of viewer, editor.
	Access    string `json:"access"`
	CreatedBy string `json:"createdBy"`
	CreatedAt string `json:"createdAt"`
	// Without the owners and admins of the organisation, who see every project.
	Members []ProjectMember `json:"members"`
	// Its 100 newest files.
	Attachments []Attachment `json:"attachments"`
	// Pass it as `cursor` to GET /attachments, with `projectId`, to list further files. Null if there are none.
	AttachmentsCursor *string `json:"attachmentsCursor"`
}

type ProjectMember struct {
	UserID string  `json:"userId"`
	Email  string  `json:"email"`
	Name   *string `json:"name"`
	// One of viewer, editor.
	Access  string `json:"access"`
	AddedAt string `json:"addedAt"`
}

type ProjectsCreateBody struct {
	Name string `json:"name"`
}

type ProjectsListReply struct {
	Projects   []Project `json:"projects"`
	NextCursor *string   `json:"nextCursor"`
}

type ProjectsRenameBody struct {
	Name string `json:"name"`
}

type RejectedTaskChanges struct {
	// Paths that were changed.
	Changed []string       `json:"changed"`
	Files   []TaskFileDiff `json:"files"`
	// Parts that are left out because the difference is too large.
	Skipped []RejectedTaskChangesSkippedItem `json:"skipped"`
	// The last change before this one. Revert to it to undo.
	Before int64 `json:"before"`
	// The number of the last change of the workspace.
	Change int64 `json:"change"`
}

type RejectedTaskChangesSkippedItem struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type RequestRow struct {
	ID       string  `json:"id"`
	At       string  `json:"at"`
	OrgID    string  `json:"orgId"`
	Currency string  `json:"currency"`
	KeyID    *string `json:"keyId"`
	UserID   *string `json:"userId"`
	Route    string  `json:"route"`
	Model    string  `json:"model"`
	Provider *string `json:"provider"`
	// Four classes without overlap.
	Tokens    RequestRowTokens `json:"tokens"`
	CostMinor int64            `json:"costMinor"`
	// The cost without rounding, in minor units, where charges accumulate: `costMinor` is then 0 if earlier charges paid for it. Null for a charge that is rounded up by itself.
	ExactCost *string `json:"exactCost"`
	// Time to the first token; null without a stream.
	TtftMs     *int64 `json:"ttftMs"`
	DurationMs int64  `json:"durationMs"`
	Status     int64  `json:"status"`
	// The error code; null for a success.
	Code      *string `json:"code"`
	RequestID *string `json:"requestId"`
	// Explains the charge at GET /wallet/ledger/{id}. Null where the wallet paid nothing, unless the charge accumulates with others.
	LedgerID *string `json:"ledgerId"`
}

// RequestRowTokens: Four classes without overlap.
type RequestRowTokens struct {
	Input       int64 `json:"input"`
	CachedInput int64 `json:"cachedInput"`
	CacheWrite  int64 `json:"cacheWrite"`
	Output      int64 `json:"output"`
}

type RequestSummary struct {
	// One of hour, day.
	Bucket   string                 `json:"bucket"`
	OrgID    *string                `json:"orgId"`
	Currency string                 `json:"currency"`
	From     string                 `json:"from"`
	To       string                 `json:"to"`
	Buckets  []RequestSummaryBucket `json:"buckets"`
}

type RequestSummaryBucket struct {
	At        string `json:"at"`
	Requests  int64  `json:"requests"`
	Errors    int64  `json:"errors"`
	CostMinor int64  `json:"costMinor"`
	// Four classes without overlap.
	Tokens RequestSummaryBucketTokens `json:"tokens"`
	// Of successful calls; null without one.
	DurationMs *RequestSummaryBucketDurationMs `json:"durationMs"`
	// Of successful calls; null without one.
	TtftMs *RequestSummaryBucketTtftMs `json:"ttftMs"`
}

type RequestSummaryBucketDurationMs struct {
	P50 int64 `json:"p50"`
	P95 int64 `json:"p95"`
}

// RequestSummaryBucketTokens: Four classes without overlap.
type RequestSummaryBucketTokens struct {
	Input       int64 `json:"input"`
	CachedInput int64 `json:"cachedInput"`
	CacheWrite  int64 `json:"cacheWrite"`
	Output      int64 `json:"output"`
}

type RequestSummaryBucketTtftMs struct {
	P50 int64 `json:"p50"`
	P95 int64 `json:"p95"`
}

type ResearchAnswerBody struct {
	Answer string `json:"answer"`
}

type ResearchConfig struct {
	// Whether POST /research can start a run now.
	Available bool `json:"available"`
	// The missing requirements of the deployment. `budget`: the budget ceiling is too low for any run.
	Missing []string `json:"missing"`
	// False if the operator has disabled research.
	Enabled       bool `json:"enabled"`
	CanFetchPages bool `json:"canFetchPages"`
	// One of open, synthesis-frontier, frontier.
	LaneMode    string `json:"laneMode"`
	BudgetMinor int64  `json:"budgetMinor"`
	Currency    string `json:"currency"`
	// The most concurrent runs of your organisation.
	InFlightMax int64 `json:"inFlightMax"`
	// Its current runs.
	InFlight int64                 `json:"inFlight"`
	Depths   []ResearchConfigDepth `json:"depths"`
}

type ResearchConfigDepth struct {
	// One of quick, standard, exhaustive.
	Depth string `json:"depth"`
	// The most search passes.
	Passes int64 `json:"passes"`
	// The most subquestions.
	Subquestions int64 `json:"subquestions"`
	// The most pages that are read.
	Pages         int64 `json:"pages"`
	EstimateMinor int64 `json:"estimateMinor"`
	MaxMinor      int64 `json:"maxMinor"`
	LeastMinor    int64 `json:"leastMinor"`
	// The longest duration of a run.
	MinutesMax int64 `json:"minutesMax"`
}

type ResearchFollowUpBody struct {
	Question string `json:"question"`
	// One of quick, standard, exhaustive.
	Depth          *string `json:"depth,omitempty"`
	ConversationID *string `json:"conversationId,omitempty"`
	// The maximum cost. Values above the platform ceiling are lowered to it.
	BudgetMinor *int64 `json:"budgetMinor,omitempty"`
	// Let a model ask a clarifying question first, if the question is unclear. Its turn is charged.
	Clarify *bool `json:"clarify,omitempty"`
	// Wait until you approve the plan with POST /research/{id}/plan.
	ApprovePlan *bool `json:"approvePlan,omitempty"`
	// False: use only your documents, repositories and the pages of the earlier run.
	SearchWeb *bool `json:"searchWeb,omitempty"`
	// Names of indexed repositories (POST /repo/index) that are searched too.
	Repositories []string `json:"repositories,omitempty"`
	// Your own text, HTML, PDF or DOCX documents. Each counts as a page of the run and is kept with it.
	Documents []ResearchFollowUpBodyDocument `json:"documents,omitempty"`
}

type ResearchFollowUpBodyDocument struct {
	Name    string `json:"name"`
	Content string `json:"content"`
	// One of text, base64.
	Encoding *string `json:"encoding,omitempty"`
}

type ResearchListReply struct {
	Runs       []ResearchSummary `json:"runs"`
	NextCursor *string           `json:"nextCursor"`
}

type ResearchPlanBody struct {
	// The plan as you want it. Default: as proposed.
	Subquestions []string `json:"subquestions,omitempty"`
}

type ResearchRun struct {
	ID string `json:"id"`
	// `cancelled` immediately; `finishedAt` is set when the current turn ends. One of running, completed, cancelled, failed.
	Status string `json:"status"`
	// Why it stopped searching. Null while it is running. One of completed, budget, wall_clock, cancelled, error.
	StopReason *string `json:"stopReason"`
	// One of queued, plan, search, read, extract, gap, report, done.
	Phase    string `json:"phase"`
	Question string `json:"question"`
	// One of quick, standard, exhaustive.
	Depth string `json:"depth"`
	// One of open, synthesis-frontier, frontier.
	LaneMode      string `json:"laneMode"`
	BudgetMinor   int64  `json:"budgetMinor"`
	SpentMinor    int64  `json:"spentMinor"`
	RefundedMinor int64  `json:"refundedMinor"`
	// The user who started it.
	UserID         string  `json:"userId"`
	ProjectID      *string `json:"projectId"`
	ConversationID *string `json:"conversationId"`
	// The run that it follows.
	FollowUpOf *string `json:"followUpOf"`
	// Set while it waits for you: `answer` (POST /research/{id}/answer) or `approval` (POST /research/{id}/plan). Nothing is held meanwhile. After three days the run is cancelled. One of answer, approval.
	Needs      *string `json:"needs"`
	ErrorCode  *string `json:"errorCode"`
	CreatedAt  string  `json:"createdAt"`
	FinishedAt *string `json:"finishedAt"`
	AsideMinor int64   `json:"asideMinor"`
	// Charged model turns.
	Turns        int64    `json:"turns"`
	SearchWeb    bool     `json:"searchWeb"`
	Repositories []string `json:"repositories"`
	// Null if no clarifying question was asked.
	Clarification *ResearchRunClarification `json:"clarification"`
	// Runs that follow this one, oldest first.
	FollowUps []ResearchRunFollowUp `json:"followUps"`
	// Empty until the plan is made.
	Plan     ResearchRunPlan      `json:"plan"`
	Sources  []ResearchRunSource  `json:"sources"`
	Findings []ResearchRunFinding `json:"findings"`
	// Null until the report is published.
	Report *ResearchRunReport `json:"report"`
}

type ResearchRunClarification struct {
	Questions []string `json:"questions"`
	Answer    *string  `json:"answer"`
}

type ResearchRunFinding struct {
	ID    string `json:"id"`
	Claim string `json:"claim"`
	// Occurs verbatim in the text of each source.
	Quote   string  `json:"quote"`
	Sources []int64 `json:"sources"`
	// One of fact, number, definition, opinion.
	Kind string `json:"kind"`
	// Its index in the plan, from 0.
	Subquestion int64 `json:"subquestion"`
}

type ResearchRunFollowUp struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	// One of running, completed, cancelled, failed.
	Status    string `json:"status"`
	CreatedAt string `json:"createdAt"`
}

// ResearchRunPlan: Empty until the plan is made.
type ResearchRunPlan struct {
	Subquestions []string `json:"subquestions"`
}

type ResearchRunReport struct {
	Files []ResearchRunReportFile `json:"files"`
}

type ResearchRunReportFile struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	ContentType string `json:"contentType"`
	Bytes       int64  `json:"bytes"`
	URL         string `json:"url"`
}

type ResearchRunSource struct {
	// The number that the report cites.
	N     int64  `json:"n"`
	URL   string `json:"url"`
	Title string `json:"title"`
	// One of read, failed, skipped.
	Status string `json:"status"`
	// Why it was not read.
	Reason *string `json:"reason"`
	// The search pass that found it.
	Pass int64 `json:"pass"`
	// The URL after redirects.
	FinalURL    *string `json:"finalUrl"`
	ContentType *string `json:"contentType"`
	Language    *string `json:"language"`
	PublishedOn *string `json:"publishedOn"`
	// Hash of the stored text.
	Sha256     *string `json:"sha256"`
	Characters *int64  `json:"characters"`
	// Whether the stored text was cut.
	IsCut     bool    `json:"isCut"`
	FetchedAt *string `json:"fetchedAt"`
}

type ResearchSourceText struct {
	// The number that the report cites.
	N     int64  `json:"n"`
	URL   string `json:"url"`
	Title string `json:"title"`
	// One of read, failed, skipped.
	Status string `json:"status"`
	// Why it was not read.
	Reason *string `json:"reason"`
	// The search pass that found it.
	Pass int64 `json:"pass"`
	// The URL after redirects.
	FinalURL    *string `json:"finalUrl"`
	ContentType *string `json:"contentType"`
	Language    *string `json:"language"`
	PublishedOn *string `json:"publishedOn"`
	// Hash of the stored text.
	Sha256     *string `json:"sha256"`
	Characters *int64  `json:"characters"`
	// Whether the stored text was cut.
	IsCut     bool    `json:"isCut"`
	FetchedAt *string `json:"fetchedAt"`
	// The text that quotes were checked against.
	Text string `json:"text"`
}

type ResearchStartBody struct {
	Question string `json:"question"`
	// One of quick, standard, exhaustive.
	Depth *string `json:"depth,omitempty"`
	// The project of the run and its report files. Only those who see the project see the run.
	ProjectID      *string `json:"projectId,omitempty"`
	ConversationID *string `json:"conversationId,omitempty"`
	// The maximum cost. Values above the platform ceiling are lowered to it.
	BudgetMinor *int64 `json:"budgetMinor,omitempty"`
	// Let a model ask a clarifying question first, if the question is unclear. Its turn is charged.
	Clarify *bool `json:"clarify,omitempty"`
	// Wait until you approve the plan with POST /research/{id}/plan.
	ApprovePlan *bool `json:"approvePlan,omitempty"`
	// False: use only your documents, repositories and the pages of the earlier run.
	SearchWeb *bool `json:"searchWeb,omitempty"`
	// Names of indexed repositories (POST /repo/index) that are searched too.
	Repositories []string `json:"repositories,omitempty"`
	// Your own text, HTML, PDF or DOCX documents. Each counts as a page of the run and is kept with it.
	Documents []ResearchStartBodyDocument `json:"documents,omitempty"`
}

type ResearchStartBodyDocument struct {
	Name    string `json:"name"`
	Content string `json:"content"`
	// One of text, base64.
	Encoding *string `json:"encoding,omitempty"`
}

type ResearchStarted struct {
	ID string `json:"id"`
	// One of running, completed, cancelled, failed.
	Status string `json:"status"`
	// One of quick, standard, exhaustive.
	Depth       string `json:"depth"`
	BudgetMinor int64  `json:"budgetMinor"`
	// One of open, synthesis-frontier, frontier.
	LaneMode string `json:"laneMode"`
}

type ResearchStreamFrame struct {
	// The number of the frame within its run, from 1.
	Seq int64  `json:"seq"`
	At  string `json:"at"`
	// One of phase, plan, needs, resumed, search, source, finding, turn, warning, report, done.
	Kind string `json:"kind"`
	// One of queued, plan, search, read, extract, gap, report, done.
	Phase        *string  `json:"phase,omitempty"`
	Pass         *int64   `json:"pass,omitempty"`
	Subquestions []string `json:"subquestions,omitempty"`
	// One of model, rules, user.
	By *string `json:"by,omitempty"`
	// One of answer, approval.
	Needs     *string           `json:"needs,omitempty"`
	Questions []string          `json:"questions,omitempty"`
	Answer    *Nullable[string] `json:"answer,omitempty"`
	Query     *string           `json:"query,omitempty"`
	Hits      *int64            `json:"hits,omitempty"`
	// Why the search failed.
	Trouble *Nullable[string] `json:"trouble,omitempty"`
	// The number that the report cites.
	N     *int64  `json:"n,omitempty"`
	URL   *string `json:"url,omitempty"`
	Title *string `json:"title,omitempty"`
	// One of read, failed, skipped, running, completed, cancelled.
	Status *string `json:"status,omitempty"`
	// Why it was not read.
	Reason *Nullable[string] `json:"reason,omitempty"`
	ID     *string           `json:"id,omitempty"`
	Claim  *string           `json:"claim,omitempty"`
	// Occurs verbatim in the text of each source.
	Quote   *string `json:"quote,omitempty"`
	Sources []int64 `json:"sources,omitempty"`
	// One of clarify, plan, extract, gap, report, repair.
	Purpose *string `json:"purpose,omitempty"`
	// One of open, frontier.
	Lane       *string                   `json:"lane,omitempty"`
	Model      *string                   `json:"model,omitempty"`
	Tokens     *int64                    `json:"tokens,omitempty"`
	CostMinor  *int64                    `json:"costMinor,omitempty"`
	SpentMinor *int64                    `json:"spentMinor,omitempty"`
	Code       *string                   `json:"code,omitempty"`
	Message    *string                   `json:"message,omitempty"`
	Files      []ResearchStreamFrameFile `json:"files,omitempty"`
	// One of completed, budget, wall_clock, cancelled, error.
	StopReason *string      `json:"stopReason,omitempty"`
	Run        *ResearchRun `json:"run,omitempty"`
}

type ResearchStreamFrameFile struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	ContentType string `json:"contentType"`
	Bytes       int64  `json:"bytes"`
	URL         string `json:"url"`
}

type ResearchSummary struct {
	ID string `json:"id"`
	// `cancelled` immediately; `finishedAt` is set when the current turn ends. One of running, completed, cancelled, failed.
	Status string `json:"status"`
	// Why it stopped searching. Null while it is running. One of completed, budget, wall_clock, cancelled, error.
	StopReason *string `json:"stopReason"`
	// One of queued, plan, search, read, extract, gap, report, done.
	Phase    string `json:"phase"`
	Question string `json:"question"`
	// One of quick, standard, exhaustive.
	Depth string `json:"depth"`
	// One of open, synthesis-frontier, frontier.
	LaneMode      string `json:"laneMode"`
	BudgetMinor   int64  `json:"budgetMinor"`
	SpentMinor    int64  `json:"spentMinor"`
	RefundedMinor int64  `json:"refundedMinor"`
	// The user who started it.
	UserID         string  `json:"userId"`
	ProjectID      *string `json:"projectId"`
	ConversationID *string `json:"conversationId"`
	// The run that it follows.
	FollowUpOf *string `json:"followUpOf"`
	// Set while it waits for you: `answer` (POST /research/{id}/answer) or `approval` (POST /research/{id}/plan). Nothing is held meanwhile. After three days the run is cancelled. One of answer, approval.
	Needs      *string `json:"needs"`
	ErrorCode  *string `json:"errorCode"`
	CreatedAt  string  `json:"createdAt"`
	FinishedAt *string `json:"finishedAt"`
}

type ReviewCustomRulesTestBody struct {
	// The rule in YAML: `id`, `title`, `severity`, `cwe`, `languages`, `message`, `fix` and one of `call`, `flow` and `text`. See docs/custom-rules.md.
	Yaml  string                          `json:"yaml"`
	Files []ReviewCustomRulesTestBodyFile `json:"files"`
}

type ReviewCustomRulesTestBodyFile struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

type ReviewFinding struct {
	RuleID string `json:"ruleId"`
	Title  string `json:"title"`
	Cwe    string `json:"cwe"`
	// One of error, warn, note.
	Severity string `json:"severity"`
	// One of high, medium, low.
	Confidence string `json:"confidence"`
	Path       string `json:"path"`
	Line       int64  `json:"line"`
	StartLine  int64  `json:"startLine"`
	EndLine    int64  `json:"endLine"`
	Message    string `json:"message"`
	Fix        string `json:"fix"`
	// The source line, with secrets masked.
	Snippet string `json:"snippet"`
	// The data flow from untrusted input to the finding.
	Flow []ReviewFindingFlowItem `json:"flow"`
	// Identifies the same finding after lines have moved.
	Fingerprint string `json:"fingerprint"`
	ID          string `json:"id"`
	RunID       string `json:"runId"`
	Repo        string `json:"repo"`
	Pr          int64  `json:"pr"`
	HeadSha     string `json:"headSha"`
	// One of unadjudicated, confirmed, refuted, unproven.
	Status     string                   `json:"status"`
	Suggestion *ReviewFindingSuggestion `json:"suggestion"`
	// One of person, model, history.
	AdjudicatedBy *string `json:"adjudicatedBy"`
	// The name of the person at the code host, for a verdict in a reply.
	AdjudicatedLogin *string                    `json:"adjudicatedLogin"`
	Note             *string                    `json:"note"`
	Evidence         map[string]json.RawMessage `json:"evidence"`
	CreditedMinor    int64                      `json:"creditedMinor"`
	CreatedAt        string                     `json:"createdAt"`
	AdjudicatedAt    *string                    `json:"adjudicatedAt"`
}

type ReviewFindingFlowItem struct {
	Path string `json:"path"`
	Line int64  `json:"line"`
	What string `json:"what"`
}

// ReviewFindingSuggestion: A replacement of whole lines. It was applied to the commit: the finding disappears, and the command passes in the sandbox.
type ReviewFindingSuggestion struct {
	StartLine   int64  `json:"startLine"`
	EndLine     int64  `json:"endLine"`
	Replacement string `json:"replacement"`
	// One of rule, model.
	By      string `json:"by"`
	Command string `json:"command"`
}

type ReviewFindingsListReply struct {
	Findings   []ReviewFinding `json:"findings"`
	NextCursor *string         `json:"nextCursor"`
}

type ReviewPrecision struct {
	// One of org, all.
	Scope         string `json:"scope"`
	Days          int64  `json:"days"`
	Findings      int64  `json:"findings"`
	Confirmed     int64  `json:"confirmed"`
	Refuted       int64  `json:"refuted"`
	Unadjudicated int64  `json:"unadjudicated"`
	Unproven      int64  `json:"unproven"`
	// Refuted findings divided by confirmed and refuted findings; null without verdicts.
	FalsePositiveRate *float64                      `json:"falsePositiveRate"`
	NoisiestRules     []ReviewPrecisionNoisiestRule `json:"noisiestRules"`
}

type ReviewPrecisionNoisiestRule struct {
	RuleID            string  `json:"ruleId"`
	Confirmed         int64   `json:"confirmed"`
	Refuted           int64   `json:"refuted"`
	FalsePositiveRate float64 `json:"falsePositiveRate"`
}

type ReviewRun struct {
	ID             string `json:"id"`
	InstallationID string `json:"installationId"`
	Repo           string `json:"repo"`
	Pr             int64  `json:"pr"`
	HeadSha        string `json:"headSha"`
	Title          string `json:"title"`
	IsFork         bool   `json:"isFork"`
	// One of queued, running, completed, superseded, failed, skipped.
	Status string `json:"status"`
	// One of success, neutral, failure.
	Conclusion *string `json:"conclusion"`
	// One of off, errors, strict.
	Policy string `json:"policy"`
	// Features that were unavailable because a permission is missing.
	Degraded []string `json:"degraded"`
	// Why the review is incomplete; null when it is complete.
	Reason *string `json:"reason"`
	// One of inline, annotations, comment, stored.
	PublishedAs *string                    `json:"publishedAs"`
	Files       int64                      `json:"files"`
	NotReviewed []ReviewRunNotReviewedItem `json:"notReviewed"`
	Notes       []string                   `json:"notes"`
	Counts      map[string]float64         `json:"counts"`
	CostMinor   int64                      `json:"costMinor"`
	Turns       int64                      `json:"turns"`
	Validation  map[string]json.RawMessage `json:"validation"`
	CreatedAt   string                     `json:"createdAt"`
	StartedAt   *string                    `json:"startedAt"`
	FinishedAt  *string                    `json:"finishedAt"`
}

type ReviewRunNotReviewedItem struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type ReviewRunsListReply struct {
	Runs       []ReviewRun `json:"runs"`
	NextCursor *string     `json:"nextCursor"`
}

type ReviewScanBody struct {
	Files []ReviewScanBodyFile `json:"files,omitempty"`
	// A unified diff. Together with `files`, it limits the findings to the lines that it changes.
	Diff *string `json:"diff,omitempty"`
}

type ReviewScanBodyFile struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

type RuleList struct {
	Rules []RuleListRule `json:"rules"`
}

type RuleListRule struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Cwe   string `json:"cwe"`
	// One of error, warn, note.
	Severity string `json:"severity"`
	// One of high, medium, low.
	Confidence string `json:"confidence"`
	// Empty for rules that apply to any text.
	Languages []string `json:"languages"`
	Message   string   `json:"message"`
	Fix       string   `json:"fix"`
}

type RuleTestReport struct {
	Findings []ScanFinding               `json:"findings"`
	Skipped  []RuleTestReportSkippedItem `json:"skipped"`
	Files    int64                       `json:"files"`
	// Findings that were left out: more than 50 in a file or 500 in total.
	Omitted int64 `json:"omitted"`
}

type RuleTestReportSkippedItem struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type ScanFinding struct {
	RuleID string `json:"ruleId"`
	Title  string `json:"title"`
	Cwe    string `json:"cwe"`
	// One of error, warn, note.
	Severity string `json:"severity"`
	// One of high, medium, low.
	Confidence string `json:"confidence"`
	Path       string `json:"path"`
	Line       int64  `json:"line"`
	StartLine  int64  `json:"startLine"`
	EndLine    int64  `json:"endLine"`
	Message    string `json:"message"`
	Fix        string `json:"fix"`
	// The source line, with secrets masked.
	Snippet string `json:"snippet"`
	// The data flow from untrusted input to the finding.
	Flow []ScanFindingFlowItem `json:"flow"`
	// Identifies the same finding after lines have moved.
	Fingerprint string `json:"fingerprint"`
}

type ScanFindingFlowItem struct {
	Path string `json:"path"`
	Line int64  `json:"line"`
	What string `json:"what"`
}

type ScanReport struct {
	Findings []ScanFinding `json:"findings"`
	// Findings that a comment with a reason suppresses.
	Suppressed []ScanReportSuppressedItem `json:"suppressed"`
	Skipped    []ScanReportSkippedItem    `json:"skipped"`
	// Changed files that the diff shows only in part. The scan can miss faults in them.
	Partial []string          `json:"partial"`
	Summary ScanReportSummary `json:"summary"`
}

type ScanReportSkippedItem struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type ScanReportSummary struct {
	Files      int64                       `json:"files"`
	Lines      int64                       `json:"lines"`
	Findings   int64                       `json:"findings"`
	BySeverity ScanReportSummaryBySeverity `json:"bySeverity"`
	// Findings that were left out: more than 50 in a file or 2,000 in total.
	Omitted int64 `json:"omitted"`
}

type ScanReportSummaryBySeverity struct {
	Error int64 `json:"error"`
	Warn  int64 `json:"warn"`
	Note  int64 `json:"note"`
}

type ScanReportSuppressedItem struct {
	RuleID string `json:"ruleId"`
	Path   string `json:"path"`
	Line   int64  `json:"line"`
	Reason string `json:"reason"`
}

type ScheduledChange struct {
	// One of free, pro, team, enterprise.
	PlanCode string `json:"planCode"`
	// One of month, year.
	Interval    string `json:"interval"`
	EffectiveAt string `json:"effectiveAt"`
}

type SearchReply struct {
	Hits []SearchReplyHit `json:"hits"`
	// lexical: by terms only. One of vector, lexical.
	Mode    string              `json:"mode"`
	Rewrite *SearchReplyRewrite `json:"rewrite,omitempty"`
}

type SearchReplyHit struct {
	Path      string `json:"path"`
	StartLine int64  `json:"startLine"`
	EndLine   int64  `json:"endLine"`
	Content   string `json:"content"`
	// The name of the definition; empty if there is none.
	Symbol string `json:"symbol"`
	// From 0 to 1. Comparable only within one reply.
	Score float64           `json:"score"`
	Why   SearchReplyHitWhy `json:"why"`
}

type SearchReplyHitWhy struct {
	// The BM25 score; 0 without a matching term.
	Lexical float64 `json:"lexical"`
	// The cosine similarity; 0 if the chunk is not among the nearest.
	Vector float64 `json:"vector"`
	// From 0 to 1: whether similar commits changed the file.
	History float64 `json:"history"`
}

type SearchReplyRewrite struct {
	// One of used, not_used, preview.
	Status string `json:"status"`
	// One of no_hits, no_model, model_failed, unusable_answer.
	Reason       *string  `json:"reason"`
	Words        []string `json:"words"`
	MaxCostMinor int64    `json:"maxCostMinor"`
	CostMinor    int64    `json:"costMinor"`
	BalanceMinor int64    `json:"balanceMinor"`
}

type StartedTaskTurn struct {
	TurnID   string `json:"turnId"`
	Model    string `json:"model"`
	MaxMinor int64  `json:"maxMinor"`
	// The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable.
	UsuallyMinor *UsualCost `json:"usuallyMinor"`
}

type Subscription struct {
	ID string `json:"id"`
	// One of free, pro, team, enterprise.
	PlanCode string `json:"planCode"`
	// `past_due`: a renewal is unpaid. `incomplete`: the first payment is missing. One of active, past_due, canceled, incomplete.
	Status string `json:"status"`
	// One of month, year.
	Interval           string `json:"interval"`
	Seats              int64  `json:"seats"`
	SeatsOccupied      int64  `json:"seatsOccupied"`
	CurrentPeriodStart string `json:"currentPeriodStart"`
	CurrentPeriodEnd   string `json:"currentPeriodEnd"`
	CancelAtPeriodEnd  bool   `json:"cancelAtPeriodEnd"`
	// The downgrade at the end of the period.
	ScheduledChange *ScheduledChange `json:"scheduledChange"`
	// One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency string `json:"currency"`
	// The rate card it was sold with.
	RateCardVersion string `json:"rateCardVersion"`
	// The plan is comped and free of charge.
	Comped          bool  `json:"comped"`
	NextAmountMinor int64 `json:"nextAmountMinor"`
	// The invoice to pay while the subscription is past due.
	OpenInvoiceID *string `json:"openInvoiceId"`
	// The next scheduled attempt to charge the cards.
	NextAttemptAt *string `json:"nextAttemptAt"`
	// A change waits for its payment.
	ChangeInProgress bool `json:"changeInProgress"`
}

type SubscriptionGetReply struct {
	Subscription *Subscription `json:"subscription"`
	// The plan as it was sold.
	Plan                   *Plan `json:"plan"`
	IncludedRemainingMinor int64 `json:"includedRemainingMinor"`
}

type Task struct {
	ID     string `json:"id"`
	UserID string `json:"userId"`
	Title  string `json:"title"`
	// `waiting`: for results of your tools, or for an approval. One of idle, queued, running, waiting.
	Status       string        `json:"status"`
	Workspace    TaskWorkspace `json:"workspace"`
	Model        *string       `json:"model"`
	BudgetMinor  *int64        `json:"budgetMinor"`
	SpentMinor   int64         `json:"spentMinor"`
	TurnCount    int64         `json:"turnCount"`
	Archived     bool          `json:"archived"`
	CreatedAt    string        `json:"createdAt"`
	UpdatedAt    string        `json:"updatedAt"`
	Instructions *string       `json:"instructions"`
	Turns        []TaskTurn    `json:"turns"`
	// The calls that an open turn waits for.
	Needs       []TaskNeed       `json:"needs"`
	PullRequest *TaskPullRequest `json:"pullRequest"`
	// The number of the last event.
	LastSeq int64 `json:"lastSeq"`
}

type TaskClientTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// A JSON Schema of the arguments: `type` is `object`, at most 10 levels and 16 kB, without `$ref`. The model gets the part of it that all providers accept, and you check the arguments.
	InputSchema map[string]json.RawMessage `json:"inputSchema"`
	// True if the tool changes nothing. Only such tools are offered in plan mode. Default: false.
	IsReadOnly *bool `json:"isReadOnly,omitempty"`
}

type TaskDiff struct {
	Added   int64 `json:"added"`
	Removed int64 `json:"removed"`
	// The number of the last change of the workspace.
	Change int64          `json:"change"`
	Files  []TaskFileDiff `json:"files"`
	// Parts that are left out because the difference is too large.
	Skipped []TaskDiffSkippedItem `json:"skipped"`
}

type TaskDiffSkippedItem struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type TaskEvent struct {
	// The number of the event within its task, from 1.
	Seq int64  `json:"seq"`
	At  string `json:"at"`
	// Null for a fact between turns.
	TurnID *string `json:"turnId"`
	// One of message, reasoning, tool, tool_result, change, cost, needs_tool, needs_approval, status.
	Kind string           `json:"kind"`
	Step *Nullable[int64] `json:"step,omitempty"`
	// A higher one replaces the text of the step.
	Attempt *int64 `json:"attempt,omitempty"`
	// A piece to append to the earlier ones.
	Text   *string         `json:"text,omitempty"`
	CallID *string         `json:"callId,omitempty"`
	Tool   *string         `json:"tool,omitempty"`
	Input  json.RawMessage `json:"input,omitempty"`
	Ok     *bool           `json:"ok,omitempty"`
	Output *string         `json:"output,omitempty"`
	// The output is shortened. `GET /tasks/{id}/tool-results/{callId}` returns the whole output.
	IsTruncated *bool   `json:"isTruncated,omitempty"`
	Path        *string `json:"path,omitempty"`
	// One of create, update, delete.
	Action *string `json:"action,omitempty"`
	// Lines.
	Added *int64 `json:"added,omitempty"`
	// Lines.
	Removed    *int64 `json:"removed,omitempty"`
	CostMinor  *int64 `json:"costMinor,omitempty"`
	SpentMinor *int64 `json:"spentMinor,omitempty"`
	// The amount that the member can still spend. Older events do not have it.
	BalanceMinor *int64  `json:"balanceMinor,omitempty"`
	Model        *string `json:"model,omitempty"`
	Tokens       *int64  `json:"tokens,omitempty"`
	// The input is too large for an event and null here. Read it at `GET /tasks/{id}/tool-results/{callId}`.
	IsInputOmitted *bool   `json:"isInputOmitted,omitempty"`
	ApprovalID     *string `json:"approvalId,omitempty"`
	// A sentence for the person who decides.
	Reason *string `json:"reason,omitempty"`
	// One of queued, running, waiting, finished.
	Status *string `json:"status,omitempty"`
	// `compacted`: a summary replaced the start of the transcript. `retrying`: a failed step is repeated. `preparing`: dependencies are installed. `verifying`: the tests run. `reverted`: the files were restored as the turn in `detail` left them, or after an earlier change. `rejected`: the caller rejected changes; `change` events follow. `pull_request`: `detail` is the new state of the pull request. For these three, `turnId` is null. One of compacted, retrying, verifying, preparing, reverted, rejected, pull_request.
	Note   *string `json:"note,omitempty"`
	Detail *string `json:"detail,omitempty"`
	// Present when a turn has finished, as are the fields below. One of completed, stopped, budget_reached, step_limit, no_progress, declined, too_long, abandoned, workspace_unavailable, upstream_failed, policy, failed.
	StopReason   *string                     `json:"stopReason,omitempty"`
	Summary      *Nullable[string]           `json:"summary,omitempty"`
	Verification *Nullable[TaskVerification] `json:"verification,omitempty"`
	Withheld     []TaskEventWithheldItem     `json:"withheld,omitempty"`
}

type TaskEventWithheldItem struct {
	Path   string `json:"path"`
	Line   *int64 `json:"line,omitempty"`
	Reason string `json:"reason"`
}

type TaskFileDiff struct {
	Path string `json:"path"`
	// One of create, update, delete.
	Action   string `json:"action"`
	Added    int64  `json:"added"`
	Removed  int64  `json:"removed"`
	Patch    string `json:"patch"`
	IsBinary bool   `json:"isBinary"`
	IsWhole  bool   `json:"isWhole"`
	// Of the current content. Null for a deleted file and for client workspaces.
	Sha256 *string `json:"sha256"`
}

type TaskFiles struct {
	Entries []TaskFilesEntry `json:"entries"`
	// False if the folder has more than 2,000 entries.
	IsWhole bool `json:"isWhole"`
}

type TaskFilesEntry struct {
	Name string `json:"name"`
	// One of file, folder.
	Kind string `json:"kind"`
	// Of a folder: all its files together.
	Bytes int64 `json:"bytes"`
	// The number of files that the task changed.
	Changed int64 `json:"changed"`
}

type TaskNeed struct {
	TurnID string `json:"turnId"`
	// Also the `approvalId` of an approval.
	CallID string `json:"callId"`
	// One of tool, approval.
	Kind  string          `json:"kind"`
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input"`
}

type TaskPatch struct {
	Title        *string           `json:"title,omitempty"`
	Archived     *bool             `json:"archived,omitempty"`
	Model        *Nullable[string] `json:"model,omitempty"`
	BudgetMinor  *Nullable[int64]  `json:"budgetMinor,omitempty"`
	Instructions *Nullable[string] `json:"instructions,omitempty"`
	// Of a client workspace: replaces all its tools. The next turn uses them.
	Tools []TaskClientTool `json:"tools,omitempty"`
	// Of a client workspace: replaces its conventions. The next turn uses them.
	Conventions *Nullable[TaskPatchConventions] `json:"conventions,omitempty"`
}

// TaskPatchConventions: A file such as AGENTS.md that describes the conventions of the folder to the model.
type TaskPatchConventions struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

type TaskPullRequest struct {
	URL    string `json:"url"`
	Number int64  `json:"number"`
	Branch string `json:"branch"`
	// From the last webhook of GitHub. One of draft, open, merged, closed.
	State string `json:"state"`
}

type TaskRejection struct {
	// The turn of the difference. Default: all changes of the task.
	From  *string             `json:"from,omitempty"`
	Files []TaskRejectionFile `json:"files"`
}

type TaskRejectionFile struct {
	Path string `json:"path"`
	// Of the content that you saw, from the difference. Null for a deleted file.
	Sha256 *string `json:"sha256"`
	// The numbers in the header of each hunk in the patch. Default: the whole file.
	Hunks []TaskRejectionFileHunk `json:"hunks,omitempty"`
}

type TaskRejectionFileHunk struct {
	OldStart int64 `json:"oldStart"`
	NewStart int64 `json:"newStart"`
}

type TaskSummary struct {
	ID     string `json:"id"`
	UserID string `json:"userId"`
	Title  string `json:"title"`
	// `waiting`: for results of your tools, or for an approval. One of idle, queued, running, waiting.
	Status      string               `json:"status"`
	Workspace   TaskWorkspace        `json:"workspace"`
	Model       *string              `json:"model"`
	BudgetMinor *int64               `json:"budgetMinor"`
	SpentMinor  int64                `json:"spentMinor"`
	TurnCount   int64                `json:"turnCount"`
	Archived    bool                 `json:"archived"`
	CreatedAt   string               `json:"createdAt"`
	UpdatedAt   string               `json:"updatedAt"`
	LastTurn    *TaskSummaryLastTurn `json:"lastTurn"`
}

type TaskSummaryLastTurn struct {
	// One of queued, running, waiting, finished.
	Status string `json:"status"`
	// One of completed, stopped, budget_reached, step_limit, no_progress, declined, too_long, abandoned, workspace_unavailable, upstream_failed, policy, failed.
	StopReason *string `json:"stopReason"`
	Verified   bool    `json:"verified"`
	// The first 300 characters.
	Summary *string `json:"summary"`
}

type TaskToolResults struct {
	Results []TaskToolResultsResult `json:"results"`
}

type TaskToolResultsResult struct {
	CallID string  `json:"callId"`
	Ok     bool    `json:"ok"`
	Output *string `json:"output,omitempty"`
	// Instead of `output`: an earlier call of this task, whose result this one resembles.
	Base *string `json:"base,omitempty"`
	// With `base`: of the whole output as UTF-8.
	Sha256 *string `json:"sha256,omitempty"`
	// With `base`: the output in order. A text is new. `[from, count]` are lines of the base, from 0, with their line breaks. `[from, count, number, width]` are such lines that begin with a number and `| `, with consecutive numbers from `number` instead, padded to `width`. Empty: the output is the same. `lineDelta` of the SDK makes it.
	Delta []json.RawMessage `json:"delta,omitempty"`
	// The changes of the call, so that other devices can show it.
	Changes []TaskToolResultsResultChange `json:"changes,omitempty"`
}

type TaskToolResultsResultChange struct {
	Path string `json:"path"`
	// A unified diff.
	Patch string `json:"patch"`
}

type TaskTurn struct {
	ID          string               `json:"id"`
	Ordinal     int64                `json:"ordinal"`
	UserID      string               `json:"userId"`
	Prompt      string               `json:"prompt"`
	Attachments []TaskTurnAttachment `json:"attachments"`
	Model       string               `json:"model"`
	// One of work, plan.
	Mode string `json:"mode"`
	// One of queued, running, waiting, finished.
	Status string `json:"status"`
	// One of completed, stopped, budget_reached, step_limit, no_progress, declined, too_long, abandoned, workspace_unavailable, upstream_failed, policy, failed.
	StopReason *string `json:"stopReason"`
	ErrorCode  *string `json:"errorCode"`
	// The last words of the model.
	Summary      *string                `json:"summary"`
	Verified     bool                   `json:"verified"`
	Verification *TaskVerification      `json:"verification"`
	Withheld     []TaskTurnWithheldItem `json:"withheld"`
	MaxMinor     int64                  `json:"maxMinor"`
	// The number of files that the turn changed.
	ChangedFiles int64 `json:"changedFiles"`
	// The number of the last event before the turn: follow the turn with `after`.
	AfterSeq      int64   `json:"afterSeq"`
	SpentMinor    int64   `json:"spentMinor"`
	RefundedMinor int64   `json:"refundedMinor"`
	CreatedAt     string  `json:"createdAt"`
	FinishedAt    *string `json:"finishedAt"`
}

type TaskTurnAttachment struct {
	Name string `json:"name"`
}

type TaskTurnQuote struct {
	Model    string `json:"model"`
	MaxMinor int64  `json:"maxMinor"`
	// The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable.
	UsuallyMinor   *UsualCost `json:"usuallyMinor"`
	LeastMinor     int64      `json:"leastMinor"`
	BalanceMinor   int64      `json:"balanceMinor"`
	AvailableMinor int64      `json:"availableMinor"`
	Affordable     bool       `json:"affordable"`
}

type TaskTurnWithheldItem struct {
	Path   string `json:"path"`
	Line   *int64 `json:"line,omitempty"`
	Reason string `json:"reason"`
}

type TaskVerification struct {
	Verified bool    `json:"verified"`
	Command  *string `json:"command"`
	// One of caller, detected.
	CommandFrom *string `json:"commandFrom"`
	// One of failed_before_passes_now, new_test_passes, passed_before, still_fails, tests_changed, hard_coded, flaky, no_tests_ran, no_changes, no_command, no_sandbox, dependencies_failed, sandbox_failed, timed_out, stopped.
	Reason       string                       `json:"reason"`
	Detail       *string                      `json:"detail,omitempty"`
	Before       *TaskVerificationBefore      `json:"before"`
	After        *TaskVerificationAfter       `json:"after"`
	Excerpt      string                       `json:"excerpt"`
	Dependencies TaskVerificationDependencies `json:"dependencies"`
}

type TaskVerificationAfter struct {
	ExitCode   *int64 `json:"exitCode"`
	Passed     int64  `json:"passed"`
	Failed     int64  `json:"failed"`
	DurationMs int64  `json:"durationMs"`
	IsEnded    bool   `json:"isEnded"`
}

type TaskVerificationBefore struct {
	ExitCode   *int64 `json:"exitCode"`
	Passed     int64  `json:"passed"`
	Failed     int64  `json:"failed"`
	DurationMs int64  `json:"durationMs"`
	IsEnded    bool   `json:"isEnded"`
}

type TaskVerificationDependencies struct {
	// One of none, ready, failed.
	State    string  `json:"state"`
	Tool     *string `json:"tool,omitempty"`
	IsCached *bool   `json:"isCached,omitempty"`
	Reason   *string `json:"reason,omitempty"`
}

type TaskWorkspace struct {
	// One of files, repository, client.
	Kind           string  `json:"kind"`
	InstallationID *string `json:"installationId,omitempty"`
	Repository     *string `json:"repository,omitempty"`
	Ref            *string `json:"ref,omitempty"`
	Commit         *string `json:"commit,omitempty"`
	// Files that are not part of the workspace: submodules, LFS files, links, and files that are too large.
	Skipped []TaskWorkspaceSkippedItem `json:"skipped,omitempty"`
	Name    *string                    `json:"name,omitempty"`
}

type TaskWorkspaceSkippedItem struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type TasksApproveBody struct {
	// The `approvalId` of the event, which is the id of the call.
	ApprovalID string `json:"approvalId"`
	Allow      bool   `json:"allow"`
}

type TasksListReply struct {
	Tasks      []TaskSummary `json:"tasks"`
	NextCursor *string       `json:"nextCursor"`
}

type TasksPullRequestBody struct {
	// Default: made from the title of the task.
	Branch *string `json:"branch,omitempty"`
	Title  *string `json:"title,omitempty"`
	Body   *string `json:"body,omitempty"`
	// Default: true.
	Draft *bool `json:"draft,omitempty"`
}

type TasksPullRequestReply struct {
	URL      string `json:"url"`
	Number   int64  `json:"number"`
	Branch   string `json:"branch"`
	IsUpdate bool   `json:"isUpdate"`
}

type TasksQuoteBody struct {
	// `open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn.
	Model *string `json:"model,omitempty"`
	// The most that this turn may cost. Default: see the quote.
	MaxMinor *int64  `json:"maxMinor,omitempty"`
	Prompt   *string `json:"prompt,omitempty"`
}

type TasksQuoteNewBody struct {
	// `open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn.
	Model *string `json:"model,omitempty"`
	// The most that this turn may cost. Default: see the quote.
	MaxMinor *int64  `json:"maxMinor,omitempty"`
	Prompt   *string `json:"prompt,omitempty"`
	// The budget that the task will have.
	BudgetMinor *int64 `json:"budgetMinor,omitempty"`
}

type TasksRevertBody struct {
	TurnID *string `json:"turnId,omitempty"`
	// Instead of a turn: the state after this change. 0 is the state before all changes.
	Change *int64 `json:"change,omitempty"`
	// The last change that you know. If there is a newer one, nothing is restored.
	IfChange *int64 `json:"ifChange,omitempty"`
}

type TasksRevertReply struct {
	// Paths that were restored.
	Changed []string `json:"changed"`
	// The number of the last change of the workspace.
	Change int64 `json:"change"`
}

type TasksToolOutputReply struct {
	CallID string          `json:"callId"`
	Tool   string          `json:"tool"`
	Input  json.RawMessage `json:"input"`
	Ok     *bool           `json:"ok"`
	// Null while the call has no result.
	Output *string `json:"output"`
}

type TasksToolResultsReply struct {
	Accepted []string `json:"accepted"`
	// Calls that already had a result.
	Ignored []string `json:"ignored"`
	// One of idle, queued, running, waiting.
	Status string `json:"status"`
}

type Team struct {
	OrgID string `json:"orgId"`
	Name  string `json:"name"`
	// One of individual, team.
	Type string `json:"type"`
	// One of owner, admin, member.
	Role string `json:"role"`
	// One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency      string `json:"currency"`
	SeatAllotment int64  `json:"seatAllotment"`
}

type TeamsCreateBody struct {
	Name string `json:"name"`
	// Default: the currency of your organisation. One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency *string `json:"currency,omitempty"`
}

type Thread struct {
	ID string `json:"id"`
	// Empty until the first question.
	Title string `json:"title"`
	// One of general, code.
	Mode      string `json:"mode"`
	Archived  bool   `json:"archived"`
	CreatedAt string `json:"createdAt"`
	UpdatedAt string `json:"updatedAt"`
	// An answer is running. It is listed after it finishes.
	Busy bool `json:"busy"`
}

type ThreadDetail struct {
	ID string `json:"id"`
	// Empty until the first question.
	Title string `json:"title"`
	// One of general, code.
	Mode      string `json:"mode"`
	Archived  bool   `json:"archived"`
	CreatedAt string `json:"createdAt"`
	UpdatedAt string `json:"updatedAt"`
	// An answer is running. It is listed after it finishes.
	Busy bool `json:"busy"`
	// The newest messages, oldest first: at most 200, fewer when they are long.
	Messages []ChatMessage `json:"messages"`
	// Send it as `cursor` to read older messages. Null when there are none.
	MessagesCursor *string `json:"messagesCursor"`
}

type Topup struct {
	Reference string `json:"reference"`
	// `review`: the paid amount differs from the expected one, and staff look into it. One of pending, settled, failed, expired, review.
	Status string `json:"status"`
	// One of card, ussd, opay, palmpay, mpesa, mtn_momo, ozow, fawry, telecel_cash, airteltigo, payshap, flutterwave.
	Channel string `json:"channel"`
	// One of live, mock.
	Mode        string  `json:"mode"`
	AmountMinor int64   `json:"amountMinor"`
	Currency    string  `json:"currency"`
	Reason      *string `json:"reason"`
	CreatedAt   string  `json:"createdAt"`
	ExpiresAt   string  `json:"expiresAt"`
	SettledAt   *string `json:"settledAt"`
	// Charged to a stored card because the balance was low.
	Automatic bool `json:"automatic"`
}

type TopupAttempt struct {
	Reference   string `json:"reference"`
	AmountMinor int64  `json:"amountMinor"`
	StartedAt   string `json:"startedAt"`
	// The page of the bank, when it asks the card holder to confirm.
	AuthorizationURL *string `json:"authorizationUrl"`
}

type TopupRequest struct {
	AmountMinor int64 `json:"amountMinor"`
	// One of card, ussd, opay, palmpay, mpesa, mtn_momo, ozow, fawry, telecel_cash, airteltigo, payshap, flutterwave.
	Channel *string `json:"channel,omitempty"`
	// For mobile money: E.164, or the national format in the country of your currency.
	Phone *string `json:"phone,omitempty"`
	// Address for the receipt. Default: your own.
	Email *string `json:"email,omitempty"`
	// Must be the currency of your organisation. Send it to have it checked.
	Currency *string `json:"currency,omitempty"`
}

type TopupResult struct {
	Reference string `json:"reference"`
	// One of live, mock.
	Mode string `json:"mode"`
	// The page to send the payer to. Present when the channel has one, like the next two.
	AuthorizationURL *string `json:"authorizationUrl,omitempty"`
	// The USSD code for the payer to dial.
	UssdCode *string `json:"ussdCode,omitempty"`
	// Instructions to show to the payer.
	DisplayText *string `json:"displayText,omitempty"`
	// The payer receives a code; submit it with POST /wallet/topups/{reference}/otp.
	OtpRequired *bool `json:"otpRequired,omitempty"`
	// `review`: the paid amount differs from the expected one, and staff look into it. One of pending, settled, failed, expired, review.
	Status string `json:"status"`
	// One of card, ussd, opay, palmpay, mpesa, mtn_momo, ozow, fawry, telecel_cash, airteltigo, payshap, flutterwave.
	Channel     string `json:"channel"`
	AmountMinor int64  `json:"amountMinor"`
	Currency    string `json:"currency"`
	ExpiresAt   string `json:"expiresAt"`
}

type TransparencyWalletReply struct {
	// The name of your wallet in the log. Only you know that it is yours.
	Name string `json:"name"`
	// The head of your chain that the entry publishes.
	Entry TransparencyWalletReplyEntry `json:"entry"`
	// The number of the entry in the log, from 0.
	Index int64 `json:"index"`
	// The text of the entry.
	Leaf string `json:"leaf"`
	// The proof that the log includes the entry, as in RFC 6962.
	Inclusion []string `json:"inclusion"`
	// A signed note as in c2sp.org/tlog-checkpoint: name, size and root of the log, and the signature.
	Checkpoint string `json:"checkpoint"`
	// The Ed25519 key of the log as in c2sp.org/signed-note: name, hash of the key, key.
	PublicKey string `json:"publicKey"`
}

// TransparencyWalletReplyEntry: The head of your chain that the entry publishes.
type TransparencyWalletReplyEntry struct {
	Seq int64 `json:"seq"`
	// SHA-256 in hexadecimal.
	Hash string `json:"hash"`
}

type UsageRequestsReply struct {
	Requests   []RequestRow `json:"requests"`
	NextCursor *string      `json:"nextCursor"`
}

type UsualCost struct {
	Low  int64 `json:"low"`
	High int64 `json:"high"`
}

type VcsInstallation struct {
	ID string `json:"id"`
	// The code host. One of github, gitlab, bitbucket.
	Forge string `json:"forge"`
	// Of a connection; null for the GitHub app.
	Repository *string `json:"repository"`
	// The id of the installation on GitHub; of a connection, a number of ours.
	InstallationID int64  `json:"installationId"`
	Account        string `json:"account"`
	AccountType    string `json:"accountType"`
	// One of active, suspended, removed.
	Status string `json:"status"`
	// One of all, selected.
	RepositorySelection string `json:"repositorySelection"`
	// Which findings make the check fail: none (off), errors of high confidence (errors), or all errors and warnings (strict). One of off, errors, strict.
	BlockingPolicy    string `json:"blockingPolicy"`
	InlineComments    bool   `json:"inlineComments"`
	ValidationEnabled bool   `json:"validationEnabled"`
	// Whether the bot answers comments.
	ThreadReplies bool    `json:"threadReplies"`
	CreatedAt     string  `json:"createdAt"`
	UpdatedAt     string  `json:"updatedAt"`
	RemovedAt     *string `json:"removedAt"`
}

type VcsInstallationsBranchesReply struct {
	DefaultBranch string `json:"defaultBranch"`
	// The default branch first.
	Branches []string `json:"branches"`
	// False if there are more than 100.
	IsWhole bool `json:"isWhole"`
}

type VcsInstallationsListReply struct {
	Installations []VcsInstallation `json:"installations"`
}

type VcsInstallationsPermissionsReply struct {
	Required []VcsInstallationsPermissionsReplyRequiredItem `json:"required"`
	// Tasks need these to open pull requests and to answer comments. Reviews do not need them.
	Optional []VcsInstallationsPermissionsReplyOptionalItem `json:"optional"`
	Granted  map[string]string                              `json:"granted"`
	Events   []string                                       `json:"events"`
	Gaps     []VcsInstallationsPermissionsReplyGap          `json:"gaps"`
}

type VcsInstallationsPermissionsReplyGap struct {
	Permission string `json:"permission"`
	Need       string `json:"need"`
	Have       string `json:"have"`
	Lost       string `json:"lost"`
	Reason     string `json:"reason"`
}

type VcsInstallationsPermissionsReplyOptionalItem struct {
	Permission string `json:"permission"`
	Access     string `json:"access"`
	Why        string `json:"why"`
	IsGranted  bool   `json:"isGranted"`
}

type VcsInstallationsPermissionsReplyRequiredItem struct {
	Permission string `json:"permission"`
	Access     string `json:"access"`
	Why        string `json:"why"`
	IsFatal    bool   `json:"isFatal"`
}

type VcsInstallationsRepositoriesReply struct {
	Repositories []VcsInstallationsRepositoriesReplyRepository `json:"repositories"`
	// False if there are more than 100.
	IsWhole bool `json:"isWhole"`
}

type VcsInstallationsRepositoriesReplyRepository struct {
	Repository    string `json:"repository"`
	DefaultBranch string `json:"defaultBranch"`
}

type Wallet struct {
	BalanceMinor   int64 `json:"balanceMinor"`
	HeldMinor      int64 `json:"heldMinor"`
	AvailableMinor int64 `json:"availableMinor"`
	// One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency               string `json:"currency"`
	IncludedRemainingMinor int64  `json:"includedRemainingMinor"`
	TrialMinor             int64  `json:"trialMinor"`
	// Null without trial credit.
	TrialExpiresAt *string `json:"trialExpiresAt"`
}

type WalletChannelsReply struct {
	Channels []WalletChannelsReplyChannel `json:"channels"`
	Currency string                       `json:"currency"`
}

type WalletChannelsReplyChannel struct {
	// One of card, ussd, opay, palmpay, mpesa, mtn_momo, ozow, fawry, telecel_cash, airteltigo, payshap, flutterwave.
	Channel string `json:"channel"`
	Label   string `json:"label"`
	// One of live, mock.
	Mode       string `json:"mode"`
	NeedsPhone bool   `json:"needsPhone"`
	MinMinor   int64  `json:"minMinor"`
	MaxMinor   int64  `json:"maxMinor"`
	StepMinor  int64  `json:"stepMinor"`
}

type WalletExplainReply struct {
	Entry       LedgerEntry                   `json:"entry"`
	Explanation WalletExplainReplyExplanation `json:"explanation"`
	Chain       WalletExplainReplyChain       `json:"chain"`
}

type WalletExplainReplyChain struct {
	Seq int64 `json:"seq"`
	// SHA-256 in hexadecimal; empty before the first posting.
	Hash string `json:"hash"`
	// SHA-256 in hexadecimal; empty before the first posting.
	PreviousHash string `json:"previousHash"`
}

type WalletExplainReplyExplanation struct {
	// One of metered, topup, refund, adjustment, subscription, reversal, trial.
	Kind       string                                   `json:"kind"`
	Summary    string                                   `json:"summary"`
	Metered    *WalletExplainReplyExplanationMetered    `json:"metered"`
	Hold       *WalletExplainReplyExplanationHold       `json:"hold"`
	Settlement *WalletExplainReplyExplanationSettlement `json:"settlement"`
	Payment    *WalletExplainReplyExplanationPayment    `json:"payment"`
}

type WalletExplainReplyExplanationHold struct {
	ID            string `json:"id"`
	ReservedMinor int64  `json:"reservedMinor"`
	IncludedMinor int64  `json:"includedMinor"`
	ReservedAt    string `json:"reservedAt"`
	Deadline      string `json:"deadline"`
}

type WalletExplainReplyExplanationMetered struct {
	// One of open, frontier.
	Lane         string `json:"lane"`
	Model        string `json:"model"`
	Tokens       int64  `json:"tokens"`
	BilledTokens int64  `json:"billedTokens"`
	// Null if the model did not report it.
	PromptTokens *int64 `json:"promptTokens"`
	// Null if the model did not report it.
	OutputTokens *int64 `json:"outputTokens"`
	// Part of the prompt. Null if the model did not report it.
	CachedTokens *int64 `json:"cachedTokens"`
	// Part of the prompt. Null if the model did not report it.
	CacheWriteTokens *int64 `json:"cacheWriteTokens"`
	// Part of the output. Null if the model did not report it.
	ReasoningTokens *int64 `json:"reasoningTokens"`
	PriceKoboPer1m  int64  `json:"priceKoboPer1m"`
	// The used tokens by class. Null if one price applies to every token.
	Classes  []WalletExplainReplyExplanationMeteredClass `json:"classes"`
	RateCard string                                      `json:"rateCard"`
	// Minor units of your currency per kobo.
	Rate WalletExplainReplyExplanationMeteredRate `json:"rate"`
	// The price of the billed tokens, without rounding.
	ExactKobo string `json:"exactKobo"`
	// The price of the tokens beyond the reservation. It is not charged.
	UnbilledKobo   string `json:"unbilledKobo"`
	RunBeforeMinor int64  `json:"runBeforeMinor"`
	RunAfterMinor  int64  `json:"runAfterMinor"`
	CostMinor      int64  `json:"costMinor"`
	// Set if the charge accumulates exactly with other charges instead of being rounded up by itself.
	Accrual *WalletExplainReplyExplanationMeteredAccrual `json:"accrual"`
	// The calculation step by step.
	Steps []string `json:"steps"`
	// Whether the calculation, repeated for this reply, gives the charged amount.
	Recomputed bool `json:"recomputed"`
}

type WalletExplainReplyExplanationMeteredAccrual struct {
	// The cost of the call without rounding, in minor units.
	ExactCost string `json:"exactCost"`
	// The part that earlier calls paid beyond their cost, in minor units.
	PaidBefore string `json:"paidBefore"`
	// The part that is left for the next calls, in minor units. Always less than one.
	PaidAfter string `json:"paidAfter"`
	Sentence  string `json:"sentence"`
}

type WalletExplainReplyExplanationMeteredClass struct {
	// One of input, cachedInput, cacheWrite, output.
	Class          string `json:"class"`
	Tokens         int64  `json:"tokens"`
	PriceKoboPer1m int64  `json:"priceKoboPer1m"`
	// The price of these tokens, without rounding.
	ExactKobo string `json:"exactKobo"`
}

// WalletExplainReplyExplanationMeteredRate: Minor units of your currency per kobo.
type WalletExplainReplyExplanationMeteredRate struct {
	Numerator   string `json:"numerator"`
	Denominator string `json:"denominator"`
}

type WalletExplainReplyExplanationPayment struct {
	// Look it up at GET /wallet/topups.
	Reference string `json:"reference"`
	// The payment provider. Null if no provider was involved.
	Rail *string `json:"rail"`
	At   string  `json:"at"`
}

type WalletExplainReplyExplanationSettlement struct {
	ChargedMinor      int64  `json:"chargedMinor"`
	FromIncludedMinor int64  `json:"fromIncludedMinor"`
	FromWalletMinor   int64  `json:"fromWalletMinor"`
	ReleasedMinor     int64  `json:"releasedMinor"`
	At                string `json:"at"`
}

type WalletLedgerReply struct {
	Entries    []LedgerEntry `json:"entries"`
	NextCursor *string       `json:"nextCursor"`
}

type WalletMovementsReply struct {
	Movements []WalletMovementsReplyMovement `json:"movements"`
	NextAfter *int64                         `json:"nextAfter"`
}

type WalletMovementsReplyMovement struct {
	Seq               int64   `json:"seq"`
	ID                string  `json:"id"`
	Kind              string  `json:"kind"`
	FreeMinor         int64   `json:"freeMinor"`
	HeldMinor         int64   `json:"heldMinor"`
	IncludedMinor     int64   `json:"includedMinor"`
	IncludedHeldMinor int64   `json:"includedHeldMinor"`
	RevenueMinor      int64   `json:"revenueMinor"`
	AllowanceMinor    int64   `json:"allowanceMinor"`
	Account           *string `json:"account"`
	AccountMinor      int64   `json:"accountMinor"`
	Source            string  `json:"source"`
	Ref               string  `json:"ref"`
	BalanceAfterMinor int64   `json:"balanceAfterMinor"`
	Cause             *string `json:"cause"`
	HoldID            *string `json:"holdId"`
	CreatedAt         string  `json:"createdAt"`
	CreatedAtMicros   int64   `json:"createdAtMicros"`
	// SHA-256 in hexadecimal; empty before the first posting.
	Hash string `json:"hash"`
}

type WalletProofReply struct {
	// One of NGN, KES, GHS, ZAR, EGP, UGX, XOF, XAF, RWF, TZS, ZMW, GNF, USD.
	Currency               string `json:"currency"`
	BalanceMinor           int64  `json:"balanceMinor"`
	HeldMinor              int64  `json:"heldMinor"`
	IncludedRemainingMinor int64  `json:"includedRemainingMinor"`
	Movements              int64  `json:"movements"`
	// The sums of all postings. The net is the balance.
	Sums WalletProofReplySums `json:"sums"`
	// Whether balance, held and included money equal the sums of postings and open holds.
	Matches          bool  `json:"matches"`
	HoldsOpen        int64 `json:"holdsOpen"`
	HeldByHoldsMinor int64 `json:"heldByHoldsMinor"`
	// The end of the hash chain. Keep it to prove later that nothing before it was changed.
	Head WalletProofReplyHead `json:"head"`
	// The name of this chain in the transparency log. Others cannot tell that it is yours. Null where the log is off.
	TransparencyName *string                 `json:"transparencyName"`
	Checked          WalletProofReplyChecked `json:"checked"`
}

type WalletProofReplyChecked struct {
	FromSeq int64 `json:"fromSeq"`
	ToSeq   int64 `json:"toSeq"`
	Intact  bool  `json:"intact"`
	// The first posting that is missing or was changed.
	BrokenAt *int64 `json:"brokenAt"`
	// Pass it as `from` to check the postings before these.
	OlderFrom *int64 `json:"olderFrom"`
}

// WalletProofReplyHead: The end of the hash chain. Keep it to prove later that nothing before it was changed.
type WalletProofReplyHead struct {
	Seq int64 `json:"seq"`
	// SHA-256 in hexadecimal; empty before the first posting.
	Hash string `json:"hash"`
}

// WalletProofReplySums: The sums of all postings. The net is the balance.
type WalletProofReplySums struct {
	CreditsMinor int64 `json:"creditsMinor"`
	DebitsMinor  int64 `json:"debitsMinor"`
	NetMinor     int64 `json:"netMinor"`
}

type WalletTopupOtpBody struct {
	// The code that the network sent to the payer.
	Otp string `json:"otp"`
}

type WalletTopupsReply struct {
	Topups     []Topup `json:"topups"`
	NextCursor *string `json:"nextCursor"`
}

type WalletVerifyBody struct {
	Reference string `json:"reference"`
}

type WalletVerifyReply struct {
	Reference string `json:"reference"`
	// `review`: the paid amount differs from the expected one, and staff look into it. One of pending, settled, failed, expired, review.
	Status        string `json:"status"`
	AmountMinor   int64  `json:"amountMinor"`
	CreditedMinor int64  `json:"creditedMinor"`
	BalanceMinor  int64  `json:"balanceMinor"`
	Currency      string `json:"currency"`
	// One of card, ussd, opay, palmpay, mpesa, mtn_momo, ozow, fawry, telecel_cash, airteltigo, payshap, flutterwave.
	Channel string `json:"channel"`
	// One of live, mock.
	Mode string `json:"mode"`
	// Why it failed or is under review.
	Reason    *string `json:"reason"`
	SettledAt *string `json:"settledAt"`
}

type KeysListQuery struct {
	Limit  *int64  `json:"limit,omitempty"`
	Cursor *string `json:"cursor,omitempty"`
}

type WalletLedgerQuery struct {
	// Your own organisation by default; another one is for platform staff only.
	OrgID *string `json:"orgId,omitempty"`
	// One of topup, agent, chat, index, research, review, gateway, refund, adjustment, subscription, trial.
	Source *string `json:"source,omitempty"`
	// One of credit, debit.
	Type *string `json:"type,omitempty"`
	From *string `json:"from,omitempty"`
	// Exclusive.
	To     *string `json:"to,omitempty"`
	Limit  *int64  `json:"limit,omitempty"`
	Cursor *string `json:"cursor,omitempty"`
}

type WalletProofQuery struct {
	// Check the postings up to this number instead of the newest.
	From *int64 `json:"from,omitempty"`
}

type WalletMovementsQuery struct {
	// The number of the last posting you have.
	After *int64 `json:"after,omitempty"`
	Limit *int64 `json:"limit,omitempty"`
}

type MeUsageQuery struct {
	// By default 30 days before `to`; at most 366.
	From *string `json:"from,omitempty"`
	// Not included. By default now.
	To *string `json:"to,omitempty"`
}

type UsageRequestsQuery struct {
	Limit  *int64  `json:"limit,omitempty"`
	Cursor *string `json:"cursor,omitempty"`
	From   *string `json:"from,omitempty"`
	// Not included.
	To       *string `json:"to,omitempty"`
	KeyID    *string `json:"keyId,omitempty"`
	UserID   *string `json:"userId,omitempty"`
	Model    *string `json:"model,omitempty"`
	Provider *string `json:"provider,omitempty"`
	// For example `POST /v1/messages`.
	Route        *string `json:"route,omitempty"`
	Status       *string `json:"status,omitempty"`
	Code         *string `json:"code,omitempty"`
	MinCostMinor *int64  `json:"minCostMinor,omitempty"`
	RequestID    *string `json:"requestId,omitempty"`
	// All organisations; for platform staff only. One of all.
	Scope *string `json:"scope,omitempty"`
	// Your own organisation by default; another one is for platform staff only.
	OrgID *string `json:"orgId,omitempty"`
	// The id of a row. Only later rows are returned, oldest first; a row appears two seconds after its call.
	After *string `json:"after,omitempty"`
	// Same as `Accept`. One of json, csv.
	Format *string `json:"format,omitempty"`
}

type UsageRequestSummaryQuery struct {
	// One of hour, day.
	Bucket *string `json:"bucket,omitempty"`
	// By default 24 hours (hour) or 30 days (day) before `to`; at most 14 or 400 days.
	From *string `json:"from,omitempty"`
	// Not included. By default now.
	To       *string `json:"to,omitempty"`
	KeyID    *string `json:"keyId,omitempty"`
	UserID   *string `json:"userId,omitempty"`
	Model    *string `json:"model,omitempty"`
	Provider *string `json:"provider,omitempty"`
	// For example `POST /v1/messages`.
	Route        *string `json:"route,omitempty"`
	Status       *string `json:"status,omitempty"`
	Code         *string `json:"code,omitempty"`
	MinCostMinor *int64  `json:"minCostMinor,omitempty"`
	RequestID    *string `json:"requestId,omitempty"`
	// All organisations; for platform staff only. One of all.
	Scope *string `json:"scope,omitempty"`
	// Your own organisation by default; another one is for platform staff only.
	OrgID *string `json:"orgId,omitempty"`
}

type InvoicesListQuery struct {
	From *string `json:"from,omitempty"`
	// Exclusive.
	To     *string `json:"to,omitempty"`
	Limit  *int64  `json:"limit,omitempty"`
	Cursor *string `json:"cursor,omitempty"`
}

type InvoicesReceiptQuery struct {
	// Return a file instead of a page.
	Download *bool `json:"download,omitempty"`
	// `pdf` is always a file. One of html, pdf.
	Format *string `json:"format,omitempty"`
	// The language of the page. Default: `Accept-Language`, then English. One of en, fr, sw, ar.
	Lang *string `json:"lang,omitempty"`
}

type CreditNotesReceiptQuery struct {
	// Return a file instead of a page.
	Download *bool `json:"download,omitempty"`
	// `pdf` is always a file. One of html, pdf.
	Format *string `json:"format,omitempty"`
	// The language of the page. Default: `Accept-Language`, then English. One of en, fr, sw, ar.
	Lang *string `json:"lang,omitempty"`
}

type WalletTopupsQuery struct {
	// `review`: the paid amount differs from the expected one, and staff look into it. One of pending, settled, failed, expired, review.
	Status *string `json:"status,omitempty"`
	Limit  *int64  `json:"limit,omitempty"`
	Cursor *string `json:"cursor,omitempty"`
}

type IndexGetQuery struct {
	// A repository, such as `acme/shop`, with its own paths.
	Repo *string `json:"repo,omitempty"`
}

type IndexClearQuery struct {
	// A repository, such as `acme/shop`, with its own paths.
	Repo *string `json:"repo,omitempty"`
	// One path. Without it, the whole repository is removed.
	Path *string `json:"path,omitempty"`
}

type AgentRunsListQuery struct {
	// One of run, loop.
	Kind *string `json:"kind,omitempty"`
	// One of running, completed, cancelled, failed.
	Status *string `json:"status,omitempty"`
	Limit  *int64  `json:"limit,omitempty"`
	Cursor *string `json:"cursor,omitempty"`
}

type ChatThreadsListQuery struct {
	Limit  *int64  `json:"limit,omitempty"`
	Cursor *string `json:"cursor,omitempty"`
	// True lists archived conversations instead of active ones.
	Archived *bool `json:"archived,omitempty"`
}

type ChatThreadsReadQuery struct {
	Limit *int64 `json:"limit,omitempty"`
	// `messagesCursor` of the previous reply; returns older messages.
	Cursor *string `json:"cursor,omitempty"`
}

type ProjectsListQuery struct {
	Limit  *int64  `json:"limit,omitempty"`
	Cursor *string `json:"cursor,omitempty"`
}

type AttachmentsListQuery struct {
	Limit  *int64  `json:"limit,omitempty"`
	Cursor *string `json:"cursor,omitempty"`
	// Only items in this project. Default: all that you can see.
	ProjectID *string `json:"projectId,omitempty"`
}

type ReviewRunsListQuery struct {
	Limit  *int64  `json:"limit,omitempty"`
	Cursor *string `json:"cursor,omitempty"`
	// Only this repository, as `owner/name`.
	Repo *string `json:"repo,omitempty"`
}

type ReviewFindingsListQuery struct {
	Limit  *int64  `json:"limit,omitempty"`
	Cursor *string `json:"cursor,omitempty"`
	// Only this repository, as `owner/name`.
	Repo *string `json:"repo,omitempty"`
	// One of unadjudicated, confirmed, refuted, unproven.
	Status *string `json:"status,omitempty"`
	// One of error, warn, note.
	Severity *string `json:"severity,omitempty"`
}

type ReviewPrecisionQuery struct {
	// One of org, all.
	Scope     *string `json:"scope,omitempty"`
	Days      *int64  `json:"days,omitempty"`
	MinSample *int64  `json:"minSample,omitempty"`
}

type TasksListQuery struct {
	Archived *bool `json:"archived,omitempty"`
	Running  *bool `json:"running,omitempty"`
	// A part of the title or of the name of the repository.
	Q *string `json:"q,omitempty"`
	// Only your own. Admins see all by default.
	Mine   *bool   `json:"mine,omitempty"`
	Limit  *int64  `json:"limit,omitempty"`
	Cursor *string `json:"cursor,omitempty"`
}

type TasksGetQuery struct {
	// Only so many turns, the newest ones. Default: all.
	Turns *int64 `json:"turns,omitempty"`
}

type TasksStreamQuery struct {
	// The `seq` of the last event that you have. Default: from the start.
	After *int64 `json:"after,omitempty"`
	// `none` leaves `output` of `tool_result` empty, for a client that ran the tools itself. Default: short. One of short, none.
	Outputs *string `json:"outputs,omitempty"`
}

type TasksDiffQuery struct {
	// A turn: only what changed after it. Default: all changes of the task.
	From *string `json:"from,omitempty"`
}

type TasksFilesQuery struct {
	// A folder. Default: the root.
	Prefix *string `json:"prefix,omitempty"`
}

type VcsInstallationsBranchesQuery struct {
	Repository string `json:"repository"`
}

type ResearchListQuery struct {
	Limit  *int64  `json:"limit,omitempty"`
	Cursor *string `json:"cursor,omitempty"`
	// Only items in this project. Default: all that you can see.
	ProjectID *string `json:"projectId,omitempty"`
}

type ResearchStreamQuery struct {
	// The last `seq` that you received. Default: `Last-Event-ID`, otherwise the start.
	After *int64 `json:"after,omitempty"`
}

type MetricsOverviewQuery struct {
	// All organisations; platform staff only. One of all.
	Scope *string `json:"scope,omitempty"`
	// Default: your organisation. Another one is for platform staff only.
	OrgID *string `json:"orgId,omitempty"`
}

type MetricsUsageQuery struct {
	// All organisations; platform staff only. One of all.
	Scope *string `json:"scope,omitempty"`
	// Default: your organisation. Another one is for platform staff only.
	OrgID *string `json:"orgId,omitempty"`
	// Default: 30 days before `to`. At most 366 days.
	From *string `json:"from,omitempty"`
	// Exclusive. Default: now.
	To *string `json:"to,omitempty"`
}

type MetricsTimeseriesQuery struct {
	// All organisations; platform staff only. One of all.
	Scope *string `json:"scope,omitempty"`
	// Default: your organisation. Another one is for platform staff only.
	OrgID *string `json:"orgId,omitempty"`
	// Default: all series except active users and organisations. One of usage_minor, allowance_minor, net_credited_minor, granted_minor, subscription_minor, tokens, turns, active_orgs, active_users.
	Metric *string `json:"metric,omitempty"`
	// In UTC. Weeks start on Monday. One of hour, day, week, month.
	Interval *string `json:"interval,omitempty"`
	// Rounded down to the start of its interval. Default: 2 days, 30 days, half a year or a year before `to`, depending on the interval. At most 1096 days and 400 points.
	From *string `json:"from,omitempty"`
	// Exclusive. Default: now.
	To *string `json:"to,omitempty"`
}

type MetricsKpisQuery struct {
	// All organisations; platform staff only. One of all.
	Scope *string `json:"scope,omitempty"`
	// Default: your organisation. Another one is for platform staff only.
	OrgID *string `json:"orgId,omitempty"`
	// Number of days until now.
	Days *int64 `json:"days,omitempty"`
}
