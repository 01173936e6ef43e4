# Printed from openapi.json by `npm run print`; do not edit.
#
# Replies and bodies are plain dictionaries with the field names of the API. Amounts in "…Minor" are integers.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict


class AgentContext(TypedDict):
    # Files that the model saw completely.
    included: List[str]
    # Files that the model saw in part or not at all.
    omitted: List[AgentContextOmittedItem]


class AgentContextOmittedItem(TypedDict):
    path: str
    lines: int
    shownLines: int


class _AgentQuote(TypedDict):
    lane: Literal["open", "frontier"]
    model: str
    # The most prompt tokens of the first turn.
    promptTokens: int
    minMinor: int
    maxMinor: int
    # The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable.
    usuallyMinor: Optional[UsualCost]
    leastMinor: int
    balanceMinor: int
    availableMinor: int
    # Whether the run would start. With little money the answer is kept short.
    affordable: bool
    # The most iterations; 1 for a single run.
    iterations: int


class AgentQuote(_AgentQuote, total=False):
    # Secrets withheld from the model: whole files, or values with their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Set `allowSecrets` to send them.
    withheld: List[AgentQuoteWithheldItem]


class _AgentQuoteBody(TypedDict):
    # The task.
    prompt: str


class AgentQuoteBody(_AgentQuoteBody, total=False):
    # The files of the task: at most 200, with at most 1500000 characters in total. Files that exceed the context window are truncated, and the reply lists them.
    context: List[AgentQuoteBodyContextItem]
    # The indexed repository to take excerpts from. Default: `default`, or the only indexed one.
    repo: str
    # True requests the frontier lane, if your policy allows it.
    frontier: bool
    # The most that it may cost. A task that needs more is refused with 402.
    maxMinor: int
    # True sends secrets in `prompt` and `context` to the model. Otherwise files such as `.env` and values that look like secrets are withheld and listed in `withheld`. Ask the owner of the files first.
    allowSecrets: bool
    # Quotes a loop with this many iterations.
    maxIters: int
    # Quotes a loop.
    sandbox: Literal["none", "local", "docker"]
    testCmd: str


class AgentQuoteBodyContextItem(TypedDict):
    path: str
    content: str


class _AgentQuoteWithheldItem(TypedDict):
    path: str
    reason: str


class AgentQuoteWithheldItem(_AgentQuoteWithheldItem, total=False):
    line: int


class _AgentRun(TypedDict):
    id: str
    userId: str
    kind: Literal["run", "loop"]
    status: Literal["running", "completed", "cancelled", "failed"]
    prompt: str
    lane: Literal["open", "frontier"]
    model: str
    sandbox: Literal["none", "local", "docker"]
    testCmd: Optional[str]
    maxIters: int
    # Dispatched and charged iterations.
    iterations: int
    verified: bool
    cancelled: bool
    stopReason: Optional[str]
    costMinor: int
    createdAt: str
    finishedAt: Optional[str]
    result: Optional[AgentRunResult2]


class AgentRun(_AgentRun, total=False):
    error: str
    code: str


class _AgentRunLoopBody(TypedDict):
    # The task.
    prompt: str


class AgentRunLoopBody(_AgentRunLoopBody, total=False):
    # The files of the task: at most 200, with at most 1500000 characters in total. Files that exceed the context window are truncated, and the reply lists them.
    context: List[AgentRunLoopBodyContextItem]
    # The indexed repository to take excerpts from. Default: `default`, or the only indexed one.
    repo: str
    # True requests the frontier lane, if your policy allows it.
    frontier: bool
    # The most that it may cost. A task that needs more is refused with 402.
    maxMinor: int
    # True sends secrets in `prompt` and `context` to the model. Otherwise files such as `.env` and values that look like secrets are withheld and listed in `withheld`. Ask the owner of the files first.
    allowSecrets: bool
    sandbox: Literal["none", "local", "docker"]
    testCmd: str
    maxIters: int
    allowTestEdits: bool


class AgentRunLoopBodyContextItem(TypedDict):
    path: str
    content: str


class _AgentRunLoopFrame(TypedDict):
    seq: int


class AgentRunLoopFrame(_AgentRunLoopFrame, total=False):
    start: AgentRunLoopFrameStart
    delta: str
    step: Literal["plan", "edit", "verify", "retry"]
    turn: int
    ok: bool
    costMinor: int
    note: str
    files: List[AgentRunLoopFrameFile]
    failures: List[AgentRunLoopFrameFailure]
    tests: AgentRunLoopFrameTests
    excerpt: str
    result: AgentRunResult
    verified: bool
    iterations: int
    cancelled: bool
    totalCostMinor: int
    balanceMinor: int
    stopReason: Literal["verified", "not_verified", "max_iters", "stuck", "budget", "balance", "cancelled", "interrupted", "wall_clock", "suspended", "policy", "sandbox_failed", "upstream_error"]
    id: str
    testsModified: bool
    evidence: Literal["tests", "exit-code", "passed-before"]


class AgentRunLoopFrameFailure(TypedDict):
    path: str
    reason: str


class AgentRunLoopFrameFile(TypedDict):
    path: str
    action: Literal["create", "update", "delete"]


class AgentRunLoopFrameStart(TypedDict):
    id: str
    lane: Literal["open", "frontier"]
    model: str
    sandbox: Literal["none", "local", "docker"]
    maxIters: int
    maxMinor: int
    # The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable.
    usuallyMinor: Optional[UsualCost]


class AgentRunLoopFrameTests(TypedDict):
    passed: int
    failed: int


class _AgentRunRequest(TypedDict):
    # The task.
    prompt: str


class AgentRunRequest(_AgentRunRequest, total=False):
    # The files of the task: at most 200, with at most 1500000 characters in total. Files that exceed the context window are truncated, and the reply lists them.
    context: List[AgentRunRequestContextItem]
    # The indexed repository to take excerpts from. Default: `default`, or the only indexed one.
    repo: str
    # True requests the frontier lane, if your policy allows it.
    frontier: bool
    # The most that it may cost. A task that needs more is refused with 402.
    maxMinor: int
    # True sends secrets in `prompt` and `context` to the model. Otherwise files such as `.env` and values that look like secrets are withheld and listed in `withheld`. Ask the owner of the files first.
    allowSecrets: bool


class AgentRunRequestContextItem(TypedDict):
    path: str
    content: str


class _AgentRunResult(TypedDict):
    id: str
    plan: str
    summary: str
    lane: Literal["open", "frontier"]
    model: str
    costMinor: int
    edits: List[FileEdit]
    balanceMinor: int


class AgentRunResult(_AgentRunResult, total=False):
    # Findings of our rules in the change.
    review: Dict[str, Any]
    # Partial: some intended changes are missing; `warnings` lists them. A run that intended changes and made none is free.
    status: Literal["complete", "partial"]
    warnings: List[str]
    context: AgentContext
    # Secrets withheld from the model: whole files, or values with their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Set `allowSecrets` to send them.
    withheld: List[AgentRunResultWithheldItem]
    # True if the run was stopped before its end.
    cancelled: bool


class _AgentRunResult2(TypedDict):
    id: str
    plan: str
    summary: str
    lane: Literal["open", "frontier"]
    model: str
    costMinor: int
    edits: List[FileEdit]


class AgentRunResult2(_AgentRunResult2, total=False):
    # Findings of our rules in the change.
    review: Dict[str, Any]
    # Partial: some intended changes are missing; `warnings` lists them. A run that intended changes and made none is free.
    status: Literal["complete", "partial"]
    warnings: List[str]
    context: AgentContext
    # Secrets withheld from the model: whole files, or values with their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Set `allowSecrets` to send them.
    withheld: List[AgentRunResult2WithheldItem]


class _AgentRunResult2WithheldItem(TypedDict):
    path: str
    reason: str


class AgentRunResult2WithheldItem(_AgentRunResult2WithheldItem, total=False):
    line: int


class _AgentRunResultWithheldItem(TypedDict):
    path: str
    reason: str


class AgentRunResultWithheldItem(_AgentRunResultWithheldItem, total=False):
    line: int


class _AgentRunStreamFrame(TypedDict):
    seq: int


class AgentRunStreamFrame(_AgentRunStreamFrame, total=False):
    start: AgentRunStreamFrameStart
    delta: str
    step: Literal["plan", "edit", "repair"]
    ok: bool
    costMinor: int
    files: List[AgentRunStreamFrameFile]
    failures: List[AgentRunStreamFrameFailure]
    result: AgentRunResult
    cancelled: bool
    totalCostMinor: int
    balanceMinor: int


class AgentRunStreamFrameFailure(TypedDict):
    path: str
    reason: str


class AgentRunStreamFrameFile(TypedDict):
    path: str
    action: Literal["create", "update", "delete"]


class AgentRunStreamFrameStart(TypedDict):
    id: str
    lane: Literal["open", "frontier"]
    model: str
    maxMinor: int
    # The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable.
    usuallyMinor: Optional[UsualCost]


class AgentRunsListReply(TypedDict):
    runs: List[AgentRunsListReplyRun]
    nextCursor: Optional[str]


class _AgentRunsListReplyRun(TypedDict):
    id: str
    userId: str
    kind: Literal["run", "loop"]
    status: Literal["running", "completed", "cancelled", "failed"]
    prompt: str
    lane: Literal["open", "frontier"]
    model: str
    sandbox: Literal["none", "local", "docker"]
    testCmd: Optional[str]
    maxIters: int
    # Dispatched and charged iterations.
    iterations: int
    verified: bool
    cancelled: bool
    stopReason: Optional[str]
    costMinor: int
    createdAt: str
    finishedAt: Optional[str]
    result: Optional[AgentRunsListReplyRunResult]


class AgentRunsListReplyRun(_AgentRunsListReplyRun, total=False):
    error: str
    code: str


class _AgentRunsListReplyRunResult(TypedDict):
    id: str
    plan: str
    summary: str
    lane: Literal["open", "frontier"]
    model: str
    costMinor: int
    edits: List[AgentRunsListReplyRunResultEdit]


class AgentRunsListReplyRunResult(_AgentRunsListReplyRunResult, total=False):
    # Findings of our rules in the change.
    review: Dict[str, Any]
    # Partial: some intended changes are missing; `warnings` lists them. A run that intended changes and made none is free.
    status: Literal["complete", "partial"]
    warnings: List[str]
    context: AgentContext
    # Secrets withheld from the model: whole files, or values with their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Set `allowSecrets` to send them.
    withheld: List[AgentRunsListReplyRunResultWithheldItem]


class AgentRunsListReplyRunResultEdit(TypedDict):
    path: str
    action: Literal["create", "update", "delete"]


class _AgentRunsListReplyRunResultWithheldItem(TypedDict):
    path: str
    reason: str


class AgentRunsListReplyRunResultWithheldItem(_AgentRunsListReplyRunResultWithheldItem, total=False):
    line: int


class ApiKey(TypedDict):
    id: str
    name: str
    scopes: List[str]
    # The first characters of the key, to recognise it.
    prefix: str
    createdAt: str
    # Updated at most every minute.
    lastUsedAt: Optional[str]
    expiresAt: Optional[str]
    createdBy: ApiKeyCreatedBy
    budgetMinor: Optional[int]
    budgetPeriod: Literal["total", "day", "week", "month"]
    models: Optional[List[str]]
    requestsPerMinute: Optional[int]
    tokensPerMinute: Optional[int]
    allowedAddresses: Optional[List[str]]
    spentMinor: int
    # The budget without spent and reserved money; null without a budget.
    budgetLeftMinor: Optional[int]


class ApiKeyCreatedBy(TypedDict):
    userId: str
    email: str


class Attachment(TypedDict):
    id: str
    kind: Literal["generated"]
    # Null: visible to the whole organisation.
    projectId: Optional[str]
    # The id of the resource that generated it, such as a research run.
    origin: str
    name: str
    contentType: str
    bytes: int
    sha256: str
    # The download path.
    url: str
    createdBy: str
    createdAt: str


class AttachmentsListReply(TypedDict):
    attachments: List[Attachment]
    nextCursor: Optional[str]


class AutomaticTopup(TypedDict):
    # `paused` needs an owner: PUT the same values to resume.
    status: Literal["active", "paused"]
    currency: Literal["NGN", "KES", "GHS", "ZAR", "EGP", "UGX", "XOF", "XAF", "RWF", "TZS", "ZMW", "GNF", "USD"]
    thresholdMinor: int
    amountMinor: int
    monthlyMaxMinor: int
    card: AutomaticTopupCard
    monthChargedMinor: int
    # Another charge would exceed the monthly maximum. It continues then.
    limitedUntil: Optional[str]
    # `card_declined`: the bank declined. `bank_confirmation`: open `attempt.authorizationUrl` and confirm. `card_unusable`: the card is expired or cannot be charged. `payment_disputed`: a card payment is disputed or was reversed. `currency_changed`: the wallet has another currency. `no_answer`: the provider gave no answer within a day. `member_left`: the person who turned it on is no longer an owner, or the person who added the card has left.
    pausedReason: Optional[Literal["card_declined", "bank_confirmation", "card_unusable", "payment_disputed", "currency_changed", "no_answer", "member_left"]]
    # The words of the bank, if it gave any.
    pausedDetail: Optional[str]
    pausedAt: Optional[str]
    # The charge whose outcome is not known yet. There is at most one.
    attempt: Optional[TopupAttempt]
    updatedAt: str


class AutomaticTopupCard(TypedDict):
    id: str
    brand: str
    last4: str


class AutomaticTopupState(TypedDict):
    # Null while it is off.
    automaticTopup: Optional[AutomaticTopup]
    # As `automaticTopup.attempt`, and also shown while automatic top-up is off.
    openAttempt: Optional[TopupAttempt]


class BillingDetails(TypedDict):
    legalName: Optional[str]
    address: Optional[str]
    taxId: Optional[str]
    country: Optional[str]
    updatedAt: Optional[str]
    # The values that the next invoice will show.
    invoicedAs: BillingDetailsInvoicedAs


class BillingDetailsInvoicedAs(TypedDict):
    """The values that the next invoice will show."""

    name: str
    country: Optional[str]
    taxes: List[BillingDetailsInvoicedAsTax]


class BillingDetailsInvoicedAsTax(TypedDict):
    name: str
    rateBps: int


class BillingSummary(TypedDict):
    currency: Literal["NGN", "KES", "GHS", "ZAR", "EGP", "UGX", "XOF", "XAF", "RWF", "TZS", "ZMW", "GNF", "USD"]
    wallet: Wallet
    subscription: Optional[Subscription]
    # The plan as it was sold.
    plan: Optional[Plan]
    included: BillingSummaryIncluded
    seats: BillingSummarySeats
    # The downgrade at the end of the period.
    scheduledChange: Optional[ScheduledChange]


class BillingSummaryIncluded(TypedDict):
    totalMinor: int
    usedMinor: int
    remainingMinor: int
    resetsAt: Optional[str]


class BillingSummarySeats(TypedDict):
    # Seats included in the plan.
    allotment: int
    # Seats bought in addition.
    purchased: int
    # The most members that the organisation can have.
    total: int
    occupied: int


class Card(TypedDict):
    id: str
    brand: str
    last4: str
    expMonth: int
    expYear: int
    bank: Optional[str]
    # Charged first on renewals and upgrades.
    isDefault: bool
    createdAt: str
    # Past its expiry month. An expired card is never charged.
    expired: bool


class ChatMessage(TypedDict):
    id: str
    role: Literal["user", "assistant"]
    content: str
    createdAt: str
    # Null, like `model`, for questions and for answers of other features, such as reports.
    lane: Optional[Literal["open", "frontier"]]
    model: Optional[str]
    costMinor: int
    # `stopped`: the answer is incomplete and its text was charged. `failed`: nothing was charged.
    status: Literal["complete", "stopped", "failed"]
    # For a failed answer: the error code of the stream, or `interrupted` when our process died. For a stopped answer: `length` at the output limit, `content_filter` when the provider withheld the rest, null when you stopped it.
    errorCode: Optional[str]


class _ChatMessagesQuoteBody(TypedDict):
    prompt: str


class ChatMessagesQuoteBody(_ChatMessagesQuoteBody, total=False):
    # In code mode, the indexed repository for excerpts. Default: `default`, or the only indexed repository.
    repo: str
    # True selects the frontier lane if policy allows it. Default: as configured.
    frontier: bool
    # Maximum cost. The answer is shortened to fit, or refused with 402.
    maxMinor: int
    # True sends values that look like secrets to the model. Otherwise the model receives placeholders.
    allowSecrets: bool


class ChatMessagesQuoteReply(TypedDict):
    lane: Literal["open", "frontier"]
    model: str
    # Upper bound, including the conversation context.
    promptTokens: int
    minMinor: int
    maxMinor: int
    # The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable.
    usuallyMinor: Optional[UsualCost]
    balanceMinor: int
    # Whether wallet and plan cover a useful answer. Your member cap is checked when you send.
    affordable: bool
    # Secrets hidden from the model. `path` is `prompt`, `conversation` for earlier messages, or an indexed file.
    withheld: List[ChatMessagesQuoteReplyWithheldItem]


class _ChatMessagesQuoteReplyWithheldItem(TypedDict):
    path: str
    reason: str


class ChatMessagesQuoteReplyWithheldItem(_ChatMessagesQuoteReplyWithheldItem, total=False):
    line: int


class _ChatMessagesSendBody(TypedDict):
    prompt: str


class ChatMessagesSendBody(_ChatMessagesSendBody, total=False):
    # In code mode, the indexed repository for excerpts. Default: `default`, or the only indexed repository.
    repo: str
    # True selects the frontier lane if policy allows it. Default: as configured.
    frontier: bool
    # Maximum cost. The answer is shortened to fit, or refused with 402.
    maxMinor: int
    # True sends values that look like secrets to the model. Otherwise the model receives placeholders.
    allowSecrets: bool


class _ChatMessagesSendFrame(TypedDict):
    # Frame number in this stream, starting at 1.
    seq: int


class ChatMessagesSendFrame(_ChatMessagesSendFrame, total=False):
    delta: str
    message: ChatMessage
    costMinor: int
    balanceMinor: int
    # Your question.
    userMessage: ChatMessagesSendFrameUserMessage
    # `length`: cut at 4096 tokens, or at the limit from `maxMinor`, the wallet or a cap. `content_filter`: the provider withheld the rest.
    finish: Literal["stop", "length", "content_filter", "stopped"]
    # How many earlier messages the model received, and how many did not fit.
    context: ChatMessagesSendFrameContext
    # Secrets hidden from the model. `path` is `prompt`, `conversation` for earlier messages, or an indexed file.
    withheld: List[ChatMessagesSendFrameWithheldItem]


class ChatMessagesSendFrameContext(TypedDict):
    """How many earlier messages the model received, and how many did not fit."""

    messages: int
    dropped: int


class ChatMessagesSendFrameUserMessage(TypedDict):
    """Your question."""

    id: str
    createdAt: str


class _ChatMessagesSendFrameWithheldItem(TypedDict):
    path: str
    reason: str


class ChatMessagesSendFrameWithheldItem(_ChatMessagesSendFrameWithheldItem, total=False):
    line: int


class ChatMessagesStopReply(TypedDict):
    ok: bool
    # Whether an answer was running.
    stopped: bool


class ChatThreadsChangeBody(TypedDict, total=False):
    title: str
    # Applies to new messages.
    mode: Literal["general", "code"]
    archived: bool


class ChatThreadsCreateBody(TypedDict, total=False):
    mode: Literal["general", "code"]
    # Default: derived from the first question.
    title: str


class ChatThreadsListReply(TypedDict):
    threads: List[Thread]
    nextCursor: Optional[str]


class Currency(TypedDict):
    code: Literal["NGN", "KES", "GHS", "ZAR", "EGP", "UGX", "XOF", "XAF", "RWF", "TZS", "ZMW", "GNF", "USD"]
    symbol: str
    minorUnit: int
    minorName: str


class CustomRule(TypedDict):
    id: str
    yaml: str
    enabled: bool
    # Whether this version understands the rule. Others are not used.
    valid: bool
    createdAt: Any
    updatedAt: Any


class CustomRuleList(TypedDict):
    rules: List[CustomRule]


class FileEdit(TypedDict):
    # Clean, relative, inside the workspace.
    path: str
    action: Literal["create", "update", "delete"]
    # The whole new text; empty for delete.
    content: str
    description: str
    # Hash of the text that was sent, to detect files that changed since; null for new files.
    baseSha256: Optional[str]


class HooksEventTypesReply(TypedDict):
    types: List[HooksEventTypesReplyType]


class HooksEventTypesReplyType(TypedDict):
    type: str
    description: str
    # An example.
    data: Dict[str, Any]


class _IndexAddBody(TypedDict):
    # At most 2000 per call. Files at indexed paths are replaced. Unchanged files cost nothing.
    files: List[IndexAddBodyFile]


class IndexAddBody(_IndexAddBody, total=False):
    # A repository, such as `acme/shop`, with its own paths.
    repo: str
    # Commits, for searches for a change. The newest 5000 are kept. Free.
    history: IndexAddBodyHistory
    # Return what would be indexed, skipped and charged, without storing or charging anything.
    preview: bool
    # A call that would cost more is rejected and costs nothing.
    maxCostMinor: int


class IndexAddBodyFile(TypedDict):
    path: str
    content: str


class _IndexAddBodyHistory(TypedDict):
    # The name of the newest commit, such as its hash.
    latest: str
    # The newest first, with the files that each commit changed.
    commits: List[IndexAddBodyHistoryCommit]


class IndexAddBodyHistory(_IndexAddBodyHistory, total=False):
    """Commits, for searches for a change. The newest 5000 are kept. Free."""

    # Adds `commits` to the stored history if this is its newest commit. Without it, the stored history is replaced.
    after: str


class IndexAddBodyHistoryCommit(TypedDict):
    subject: str
    paths: List[str]


class IndexClearReply(TypedDict):
    # Number of removed files.
    cleared: int


class _IndexReply(TypedDict):
    # Files that this call indexed.
    indexed: int
    # Files indexed before with the same content. Free.
    unchanged: int
    # Number of chunks of the indexed files.
    chunks: int
    # Embedded tokens, charged at the price of the open lane.
    tokens: int
    # The embedding model.
    model: str
    # Files that were not indexed, with the reason. Their earlier versions are removed from the index.
    skipped: List[IndexReplySkippedItem]
    costMinor: int
    balanceMinor: int


class IndexReply(_IndexReply, total=False):
    # If the call has a history.
    history: IndexReplyHistory


class IndexReplyHistory(TypedDict):
    """If the call has a history."""

    # base_differs: `after` is not the newest stored commit; send the whole history. no_files: no file is indexed.
    outcome: Literal["stored", "unchanged", "base_differs", "no_files"]
    # Number of stored commits.
    commits: int


class IndexReplySkippedItem(TypedDict):
    path: str
    reason: Literal["invalid_path", "ignored", "vendored", "generated", "minified", "lockfile", "binary", "too_large", "empty", "secret"]


class _IndexSearchBody(TypedDict):
    # A question, an error message or a name.
    query: str


class IndexSearchBody(_IndexSearchBody, total=False):
    # A repository, such as `acme/shop`, with its own paths.
    repo: str
    limit: int
    # Only paths with one of these prefixes, such as `src/`.
    paths: List[str]
    # A model adds words to the query. Costs one call of the open lane.
    rewrite: bool
    # The maximum cost of `rewrite`.
    maxCostMinor: int
    # Show the maximum cost of `rewrite` only.
    preview: bool


class IndexState(TypedDict):
    # Whether this deployment can index files.
    enabled: bool
    # The repository of the totals and paths.
    repo: str
    chunks: int
    # Sorted, at most 20000. `files` is the total number.
    paths: List[str]
    # The number of chunks of each of `paths`.
    chunksByPath: List[int]
    # Of each of `paths`: the first 12 hexadecimal digits of its SHA-256.
    digests: List[str]
    files: int
    bytes: int
    # The embedding model for new files.
    model: str
    updatedAt: Optional[str]
    # The newest commit and the number of commits of the stored history.
    history: Optional[IndexStateHistory]
    # All indexed repositories, sorted by name.
    repositories: List[IndexStateRepository]


class IndexStateHistory(TypedDict):
    latest: str
    commits: int


class IndexStateRepository(TypedDict):
    repo: str
    files: int
    chunks: int
    bytes: int
    updatedAt: str


class Invoice(TypedDict):
    id: str
    # Consecutive within your organisation.
    number: str
    status: Literal["paid", "open", "void"]
    currency: Literal["NGN", "KES", "GHS", "ZAR", "EGP", "UGX", "XOF", "XAF", "RWF", "TZS", "ZMW", "GNF", "USD"]
    subtotalMinor: int
    taxMinor: int
    totalMinor: int
    # Including tax; they sum to the total. Credits are negative.
    lines: List[InvoiceLine]
    issuedAt: str
    paidAt: Optional[str]
    # A printable page; `?format=pdf` sends it as a PDF file.
    receiptUrl: str
    subject: Literal["topup", "card", "checkout", "change", "seats", "renewal", "credit"]
    # `mock` is test money without value.
    mode: Literal["live", "mock"]
    # The reference of the payment.
    reference: Optional[str]
    method: Optional[str]
    # The country whose tax is included.
    country: Optional[str]
    taxes: List[InvoiceTax]
    creditedMinor: int
    # At most 50, oldest first.
    creditNotes: List[InvoiceCreditNote]


class InvoiceCreditNote(TypedDict):
    id: str
    number: str
    totalMinor: int
    reason: str
    issuedAt: str
    # A printable page; `?format=pdf` sends it as a PDF file.
    receiptUrl: str


class InvoiceLine(TypedDict):
    description: str
    quantity: int
    amountMinor: int


class InvoiceTax(TypedDict):
    name: str
    # Of the price without tax, in hundredths of a percent.
    rateBps: int
    amountMinor: int


class InvoicesListReply(TypedDict):
    invoices: List[Invoice]
    nextCursor: Optional[str]


class KeysChangeBody(TypedDict, total=False):
    name: str
    # The most that the key and the keys it creates may spend per `budgetPeriod`.
    budgetMinor: Optional[int]
    # Default: total. Days, weeks from Monday and calendar months are in UTC.
    budgetPeriod: Literal["total", "day", "week", "month"]
    # The models that the key may use: ids, or patterns that end in `*`. Null allows every model.
    models: Optional[List[str]]
    requestsPerMinute: Optional[int]
    # Counted when work ends: the call that reaches the limit is completed, and later calls wait for the next minute.
    tokensPerMinute: Optional[int]
    # The addresses that the key may be used from: IPv4 and IPv6 addresses and CIDRs. Null allows all.
    allowedAddresses: Optional[List[str]]


class _KeysCreateBody(TypedDict):
    name: str


class KeysCreateBody(_KeysCreateBody, total=False):
    # Default: none.
    scopes: List[Literal["agent:run", "wallet:read", "keys:manage", "metrics:read"]]
    expiresInDays: int
    expiresAt: str
    # The most that the key and the keys it creates may spend per `budgetPeriod`.
    budgetMinor: Optional[int]
    # Default: total. Days, weeks from Monday and calendar months are in UTC.
    budgetPeriod: Literal["total", "day", "week", "month"]
    # The models that the key may use: ids, or patterns that end in `*`. Null allows every model.
    models: Optional[List[str]]
    requestsPerMinute: Optional[int]
    # Counted when work ends: the call that reaches the limit is completed, and later calls wait for the next minute.
    tokensPerMinute: Optional[int]
    # The addresses that the key may be used from: IPv4 and IPv6 addresses and CIDRs. Null allows all.
    allowedAddresses: Optional[List[str]]


class KeysCreateReply(TypedDict):
    id: str
    # The key itself. It is shown only once.
    key: str
    prefix: str
    name: str
    scopes: List[str]
    expiresAt: Optional[str]
    budgetMinor: Optional[int]
    budgetPeriod: Literal["total", "day", "week", "month"]
    models: Optional[List[str]]
    requestsPerMinute: Optional[int]
    tokensPerMinute: Optional[int]
    allowedAddresses: Optional[List[str]]
    spentMinor: int
    # The budget without spent and reserved money; null without a budget.
    budgetLeftMinor: Optional[int]


class KeysListReply(TypedDict):
    keys: List[ApiKey]
    nextCursor: Optional[str]


class KycGetReply(TypedDict):
    status: Literal["unsubmitted", "pending", "verified", "rejected"]
    record: Optional[KycRecord]


class KycRecord(TypedDict):
    orgId: str
    orgName: str
    businessName: str
    # Empty when not submitted. The same applies to `contactEmail` and `documentRef`.
    registrationNumber: str
    contactEmail: str
    documentRef: str
    # Notes of the reviewer. Empty before the review.
    reviewerNotes: str
    status: Literal["unsubmitted", "pending", "verified", "rejected"]
    submittedAt: str
    reviewedAt: Optional[str]


class LaneMargin(TypedDict):
    lane: Literal["open", "frontier"]
    revenueMinor: int
    # Token cost at the current configured price per million, rounded to the nearest minor unit. Cost and margin are null for callers who are not staff.
    cogsMinor: Optional[int]
    marginMinor: Optional[int]
    # Percentage of revenue; null without revenue.
    marginPct: Optional[float]
    tokens: int


class LedgerEntry(TypedDict):
    id: str
    type: Literal["credit", "debit"]
    amountMinor: int
    source: Literal["topup", "agent", "chat", "index", "research", "review", "gateway", "refund", "adjustment", "subscription", "trial"]
    # The payment, run or message that caused the entry.
    ref: str
    balanceAfterMinor: int
    createdAt: str


class Me(TypedDict):
    userId: str
    orgId: str
    email: str
    # The new address that waits for its confirmation. Null without one, and for API keys.
    pendingEmail: Optional[MePendingEmail]
    # The language of mails to you. Null: English.
    language: Optional[Literal["en", "fr", "sw", "ar"]]
    role: Literal["owner", "admin", "member"]
    scopes: List[str]
    isPlatformAdmin: bool
    isSuperAdmin: bool
    staffRole: Optional[Literal["support", "billing", "compliance", "operator", "super_admin"]]
    # Staff calls are refused until this session shows a second factor: POST /auth/step-up.
    staffFactorRequired: bool
    currency: Currency
    balanceMinor: int
    heldMinor: int
    availableMinor: int
    trialMinor: int
    trialExpiresAt: Optional[str]
    mfaEnabled: bool
    plan: Optional[str]
    subscriptionStatus: Optional[str]
    includedRemainingMinor: int
    orgName: str
    orgType: str
    orgSuspended: bool
    kycStatus: str
    # Your spending cap for this calendar month in UTC, and the remaining amount. Null without a cap.
    cap: Optional[MeCap]
    # The policy of the organisation.
    orgPolicy: MeOrgPolicy


class MeCap(TypedDict):
    capMinor: int
    leftMinor: int


class MeFlagsReply(TypedDict):
    # Every flag by its key.
    flags: Dict[str, bool]
    sources: List[MeFlagsReplySource]


class MeFlagsReplySource(TypedDict):
    key: str
    enabled: bool
    # The source of the value.
    source: Literal["org", "tier", "default"]


class MeOrgPolicy(TypedDict):
    """The policy of the organisation."""

    tier: str
    allowedLanes: List[Literal["open", "frontier"]]
    residencyRegion: Optional[str]


class MeOrgsReply(TypedDict):
    orgs: List[MeOrgsReplyOrg]


class MeOrgsReplyOrg(TypedDict):
    orgId: str
    name: str
    type: str
    role: Literal["owner", "admin", "member"]
    # Whether this is the active organisation of the session.
    active: bool
    # Whether members must sign in with its identity provider.
    ssoRequired: bool
    # Whether sign-in with GitHub is allowed instead of single sign-on.
    githubAllowed: bool


class MePendingEmail(TypedDict):
    email: str
    expiresAt: str


_MeUsageReply = TypedDict(
    "_MeUsageReply",
    {
        "points": "List[MeUsageReplyPoint]",
        "totals": "MeUsageReplyTotals",
        "from": "str",
        "to": "str",
    },
)

_MeUsageReplyOptional = TypedDict(
    "_MeUsageReplyOptional",
    {
    },
    total=False,
)


class MeUsageReply(_MeUsageReply, _MeUsageReplyOptional):
    pass


class MeUsageReplyPoint(TypedDict):
    at: str
    lane: str
    model: str
    source: str
    tokens: int
    costMinor: int
    # The cost without rounding, in minor units, where charges accumulate: `costMinor` is then 0 if earlier charges paid for it. Null for a charge that is rounded up by itself.
    exactCost: Optional[str]


class MeUsageReplyTotals(TypedDict):
    """The total of the whole period, including points that are not listed."""

    costMinor: int
    tokens: int
    byLane: Dict[str, MeUsageReplyTotalsByLane]
    bySource: Dict[str, MeUsageReplyTotalsBySource]
    # Days with usage (UTC), earliest first.
    byDay: List[MeUsageReplyTotalsByDayItem]


class MeUsageReplyTotalsByDayItem(TypedDict):
    costMinor: int
    tokens: int
    day: str


class MeUsageReplyTotalsByLane(TypedDict):
    costMinor: int
    tokens: int


class MeUsageReplyTotalsBySource(TypedDict):
    costMinor: int
    tokens: int


_MetricsKpisReply = TypedDict(
    "_MetricsKpisReply",
    {
        "scope": "Literal[\"org\", \"all\"]",
        "orgId": "Optional[str]",
        "currency": "Literal[\"NGN\", \"KES\", \"GHS\", \"ZAR\", \"EGP\", \"UGX\", \"XOF\", \"XAF\", \"RWF\", \"TZS\", \"ZMW\", \"GNF\", \"USD\"]",
        "clamped": "bool",
        "from": "str",
        "to": "str",
        "days": "int",
        "rateCardVersion": "str",
        "compedSubscriptions": "int",
        "mrrMinor": "int",
        "allowanceUsedMinor": "int",
        "netCreditedMinor": "int",
        "grantedMinor": "int",
        "subscriptionPaidMinor": "int",
        "subscriptionMrrMinor": "int",
        "activeSubscriptions": "int",
        "pastDueMrrMinor": "int",
        "pastDueSubscriptions": "int",
        "floatMinor": "int",
        "forfeitedMinor": "int",
        "payingOrgs": "int",
        "arpuMinor": "Optional[int]",
        "margin": "List[LaneMargin]",
        "byCurrency": "List[MetricsKpisReplyByCurrencyItem]",
    },
)

_MetricsKpisReplyOptional = TypedDict(
    "_MetricsKpisReplyOptional",
    {
    },
    total=False,
)


class MetricsKpisReply(_MetricsKpisReply, _MetricsKpisReplyOptional):
    pass


class MetricsKpisReplyByCurrencyItem(TypedDict):
    currency: Literal["NGN", "KES", "GHS", "ZAR", "EGP", "UGX", "XOF", "XAF", "RWF", "TZS", "ZMW", "GNF", "USD"]
    mrrMinor: int
    allowanceUsedMinor: int
    netCreditedMinor: int
    grantedMinor: int
    subscriptionPaidMinor: int
    subscriptionMrrMinor: int
    activeSubscriptions: int
    pastDueMrrMinor: int
    pastDueSubscriptions: int
    floatMinor: int
    forfeitedMinor: int
    payingOrgs: int
    # Average payment per paying organisation in these days; null if there is none.
    arpuMinor: Optional[int]
    margin: List[LaneMargin]


class MetricsOverviewReply(TypedDict):
    scope: Literal["org", "all"]
    # Null for all organisations.
    orgId: Optional[str]
    # The currency of all amounts in this object. For all organisations amounts are in kobo: the total of each currency is converted by the current rate card, rounded to the nearest kobo, then added.
    currency: Literal["NGN", "KES", "GHS", "ZAR", "EGP", "UGX", "XOF", "XAF", "RWF", "TZS", "ZMW", "GNF", "USD"]
    # True if a sum in kobo exceeds 64 bits. It is replaced by the largest 64-bit number; only the figures by currency are exact.
    clamped: bool
    at: str
    wallet: MetricsOverviewReplyWallet
    usage: MetricsOverviewReplyUsage
    # From the ledger.
    last30Days: MetricsOverviewReplyLast30Days
    subscriptions: MetricsOverviewReplySubscriptions
    # Null for all organisations.
    org: Optional[MetricsOverviewReplyOrg]
    # Null for one organisation.
    fleet: Optional[MetricsOverviewReplyFleet]


class MetricsOverviewReplyFleet(TypedDict):
    orgs: int
    closedOrgs: int
    users: int
    activeOrgs: int
    activeUsers: int
    payingOrgs: int
    suspendedOrgs: int
    kycPending: int
    paymentsInReview: int


class MetricsOverviewReplyLast30Days(TypedDict):
    """From the ledger."""

    usageMinor: int
    allowanceMinor: int
    creditedMinor: int
    grantedMinor: int
    subscriptionMinor: int


class MetricsOverviewReplyOrg(TypedDict):
    name: str
    tier: str
    plan: Optional[str]
    subscriptionStatus: Optional[str]
    suspended: bool
    kycStatus: str
    members: int
    activeUsers: int
    createdAt: str
    lastActiveAt: Optional[str]


class MetricsOverviewReplySubscriptions(TypedDict):
    active: int
    pastDue: int
    comped: int
    monthlyMinor: int


class MetricsOverviewReplyUsage(TypedDict):
    # Since midnight UTC.
    today: MetricsOverviewReplyUsageToday
    last30Days: MetricsOverviewReplyUsageLast30Days


class MetricsOverviewReplyUsageLast30Days(TypedDict):
    costMinor: int
    tokens: int
    turns: int


class MetricsOverviewReplyUsageToday(TypedDict):
    """Since midnight UTC."""

    costMinor: int
    tokens: int
    turns: int


class MetricsOverviewReplyWallet(TypedDict):
    balanceMinor: int
    heldMinor: int
    includedMinor: int


_MetricsTimeseriesReply = TypedDict(
    "_MetricsTimeseriesReply",
    {
        "scope": "Literal[\"org\", \"all\"]",
        "orgId": "Optional[str]",
        "currency": "Literal[\"NGN\", \"KES\", \"GHS\", \"ZAR\", \"EGP\", \"UGX\", \"XOF\", \"XAF\", \"RWF\", \"TZS\", \"ZMW\", \"GNF\", \"USD\"]",
        "clamped": "bool",
        "interval": "Literal[\"hour\", \"day\", \"week\", \"month\"]",
        "from": "str",
        "to": "str",
        "metrics": "List[Literal[\"usage_minor\", \"allowance_minor\", \"net_credited_minor\", \"granted_minor\", \"subscription_minor\", \"tokens\", \"turns\", \"active_orgs\", \"active_users\"]]",
        "points": "List[MetricsTimeseriesReplyPoint]",
    },
)

_MetricsTimeseriesReplyOptional = TypedDict(
    "_MetricsTimeseriesReplyOptional",
    {
    },
    total=False,
)


class MetricsTimeseriesReply(_MetricsTimeseriesReply, _MetricsTimeseriesReplyOptional):
    pass


class _MetricsTimeseriesReplyPoint(TypedDict):
    at: str


class MetricsTimeseriesReplyPoint(_MetricsTimeseriesReplyPoint, total=False):
    # Usage paid by wallets.
    usageMinor: int
    # Usage paid by allowances.
    allowanceMinor: int
    # Payments, including those for plans, minus reversals by providers.
    netCreditedMinor: int
    # Refunds and adjustments by staff, without cash.
    grantedMinor: int
    # Payments for plans minus refunds.
    subscriptionMinor: int
    tokens: int
    turns: int
    activeOrgs: int
    activeUsers: int


_MetricsUsageReply = TypedDict(
    "_MetricsUsageReply",
    {
        "scope": "Literal[\"org\", \"all\"]",
        "orgId": "Optional[str]",
        "currency": "Literal[\"NGN\", \"KES\", \"GHS\", \"ZAR\", \"EGP\", \"UGX\", \"XOF\", \"XAF\", \"RWF\", \"TZS\", \"ZMW\", \"GNF\", \"USD\"]",
        "clamped": "bool",
        "from": "str",
        "to": "str",
        "totals": "MetricsUsageReplyTotals",
        "rows": "List[MetricsUsageReplyRow]",
        "byMember": "Optional[List[MetricsUsageReplyByMemberItem]]",
    },
)

_MetricsUsageReplyOptional = TypedDict(
    "_MetricsUsageReplyOptional",
    {
    },
    total=False,
)


class MetricsUsageReply(_MetricsUsageReply, _MetricsUsageReplyOptional):
    pass


class MetricsUsageReplyByMemberItem(TypedDict):
    costMinor: int
    tokens: int
    turns: int
    userId: Optional[str]
    email: Optional[str]


class MetricsUsageReplyRow(TypedDict):
    costMinor: int
    tokens: int
    turns: int
    day: str
    lane: str
    source: str


class MetricsUsageReplyTotals(TypedDict):
    costMinor: int
    tokens: int
    turns: int
    byLane: Dict[str, MetricsUsageReplyTotalsByLane]
    bySource: Dict[str, MetricsUsageReplyTotalsBySource]
    # The 50 models with the most tokens; null for more than 31 days, because daily sums have no model.
    byModel: Optional[List[MetricsUsageReplyTotalsByModelItem]]


class MetricsUsageReplyTotalsByLane(TypedDict):
    costMinor: int
    tokens: int
    turns: int


class MetricsUsageReplyTotalsByModelItem(TypedDict):
    costMinor: int
    tokens: int
    turns: int
    model: str


class MetricsUsageReplyTotalsBySource(TypedDict):
    costMinor: int
    tokens: int
    turns: int


class _NewTask(TypedDict):
    workspace: NewTaskWorkspace


class NewTask(_NewTask, total=False):
    # Default: made from the first prompt.
    title: str
    # `open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn.
    model: str
    # The most that all turns of the task may cost together.
    budgetMinor: int
    # Standing instructions for every turn.
    instructions: str


class _NewTaskTurn(TypedDict):
    prompt: str


class NewTaskTurn(_NewTaskTurn, total=False):
    attachments: List[NewTaskTurnAttachment]
    # The most that this turn may cost. Default: see the quote.
    maxMinor: int
    # The command that verifies the result. Default: the test command of the repository.
    verify: NewTaskTurnVerify
    # True sends secrets in the prompt, in attachments, and in files that the prompt names, to the model. Otherwise they are withheld and listed.
    allowSecrets: bool
    # `open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn.
    model: str
    # `plan`: the model reads and answers with a plan. Tools that change something are refused. Default: `work`.
    mode: Literal["work", "plan"]
    # True replaces the conversation before this turn by a summary first. It is a metered call within `maxMinor`.
    compact: bool


class _NewTaskTurnAttachment(TypedDict):
    name: str


class NewTaskTurnAttachment(_NewTaskTurnAttachment, total=False):
    mediaType: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    data: str
    content: str


class NewTaskTurnVerify(TypedDict):
    """The command that verifies the result. Default: the test command of the repository."""

    command: str


class _NewTaskWorkspace(TypedDict):
    kind: Literal["files", "repository", "client"]


class NewTaskWorkspace(_NewTaskWorkspace, total=False):
    files: List[NewTaskWorkspaceFile]
    # An installation of GET /vcs/installations.
    installationId: str
    repository: str
    # A branch, a tag or a commit. Default: the default branch.
    ref: str
    # Shown to people, such as the name of the folder.
    name: str
    # Tools that you run, beside those of the service: the turn asks with `needs_tool`. At most 64, and 128 kB together.
    tools: List[TaskClientTool]
    # A file such as AGENTS.md that describes the conventions of the folder to the model.
    conventions: NewTaskWorkspaceConventions


class NewTaskWorkspaceConventions(TypedDict):
    """A file such as AGENTS.md that describes the conventions of the folder to the model."""

    path: str
    text: str


class _NewTaskWorkspaceFile(TypedDict):
    path: str
    content: str


class NewTaskWorkspaceFile(_NewTaskWorkspaceFile, total=False):
    # Default: utf8. Use base64 for files that are not text.
    encoding: Literal["utf8", "base64"]


class Ok(TypedDict):
    ok: bool


class Paybill(TypedDict):
    # The number of the paybill.
    paybill: Optional[str]
    # The account number of your organisation. Case, spaces and hyphens do not matter.
    account: Optional[str]
    mode: Optional[Literal["live"]]


class PaymentMethodsListReply(TypedDict):
    paymentMethods: List[Card]


class Plan(TypedDict):
    code: Literal["free", "pro", "team", "enterprise"]
    name: str
    tier: Literal["individual", "team", "enterprise"]
    interval: Literal["month", "year"]
    amountMinor: int
    currency: Literal["NGN", "KES", "GHS", "ZAR", "EGP", "UGX", "XOF", "XAF", "RWF", "TZS", "ZMW", "GNF", "USD"]
    includedUsageMinor: int
    # Seats included in the plan.
    seatAllotment: int
    seatPriceMinor: int


class PlansListReply(TypedDict):
    plans: List[Plan]


class Project(TypedDict):
    id: str
    name: str
    # Your access. Owners and admins are always editors.
    access: Literal["viewer", "editor"]
    createdBy: str
    createdAt: str


class ProjectDetail(TypedDict):
    id: str
    name: str
    # Your access. Owners and admins are always editors.
    access: Literal["viewer", "editor"]
    createdBy: str
    createdAt: str
    # Without the owners and admins of the organisation, who see every project.
    members: List[ProjectMember]
    # Its 100 newest files.
    attachments: List[Attachment]
    # Pass it as `cursor` to GET /attachments, with `projectId`, to list further files. Null if there are none.
    attachmentsCursor: Optional[str]


class ProjectMember(TypedDict):
    userId: str
    email: str
    name: Optional[str]
    access: Literal["viewer", "editor"]
    addedAt: str


class ProjectsCreateBody(TypedDict):
    name: str


class ProjectsListReply(TypedDict):
    projects: List[Project]
    nextCursor: Optional[str]


class ProjectsRenameBody(TypedDict):
    name: str


class RejectedTaskChanges(TypedDict):
    # Paths that were changed.
    changed: List[str]
    files: List[TaskFileDiff]
    # Parts that are left out because the difference is too large.
    skipped: List[RejectedTaskChangesSkippedItem]
    # The last change before this one. Revert to it to undo.
    before: int
    # The number of the last change of the workspace.
    change: int


class RejectedTaskChangesSkippedItem(TypedDict):
    path: str
    reason: str


class RequestRow(TypedDict):
    id: str
    at: str
    orgId: str
    currency: str
    keyId: Optional[str]
    userId: Optional[str]
    route: str
    model: str
    provider: Optional[str]
    # Four classes without overlap.
    tokens: RequestRowTokens
    costMinor: int
    # The cost without rounding, in minor units, where charges accumulate: `costMinor` is then 0 if earlier charges paid for it. Null for a charge that is rounded up by itself.
    exactCost: Optional[str]
    # Time to the first token; null without a stream.
    ttftMs: Optional[int]
    durationMs: int
    status: int
    # The error code; null for a success.
    code: Optional[str]
    requestId: Optional[str]
    # Explains the charge at GET /wallet/ledger/{id}. Null where the wallet paid nothing, unless the charge accumulates with others.
    ledgerId: Optional[str]


class RequestRowTokens(TypedDict):
    """Four classes without overlap."""

    input: int
    cachedInput: int
    cacheWrite: int
    output: int


_RequestSummary = TypedDict(
    "_RequestSummary",
    {
        "bucket": "Literal[\"hour\", \"day\"]",
        "orgId": "Optional[str]",
        "currency": "str",
        "from": "str",
        "to": "str",
        "buckets": "List[RequestSummaryBucket]",
    },
)

_RequestSummaryOptional = TypedDict(
    "_RequestSummaryOptional",
    {
    },
    total=False,
)


class RequestSummary(_RequestSummary, _RequestSummaryOptional):
    pass


class RequestSummaryBucket(TypedDict):
    at: str
    requests: int
    errors: int
    costMinor: int
    # Four classes without overlap.
    tokens: RequestSummaryBucketTokens
    # Of successful calls; null without one.
    durationMs: Optional[RequestSummaryBucketDurationMs]
    # Of successful calls; null without one.
    ttftMs: Optional[RequestSummaryBucketTtftMs]


class RequestSummaryBucketDurationMs(TypedDict):
    p50: int
    p95: int


class RequestSummaryBucketTokens(TypedDict):
    """Four classes without overlap."""

    input: int
    cachedInput: int
    cacheWrite: int
    output: int


class RequestSummaryBucketTtftMs(TypedDict):
    p50: int
    p95: int


class ResearchAnswerBody(TypedDict):
    answer: str


class ResearchConfig(TypedDict):
    # Whether POST /research can start a run now.
    available: bool
    # The missing requirements of the deployment. `budget`: the budget ceiling is too low for any run.
    missing: List[Literal["search", "storage", "inference", "budget"]]
    # False if the operator has disabled research.
    enabled: bool
    canFetchPages: bool
    laneMode: Literal["open", "synthesis-frontier", "frontier"]
    budgetMinor: int
    currency: str
    # The most concurrent runs of your organisation.
    inFlightMax: int
    # Its current runs.
    inFlight: int
    depths: List[ResearchConfigDepth]


class ResearchConfigDepth(TypedDict):
    depth: Literal["quick", "standard", "exhaustive"]
    # The most search passes.
    passes: int
    # The most subquestions.
    subquestions: int
    # The most pages that are read.
    pages: int
    estimateMinor: int
    maxMinor: int
    leastMinor: int
    # The longest duration of a run.
    minutesMax: int


class _ResearchFollowUpBody(TypedDict):
    question: str


class ResearchFollowUpBody(_ResearchFollowUpBody, total=False):
    depth: Literal["quick", "standard", "exhaustive"]
    conversationId: str
    # The maximum cost. Values above the platform ceiling are lowered to it.
    budgetMinor: int
    # Let a model ask a clarifying question first, if the question is unclear. Its turn is charged.
    clarify: bool
    # Wait until you approve the plan with POST /research/{id}/plan.
    approvePlan: bool
    # False: use only your documents, repositories and the pages of the earlier run.
    searchWeb: bool
    # Names of indexed repositories (POST /repo/index) that are searched too.
    repositories: List[str]
    # Your own text, HTML, PDF or DOCX documents. Each counts as a page of the run and is kept with it.
    documents: List[ResearchFollowUpBodyDocument]


class _ResearchFollowUpBodyDocument(TypedDict):
    name: str
    content: str


class ResearchFollowUpBodyDocument(_ResearchFollowUpBodyDocument, total=False):
    encoding: Literal["text", "base64"]


class ResearchListReply(TypedDict):
    runs: List[ResearchSummary]
    nextCursor: Optional[str]


class ResearchPlanBody(TypedDict, total=False):
    # The plan as you want it. Default: as proposed.
    subquestions: List[str]


class ResearchRun(TypedDict):
    id: str
    # `cancelled` immediately; `finishedAt` is set when the current turn ends.
    status: Literal["running", "completed", "cancelled", "failed"]
    # Why it stopped searching. Null while it is running.
    stopReason: Optional[Literal["completed", "budget", "wall_clock", "cancelled", "error"]]
    phase: Literal["queued", "plan", "search", "read", "extract", "gap", "report", "done"]
    question: str
    depth: Literal["quick", "standard", "exhaustive"]
    laneMode: Literal["open", "synthesis-frontier", "frontier"]
    budgetMinor: int
    spentMinor: int
    refundedMinor: int
    # The user who started it.
    userId: str
    projectId: Optional[str]
    conversationId: Optional[str]
    # The run that it follows.
    followUpOf: Optional[str]
    # Set while it waits for you: `answer` (POST /research/{id}/answer) or `approval` (POST /research/{id}/plan). Nothing is held meanwhile. After three days the run is cancelled.
    needs: Optional[Literal["answer", "approval"]]
    errorCode: Optional[str]
    createdAt: str
    finishedAt: Optional[str]
    asideMinor: int
    # Charged model turns.
    turns: int
    searchWeb: bool
    repositories: List[str]
    # Null if no clarifying question was asked.
    clarification: Optional[ResearchRunClarification]
    # Runs that follow this one, oldest first.
    followUps: List[ResearchRunFollowUp]
    # Empty until the plan is made.
    plan: ResearchRunPlan
    sources: List[ResearchRunSource]
    findings: List[ResearchRunFinding]
    # Null until the report is published.
    report: Optional[ResearchRunReport]


class ResearchRunClarification(TypedDict):
    questions: List[str]
    answer: Optional[str]


class ResearchRunFinding(TypedDict):
    id: str
    claim: str
    # Occurs verbatim in the text of each source.
    quote: str
    sources: List[int]
    kind: Literal["fact", "number", "definition", "opinion"]
    # Its index in the plan, from 0.
    subquestion: int


class ResearchRunFollowUp(TypedDict):
    id: str
    question: str
    status: Literal["running", "completed", "cancelled", "failed"]
    createdAt: str


class ResearchRunPlan(TypedDict):
    """Empty until the plan is made."""

    subquestions: List[str]


class ResearchRunReport(TypedDict):
    files: List[ResearchRunReportFile]


class ResearchRunReportFile(TypedDict):
    id: str
    name: str
    contentType: str
    bytes: int
    url: str


_ResearchRunSource = TypedDict(
    "_ResearchRunSource",
    {
        "n": "int",
        "url": "str",
        "title": "str",
        "status": "Literal[\"read\", \"failed\", \"skipped\"]",
        "reason": "Optional[str]",
        "pass": "int",
        "finalUrl": "Optional[str]",
        "contentType": "Optional[str]",
        "language": "Optional[str]",
        "publishedOn": "Optional[str]",
        "sha256": "Optional[str]",
        "characters": "Optional[int]",
        "isCut": "bool",
        "fetchedAt": "Optional[str]",
    },
)

_ResearchRunSourceOptional = TypedDict(
    "_ResearchRunSourceOptional",
    {
    },
    total=False,
)


class ResearchRunSource(_ResearchRunSource, _ResearchRunSourceOptional):
    pass


_ResearchSourceText = TypedDict(
    "_ResearchSourceText",
    {
        "n": "int",
        "url": "str",
        "title": "str",
        "status": "Literal[\"read\", \"failed\", \"skipped\"]",
        "reason": "Optional[str]",
        "pass": "int",
        "finalUrl": "Optional[str]",
        "contentType": "Optional[str]",
        "language": "Optional[str]",
        "publishedOn": "Optional[str]",
        "sha256": "Optional[str]",
        "characters": "Optional[int]",
        "isCut": "bool",
        "fetchedAt": "Optional[str]",
        "text": "str",
    },
)

_ResearchSourceTextOptional = TypedDict(
    "_ResearchSourceTextOptional",
    {
    },
    total=False,
)


class ResearchSourceText(_ResearchSourceText, _ResearchSourceTextOptional):
    pass


class _ResearchStartBody(TypedDict):
    question: str


class ResearchStartBody(_ResearchStartBody, total=False):
    depth: Literal["quick", "standard", "exhaustive"]
    # The project of the run and its report files. Only those who see the project see the run.
    projectId: str
    conversationId: str
    # The maximum cost. Values above the platform ceiling are lowered to it.
    budgetMinor: int
    # Let a model ask a clarifying question first, if the question is unclear. Its turn is charged.
    clarify: bool
    # Wait until you approve the plan with POST /research/{id}/plan.
    approvePlan: bool
    # False: use only your documents, repositories and the pages of the earlier run.
    searchWeb: bool
    # Names of indexed repositories (POST /repo/index) that are searched too.
    repositories: List[str]
    # Your own text, HTML, PDF or DOCX documents. Each counts as a page of the run and is kept with it.
    documents: List[ResearchStartBodyDocument]


class _ResearchStartBodyDocument(TypedDict):
    name: str
    content: str


class ResearchStartBodyDocument(_ResearchStartBodyDocument, total=False):
    encoding: Literal["text", "base64"]


class ResearchStarted(TypedDict):
    id: str
    status: Literal["running", "completed", "cancelled", "failed"]
    depth: Literal["quick", "standard", "exhaustive"]
    budgetMinor: int
    laneMode: Literal["open", "synthesis-frontier", "frontier"]


_ResearchStreamFrame = TypedDict(
    "_ResearchStreamFrame",
    {
        "seq": "int",
        "at": "str",
        "kind": "Literal[\"phase\", \"plan\", \"needs\", \"resumed\", \"search\", \"source\", \"finding\", \"turn\", \"warning\", \"report\", \"done\"]",
    },
)

_ResearchStreamFrameOptional = TypedDict(
    "_ResearchStreamFrameOptional",
    {
        "phase": "Literal[\"queued\", \"plan\", \"search\", \"read\", \"extract\", \"gap\", \"report\", \"done\"]",
        "pass": "int",
        "subquestions": "List[str]",
        "by": "Literal[\"model\", \"rules\", \"user\"]",
        "needs": "Literal[\"answer\", \"approval\"]",
        "questions": "List[str]",
        "answer": "Optional[str]",
        "query": "str",
        "hits": "int",
        "trouble": "Optional[str]",
        "n": "int",
        "url": "str",
        "title": "str",
        "status": "Literal[\"read\", \"failed\", \"skipped\", \"running\", \"completed\", \"cancelled\"]",
        "reason": "Optional[str]",
        "id": "str",
        "claim": "str",
        "quote": "str",
        "sources": "List[int]",
        "purpose": "Literal[\"clarify\", \"plan\", \"extract\", \"gap\", \"report\", \"repair\"]",
        "lane": "Literal[\"open\", \"frontier\"]",
        "model": "str",
        "tokens": "int",
        "costMinor": "int",
        "spentMinor": "int",
        "code": "str",
        "message": "str",
        "files": "List[ResearchStreamFrameFile]",
        "stopReason": "Literal[\"completed\", \"budget\", \"wall_clock\", \"cancelled\", \"error\"]",
        "run": "ResearchRun",
    },
    total=False,
)


class ResearchStreamFrame(_ResearchStreamFrame, _ResearchStreamFrameOptional):
    pass


class ResearchStreamFrameFile(TypedDict):
    id: str
    name: str
    contentType: str
    bytes: int
    url: str


class ResearchSummary(TypedDict):
    id: str
    # `cancelled` immediately; `finishedAt` is set when the current turn ends.
    status: Literal["running", "completed", "cancelled", "failed"]
    # Why it stopped searching. Null while it is running.
    stopReason: Optional[Literal["completed", "budget", "wall_clock", "cancelled", "error"]]
    phase: Literal["queued", "plan", "search", "read", "extract", "gap", "report", "done"]
    question: str
    depth: Literal["quick", "standard", "exhaustive"]
    laneMode: Literal["open", "synthesis-frontier", "frontier"]
    budgetMinor: int
    spentMinor: int
    refundedMinor: int
    # The user who started it.
    userId: str
    projectId: Optional[str]
    conversationId: Optional[str]
    # The run that it follows.
    followUpOf: Optional[str]
    # Set while it waits for you: `answer` (POST /research/{id}/answer) or `approval` (POST /research/{id}/plan). Nothing is held meanwhile. After three days the run is cancelled.
    needs: Optional[Literal["answer", "approval"]]
    errorCode: Optional[str]
    createdAt: str
    finishedAt: Optional[str]


class ReviewCustomRulesTestBody(TypedDict):
    # The rule in YAML: `id`, `title`, `severity`, `cwe`, `languages`, `message`, `fix` and one of `call`, `flow` and `text`. See docs/custom-rules.md.
    yaml: str
    files: List[ReviewCustomRulesTestBodyFile]


class ReviewCustomRulesTestBodyFile(TypedDict):
    path: str
    content: str


class ReviewFinding(TypedDict):
    ruleId: str
    title: str
    cwe: str
    severity: Literal["error", "warn", "note"]
    confidence: Literal["high", "medium", "low"]
    path: str
    line: int
    startLine: int
    endLine: int
    message: str
    fix: str
    # The source line, with secrets masked.
    snippet: str
    # The data flow from untrusted input to the finding.
    flow: List[ReviewFindingFlowItem]
    # Identifies the same finding after lines have moved.
    fingerprint: str
    id: str
    runId: str
    repo: str
    pr: int
    headSha: str
    status: Literal["unadjudicated", "confirmed", "refuted", "unproven"]
    suggestion: Optional[ReviewFindingSuggestion]
    adjudicatedBy: Optional[Literal["person", "model", "history"]]
    # The name of the person at the code host, for a verdict in a reply.
    adjudicatedLogin: Optional[str]
    note: Optional[str]
    evidence: Optional[Dict[str, Any]]
    creditedMinor: int
    createdAt: str
    adjudicatedAt: Optional[str]


class ReviewFindingFlowItem(TypedDict):
    path: str
    line: int
    what: str


class ReviewFindingSuggestion(TypedDict):
    """A replacement of whole lines. It was applied to the commit: the finding disappears, and the command passes in the sandbox."""

    startLine: int
    endLine: int
    replacement: str
    by: Literal["rule", "model"]
    command: str


class ReviewFindingsListReply(TypedDict):
    findings: List[ReviewFinding]
    nextCursor: Optional[str]


class ReviewPrecision(TypedDict):
    scope: Literal["org", "all"]
    days: int
    findings: int
    confirmed: int
    refuted: int
    unadjudicated: int
    unproven: int
    # Refuted findings divided by confirmed and refuted findings; null without verdicts.
    falsePositiveRate: Optional[float]
    noisiestRules: List[ReviewPrecisionNoisiestRule]


class ReviewPrecisionNoisiestRule(TypedDict):
    ruleId: str
    confirmed: int
    refuted: int
    falsePositiveRate: float


class ReviewRun(TypedDict):
    id: str
    installationId: str
    repo: str
    pr: int
    headSha: str
    title: str
    isFork: bool
    status: Literal["queued", "running", "completed", "superseded", "failed", "skipped"]
    conclusion: Optional[Literal["success", "neutral", "failure"]]
    policy: Literal["off", "errors", "strict"]
    # Features that were unavailable because a permission is missing.
    degraded: List[str]
    # Why the review is incomplete; null when it is complete.
    reason: Optional[str]
    publishedAs: Optional[Literal["inline", "annotations", "comment", "stored"]]
    files: int
    notReviewed: List[ReviewRunNotReviewedItem]
    notes: List[str]
    counts: Dict[str, float]
    costMinor: int
    turns: int
    validation: Optional[Dict[str, Any]]
    createdAt: str
    startedAt: Optional[str]
    finishedAt: Optional[str]


class ReviewRunNotReviewedItem(TypedDict):
    path: str
    reason: str


class ReviewRunsListReply(TypedDict):
    runs: List[ReviewRun]
    nextCursor: Optional[str]


class ReviewScanBody(TypedDict, total=False):
    files: List[ReviewScanBodyFile]
    # A unified diff. Together with `files`, it limits the findings to the lines that it changes.
    diff: str


class ReviewScanBodyFile(TypedDict):
    path: str
    content: str


class RuleList(TypedDict):
    rules: List[RuleListRule]


class RuleListRule(TypedDict):
    id: str
    title: str
    cwe: str
    severity: Literal["error", "warn", "note"]
    confidence: Literal["high", "medium", "low"]
    # Empty for rules that apply to any text.
    languages: List[str]
    message: str
    fix: str


class RuleTestReport(TypedDict):
    findings: List[ScanFinding]
    skipped: List[RuleTestReportSkippedItem]
    files: int
    # Findings that were left out: more than 50 in a file or 500 in total.
    omitted: int


class RuleTestReportSkippedItem(TypedDict):
    path: str
    reason: str


class ScanFinding(TypedDict):
    ruleId: str
    title: str
    cwe: str
    severity: Literal["error", "warn", "note"]
    confidence: Literal["high", "medium", "low"]
    path: str
    line: int
    startLine: int
    endLine: int
    message: str
    fix: str
    # The source line, with secrets masked.
    snippet: str
    # The data flow from untrusted input to the finding.
    flow: List[ScanFindingFlowItem]
    # Identifies the same finding after lines have moved.
    fingerprint: str


class ScanFindingFlowItem(TypedDict):
    path: str
    line: int
    what: str


class ScanReport(TypedDict):
    findings: List[ScanFinding]
    # Findings that a comment with a reason suppresses.
    suppressed: List[ScanReportSuppressedItem]
    skipped: List[ScanReportSkippedItem]
    # Changed files that the diff shows only in part. The scan can miss faults in them.
    partial: List[str]
    summary: ScanReportSummary


class ScanReportSkippedItem(TypedDict):
    path: str
    reason: str


class ScanReportSummary(TypedDict):
    files: int
    lines: int
    findings: int
    bySeverity: ScanReportSummaryBySeverity
    # Findings that were left out: more than 50 in a file or 2,000 in total.
    omitted: int


class ScanReportSummaryBySeverity(TypedDict):
    error: int
    warn: int
    note: int


class ScanReportSuppressedItem(TypedDict):
    ruleId: str
    path: str
    line: int
    reason: str


class ScheduledChange(TypedDict):
    planCode: Literal["free", "pro", "team", "enterprise"]
    interval: Literal["month", "year"]
    effectiveAt: str


class _SearchReply(TypedDict):
    hits: List[SearchReplyHit]
    # lexical: by terms only.
    mode: Literal["vector", "lexical"]


class SearchReply(_SearchReply, total=False):
    rewrite: SearchReplyRewrite


class SearchReplyHit(TypedDict):
    path: str
    startLine: int
    endLine: int
    content: str
    # The name of the definition; empty if there is none.
    symbol: str
    # From 0 to 1. Comparable only within one reply.
    score: float
    why: SearchReplyHitWhy


class SearchReplyHitWhy(TypedDict):
    # The BM25 score; 0 without a matching term.
    lexical: float
    # The cosine similarity; 0 if the chunk is not among the nearest.
    vector: float
    # From 0 to 1: whether similar commits changed the file.
    history: float


class SearchReplyRewrite(TypedDict):
    status: Literal["used", "not_used", "preview"]
    reason: Optional[Literal["no_hits", "no_model", "model_failed", "unusable_answer"]]
    words: List[str]
    maxCostMinor: int
    costMinor: int
    balanceMinor: int


class StartedTaskTurn(TypedDict):
    turnId: str
    model: str
    maxMinor: int
    # The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable.
    usuallyMinor: Optional[UsualCost]


class Subscription(TypedDict):
    id: str
    planCode: Literal["free", "pro", "team", "enterprise"]
    # `past_due`: a renewal is unpaid. `incomplete`: the first payment is missing.
    status: Literal["active", "past_due", "canceled", "incomplete"]
    interval: Literal["month", "year"]
    seats: int
    seatsOccupied: int
    currentPeriodStart: str
    currentPeriodEnd: str
    cancelAtPeriodEnd: bool
    # The downgrade at the end of the period.
    scheduledChange: Optional[ScheduledChange]
    currency: Literal["NGN", "KES", "GHS", "ZAR", "EGP", "UGX", "XOF", "XAF", "RWF", "TZS", "ZMW", "GNF", "USD"]
    # The rate card it was sold with.
    rateCardVersion: str
    # The plan is comped and free of charge.
    comped: bool
    nextAmountMinor: int
    # The invoice to pay while the subscription is past due.
    openInvoiceId: Optional[str]
    # The next scheduled attempt to charge the cards.
    nextAttemptAt: Optional[str]
    # A change waits for its payment.
    changeInProgress: bool


class SubscriptionGetReply(TypedDict):
    subscription: Optional[Subscription]
    # The plan as it was sold.
    plan: Optional[Plan]
    includedRemainingMinor: int


class Task(TypedDict):
    id: str
    userId: str
    title: str
    # `waiting`: for results of your tools, or for an approval.
    status: Literal["idle", "queued", "running", "waiting"]
    workspace: TaskWorkspace
    model: Optional[str]
    budgetMinor: Optional[int]
    spentMinor: int
    turnCount: int
    archived: bool
    createdAt: str
    updatedAt: str
    instructions: Optional[str]
    turns: List[TaskTurn]
    # The calls that an open turn waits for.
    needs: List[TaskNeed]
    pullRequest: Optional[TaskPullRequest]
    # The number of the last event.
    lastSeq: int


class _TaskClientTool(TypedDict):
    name: str
    description: str
    # A JSON Schema of the arguments: `type` is `object`, at most 10 levels and 16 kB, without `$ref`. The model gets the part of it that all providers accept, and you check the arguments.
    inputSchema: Dict[str, Any]


class TaskClientTool(_TaskClientTool, total=False):
    # True if the tool changes nothing. Only such tools are offered in plan mode. Default: false.
    isReadOnly: bool


class TaskDiff(TypedDict):
    added: int
    removed: int
    # The number of the last change of the workspace.
    change: int
    files: List[TaskFileDiff]
    # Parts that are left out because the difference is too large.
    skipped: List[TaskDiffSkippedItem]


class TaskDiffSkippedItem(TypedDict):
    path: str
    reason: str


class _TaskEvent(TypedDict):
    # The number of the event within its task, from 1.
    seq: int
    at: str
    # Null for a fact between turns.
    turnId: Optional[str]
    kind: Literal["message", "reasoning", "tool", "tool_result", "change", "cost", "needs_tool", "needs_approval", "status"]


class TaskEvent(_TaskEvent, total=False):
    step: Optional[int]
    # A higher one replaces the text of the step.
    attempt: int
    # A piece to append to the earlier ones.
    text: str
    callId: str
    tool: str
    input: Any
    ok: bool
    output: str
    # The output is shortened. `GET /tasks/{id}/tool-results/{callId}` returns the whole output.
    isTruncated: bool
    path: str
    action: Literal["create", "update", "delete"]
    # Lines.
    added: int
    # Lines.
    removed: int
    costMinor: int
    spentMinor: int
    # The amount that the member can still spend. Older events do not have it.
    balanceMinor: int
    model: str
    tokens: int
    # The input is too large for an event and null here. Read it at `GET /tasks/{id}/tool-results/{callId}`.
    isInputOmitted: bool
    approvalId: str
    # A sentence for the person who decides.
    reason: str
    status: Literal["queued", "running", "waiting", "finished"]
    # `compacted`: a summary replaced the start of the transcript. `retrying`: a failed step is repeated. `preparing`: dependencies are installed. `verifying`: the tests run. `reverted`: the files were restored as the turn in `detail` left them, or after an earlier change. `rejected`: the caller rejected changes; `change` events follow. `pull_request`: `detail` is the new state of the pull request. For these three, `turnId` is null.
    note: Literal["compacted", "retrying", "verifying", "preparing", "reverted", "rejected", "pull_request"]
    detail: str
    # Present when a turn has finished, as are the fields below.
    stopReason: Literal["completed", "stopped", "budget_reached", "step_limit", "no_progress", "declined", "too_long", "abandoned", "workspace_unavailable", "upstream_failed", "policy", "failed"]
    summary: Optional[str]
    verification: Optional[TaskVerification]
    withheld: List[TaskEventWithheldItem]


class _TaskEventWithheldItem(TypedDict):
    path: str
    reason: str


class TaskEventWithheldItem(_TaskEventWithheldItem, total=False):
    line: int


class TaskFileDiff(TypedDict):
    path: str
    action: Literal["create", "update", "delete"]
    added: int
    removed: int
    patch: str
    isBinary: bool
    isWhole: bool
    # Of the current content. Null for a deleted file and for client workspaces.
    sha256: Optional[str]


class TaskFiles(TypedDict):
    entries: List[TaskFilesEntry]
    # False if the folder has more than 2,000 entries.
    isWhole: bool


class TaskFilesEntry(TypedDict):
    name: str
    kind: Literal["file", "folder"]
    # Of a folder: all its files together.
    bytes: int
    # The number of files that the task changed.
    changed: int


class TaskNeed(TypedDict):
    turnId: str
    # Also the `approvalId` of an approval.
    callId: str
    kind: Literal["tool", "approval"]
    tool: str
    input: Any


class TaskPatch(TypedDict, total=False):
    title: str
    archived: bool
    model: Optional[str]
    budgetMinor: Optional[int]
    instructions: Optional[str]
    # Of a client workspace: replaces all its tools. The next turn uses them.
    tools: List[TaskClientTool]
    # Of a client workspace: replaces its conventions. The next turn uses them.
    conventions: Optional[TaskPatchConventions]


class TaskPatchConventions(TypedDict):
    """A file such as AGENTS.md that describes the conventions of the folder to the model."""

    path: str
    text: str


class TaskPullRequest(TypedDict):
    url: str
    number: int
    branch: str
    # From the last webhook of GitHub.
    state: Literal["draft", "open", "merged", "closed"]


_TaskRejection = TypedDict(
    "_TaskRejection",
    {
        "files": "List[TaskRejectionFile]",
    },
)

_TaskRejectionOptional = TypedDict(
    "_TaskRejectionOptional",
    {
        "from": "str",
    },
    total=False,
)


class TaskRejection(_TaskRejection, _TaskRejectionOptional):
    pass


class _TaskRejectionFile(TypedDict):
    path: str
    # Of the content that you saw, from the difference. Null for a deleted file.
    sha256: Optional[str]


class TaskRejectionFile(_TaskRejectionFile, total=False):
    # The numbers in the header of each hunk in the patch. Default: the whole file.
    hunks: List[TaskRejectionFileHunk]


class TaskRejectionFileHunk(TypedDict):
    oldStart: int
    newStart: int


class TaskSummary(TypedDict):
    id: str
    userId: str
    title: str
    # `waiting`: for results of your tools, or for an approval.
    status: Literal["idle", "queued", "running", "waiting"]
    workspace: TaskWorkspace
    model: Optional[str]
    budgetMinor: Optional[int]
    spentMinor: int
    turnCount: int
    archived: bool
    createdAt: str
    updatedAt: str
    lastTurn: Optional[TaskSummaryLastTurn]


class TaskSummaryLastTurn(TypedDict):
    status: Literal["queued", "running", "waiting", "finished"]
    stopReason: Optional[Literal["completed", "stopped", "budget_reached", "step_limit", "no_progress", "declined", "too_long", "abandoned", "workspace_unavailable", "upstream_failed", "policy", "failed"]]
    verified: bool
    # The first 300 characters.
    summary: Optional[str]


class TaskToolResults(TypedDict):
    results: List[TaskToolResultsResult]


class _TaskToolResultsResult(TypedDict):
    callId: str
    ok: bool


class TaskToolResultsResult(_TaskToolResultsResult, total=False):
    output: str
    # Instead of `output`: an earlier call of this task, whose result this one resembles.
    base: str
    # With `base`: of the whole output as UTF-8.
    sha256: str
    # With `base`: the output in order. A text is new. `[from, count]` are lines of the base, from 0, with their line breaks. `[from, count, number, width]` are such lines that begin with a number and `| `, with consecutive numbers from `number` instead, padded to `width`. Empty: the output is the same. `lineDelta` of the SDK makes it.
    delta: List[Any]
    # The changes of the call, so that other devices can show it.
    changes: List[TaskToolResultsResultChange]


class TaskToolResultsResultChange(TypedDict):
    path: str
    # A unified diff.
    patch: str


class TaskTurn(TypedDict):
    id: str
    ordinal: int
    userId: str
    prompt: str
    attachments: List[TaskTurnAttachment]
    model: str
    mode: Literal["work", "plan"]
    status: Literal["queued", "running", "waiting", "finished"]
    stopReason: Optional[Literal["completed", "stopped", "budget_reached", "step_limit", "no_progress", "declined", "too_long", "abandoned", "workspace_unavailable", "upstream_failed", "policy", "failed"]]
    errorCode: Optional[str]
    # The last words of the model.
    summary: Optional[str]
    verified: bool
    verification: Optional[TaskVerification]
    withheld: List[TaskTurnWithheldItem]
    maxMinor: int
    # The number of files that the turn changed.
    changedFiles: int
    # The number of the last event before the turn: follow the turn with `after`.
    afterSeq: int
    spentMinor: int
    refundedMinor: int
    createdAt: str
    finishedAt: Optional[str]


class TaskTurnAttachment(TypedDict):
    name: str


class TaskTurnQuote(TypedDict):
    model: str
    maxMinor: int
    # The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable.
    usuallyMinor: Optional[UsualCost]
    leastMinor: int
    balanceMinor: int
    availableMinor: int
    affordable: bool


class _TaskTurnWithheldItem(TypedDict):
    path: str
    reason: str


class TaskTurnWithheldItem(_TaskTurnWithheldItem, total=False):
    line: int


class _TaskVerification(TypedDict):
    verified: bool
    command: Optional[str]
    commandFrom: Optional[Literal["caller", "detected"]]
    reason: Literal["failed_before_passes_now", "new_test_passes", "passed_before", "still_fails", "tests_changed", "hard_coded", "flaky", "no_tests_ran", "no_changes", "no_command", "no_sandbox", "dependencies_failed", "sandbox_failed", "timed_out", "stopped"]
    before: Optional[TaskVerificationBefore]
    after: Optional[TaskVerificationAfter]
    excerpt: str
    dependencies: TaskVerificationDependencies


class TaskVerification(_TaskVerification, total=False):
    detail: str


class TaskVerificationAfter(TypedDict):
    exitCode: Optional[int]
    passed: int
    failed: int
    durationMs: int
    isEnded: bool


class TaskVerificationBefore(TypedDict):
    exitCode: Optional[int]
    passed: int
    failed: int
    durationMs: int
    isEnded: bool


class _TaskVerificationDependencies(TypedDict):
    state: Literal["none", "ready", "failed"]


class TaskVerificationDependencies(_TaskVerificationDependencies, total=False):
    tool: str
    isCached: bool
    reason: str


class _TaskWorkspace(TypedDict):
    kind: Literal["files", "repository", "client"]


class TaskWorkspace(_TaskWorkspace, total=False):
    installationId: str
    repository: str
    ref: str
    commit: str
    # Files that are not part of the workspace: submodules, LFS files, links, and files that are too large.
    skipped: List[TaskWorkspaceSkippedItem]
    name: str


class TaskWorkspaceSkippedItem(TypedDict):
    path: str
    reason: str


class TasksApproveBody(TypedDict):
    # The `approvalId` of the event, which is the id of the call.
    approvalId: str
    allow: bool


class TasksListReply(TypedDict):
    tasks: List[TaskSummary]
    nextCursor: Optional[str]


class TasksPullRequestBody(TypedDict, total=False):
    # Default: made from the title of the task.
    branch: str
    title: str
    body: str
    # Default: true.
    draft: bool


class TasksPullRequestReply(TypedDict):
    url: str
    number: int
    branch: str
    isUpdate: bool


class TasksQuoteBody(TypedDict, total=False):
    # `open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn.
    model: str
    # The most that this turn may cost. Default: see the quote.
    maxMinor: int
    prompt: str


class TasksQuoteNewBody(TypedDict, total=False):
    # `open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn.
    model: str
    # The most that this turn may cost. Default: see the quote.
    maxMinor: int
    prompt: str
    # The budget that the task will have.
    budgetMinor: int


class TasksRevertBody(TypedDict, total=False):
    turnId: str
    # Instead of a turn: the state after this change. 0 is the state before all changes.
    change: int
    # The last change that you know. If there is a newer one, nothing is restored.
    ifChange: int


class TasksRevertReply(TypedDict):
    # Paths that were restored.
    changed: List[str]
    # The number of the last change of the workspace.
    change: int


class TasksToolOutputReply(TypedDict):
    callId: str
    tool: str
    input: Any
    ok: Optional[bool]
    # Null while the call has no result.
    output: Optional[str]


class TasksToolResultsReply(TypedDict):
    accepted: List[str]
    # Calls that already had a result.
    ignored: List[str]
    status: Literal["idle", "queued", "running", "waiting"]


class Team(TypedDict):
    orgId: str
    name: str
    type: Literal["individual", "team"]
    role: Literal["owner", "admin", "member"]
    currency: Literal["NGN", "KES", "GHS", "ZAR", "EGP", "UGX", "XOF", "XAF", "RWF", "TZS", "ZMW", "GNF", "USD"]
    seatAllotment: int


class _TeamsCreateBody(TypedDict):
    name: str


class TeamsCreateBody(_TeamsCreateBody, total=False):
    # Default: the currency of your organisation.
    currency: Literal["NGN", "KES", "GHS", "ZAR", "EGP", "UGX", "XOF", "XAF", "RWF", "TZS", "ZMW", "GNF", "USD"]


class Thread(TypedDict):
    id: str
    # Empty until the first question.
    title: str
    mode: Literal["general", "code"]
    archived: bool
    createdAt: str
    updatedAt: str
    # An answer is running. It is listed after it finishes.
    busy: bool


class ThreadDetail(TypedDict):
    id: str
    # Empty until the first question.
    title: str
    mode: Literal["general", "code"]
    archived: bool
    createdAt: str
    updatedAt: str
    # An answer is running. It is listed after it finishes.
    busy: bool
    # The newest messages, oldest first: at most 200, fewer when they are long.
    messages: List[ChatMessage]
    # Send it as `cursor` to read older messages. Null when there are none.
    messagesCursor: Optional[str]


class Topup(TypedDict):
    reference: str
    # `review`: the paid amount differs from the expected one, and staff look into it.
    status: Literal["pending", "settled", "failed", "expired", "review"]
    channel: Literal["card", "ussd", "opay", "palmpay", "mpesa", "mtn_momo", "ozow", "fawry", "telecel_cash", "airteltigo", "payshap", "flutterwave"]
    mode: Literal["live", "mock"]
    amountMinor: int
    currency: str
    reason: Optional[str]
    createdAt: str
    expiresAt: str
    settledAt: Optional[str]
    # Charged to a stored card because the balance was low.
    automatic: bool


class TopupAttempt(TypedDict):
    reference: str
    amountMinor: int
    startedAt: str
    # The page of the bank, when it asks the card holder to confirm.
    authorizationUrl: Optional[str]


class _TopupRequest(TypedDict):
    amountMinor: int


class TopupRequest(_TopupRequest, total=False):
    channel: Literal["card", "ussd", "opay", "palmpay", "mpesa", "mtn_momo", "ozow", "fawry", "telecel_cash", "airteltigo", "payshap", "flutterwave"]
    # For mobile money: E.164, or the national format in the country of your currency.
    phone: str
    # Address for the receipt. Default: your own.
    email: str
    # Must be the currency of your organisation. Send it to have it checked.
    currency: str


class _TopupResult(TypedDict):
    reference: str
    mode: Literal["live", "mock"]
    # `review`: the paid amount differs from the expected one, and staff look into it.
    status: Literal["pending", "settled", "failed", "expired", "review"]
    channel: Literal["card", "ussd", "opay", "palmpay", "mpesa", "mtn_momo", "ozow", "fawry", "telecel_cash", "airteltigo", "payshap", "flutterwave"]
    amountMinor: int
    currency: str
    expiresAt: str


class TopupResult(_TopupResult, total=False):
    # The page to send the payer to. Present when the channel has one, like the next two.
    authorizationUrl: str
    # The USSD code for the payer to dial.
    ussdCode: str
    # Instructions to show to the payer.
    displayText: str
    # The payer receives a code; submit it with POST /wallet/topups/{reference}/otp.
    otpRequired: bool


class TransparencyWalletReply(TypedDict):
    # The name of your wallet in the log. Only you know that it is yours.
    name: str
    # The head of your chain that the entry publishes.
    entry: TransparencyWalletReplyEntry
    # The number of the entry in the log, from 0.
    index: int
    # The text of the entry.
    leaf: str
    # The proof that the log includes the entry, as in RFC 6962.
    inclusion: List[str]
    # A signed note as in c2sp.org/tlog-checkpoint: name, size and root of the log, and the signature.
    checkpoint: str
    # The Ed25519 key of the log as in c2sp.org/signed-note: name, hash of the key, key.
    publicKey: str


class TransparencyWalletReplyEntry(TypedDict):
    """The head of your chain that the entry publishes."""

    seq: int
    # SHA-256 in hexadecimal.
    hash: str


class UsageRequestsReply(TypedDict):
    requests: List[RequestRow]
    nextCursor: Optional[str]


class UsualCost(TypedDict):
    low: int
    high: int


class VcsInstallation(TypedDict):
    id: str
    # The code host.
    forge: Literal["github", "gitlab", "bitbucket"]
    # Of a connection; null for the GitHub app.
    repository: Optional[str]
    # The id of the installation on GitHub; of a connection, a number of ours.
    installationId: int
    account: str
    accountType: str
    status: Literal["active", "suspended", "removed"]
    repositorySelection: Literal["all", "selected"]
    # Which findings make the check fail: none (off), errors of high confidence (errors), or all errors and warnings (strict).
    blockingPolicy: Literal["off", "errors", "strict"]
    inlineComments: bool
    validationEnabled: bool
    # Whether the bot answers comments.
    threadReplies: bool
    createdAt: str
    updatedAt: str
    removedAt: Optional[str]


class VcsInstallationsBranchesReply(TypedDict):
    defaultBranch: str
    # The default branch first.
    branches: List[str]
    # False if there are more than 100.
    isWhole: bool


class VcsInstallationsListReply(TypedDict):
    installations: List[VcsInstallation]


class VcsInstallationsPermissionsReply(TypedDict):
    required: List[VcsInstallationsPermissionsReplyRequiredItem]
    # Tasks need these to open pull requests and to answer comments. Reviews do not need them.
    optional: List[VcsInstallationsPermissionsReplyOptionalItem]
    granted: Dict[str, str]
    events: List[str]
    gaps: List[VcsInstallationsPermissionsReplyGap]


class VcsInstallationsPermissionsReplyGap(TypedDict):
    permission: str
    need: str
    have: str
    lost: str
    reason: str


class VcsInstallationsPermissionsReplyOptionalItem(TypedDict):
    permission: str
    access: str
    why: str
    isGranted: bool


class VcsInstallationsPermissionsReplyRequiredItem(TypedDict):
    permission: str
    access: str
    why: str
    isFatal: bool


class VcsInstallationsRepositoriesReply(TypedDict):
    repositories: List[VcsInstallationsRepositoriesReplyRepository]
    # False if there are more than 100.
    isWhole: bool


class VcsInstallationsRepositoriesReplyRepository(TypedDict):
    repository: str
    defaultBranch: str


class Wallet(TypedDict):
    balanceMinor: int
    heldMinor: int
    availableMinor: int
    currency: Literal["NGN", "KES", "GHS", "ZAR", "EGP", "UGX", "XOF", "XAF", "RWF", "TZS", "ZMW", "GNF", "USD"]
    includedRemainingMinor: int
    trialMinor: int
    # Null without trial credit.
    trialExpiresAt: Optional[str]


class WalletChannelsReply(TypedDict):
    channels: List[WalletChannelsReplyChannel]
    currency: str


class WalletChannelsReplyChannel(TypedDict):
    channel: Literal["card", "ussd", "opay", "palmpay", "mpesa", "mtn_momo", "ozow", "fawry", "telecel_cash", "airteltigo", "payshap", "flutterwave"]
    label: str
    mode: Literal["live", "mock"]
    needsPhone: bool
    minMinor: int
    maxMinor: int
    stepMinor: int


class WalletExplainReply(TypedDict):
    entry: LedgerEntry
    explanation: WalletExplainReplyExplanation
    chain: WalletExplainReplyChain


class WalletExplainReplyChain(TypedDict):
    seq: int
    # SHA-256 in hexadecimal; empty before the first posting.
    hash: str
    # SHA-256 in hexadecimal; empty before the first posting.
    previousHash: str


class WalletExplainReplyExplanation(TypedDict):
    kind: Literal["metered", "topup", "refund", "adjustment", "subscription", "reversal", "trial"]
    summary: str
    metered: Optional[WalletExplainReplyExplanationMetered]
    hold: Optional[WalletExplainReplyExplanationHold]
    settlement: Optional[WalletExplainReplyExplanationSettlement]
    payment: Optional[WalletExplainReplyExplanationPayment]


class WalletExplainReplyExplanationHold(TypedDict):
    id: str
    reservedMinor: int
    includedMinor: int
    reservedAt: str
    deadline: str


class WalletExplainReplyExplanationMetered(TypedDict):
    lane: Literal["open", "frontier"]
    model: str
    tokens: int
    billedTokens: int
    # Null if the model did not report it.
    promptTokens: Optional[int]
    # Null if the model did not report it.
    outputTokens: Optional[int]
    # Part of the prompt. Null if the model did not report it.
    cachedTokens: Optional[int]
    # Part of the prompt. Null if the model did not report it.
    cacheWriteTokens: Optional[int]
    # Part of the output. Null if the model did not report it.
    reasoningTokens: Optional[int]
    priceKoboPer1m: int
    # The used tokens by class. Null if one price applies to every token.
    classes: Optional[List[WalletExplainReplyExplanationMeteredClass]]
    rateCard: str
    # Minor units of your currency per kobo.
    rate: WalletExplainReplyExplanationMeteredRate
    # The price of the billed tokens, without rounding.
    exactKobo: str
    # The price of the tokens beyond the reservation. It is not charged.
    unbilledKobo: str
    runBeforeMinor: int
    runAfterMinor: int
    costMinor: int
    # Set if the charge accumulates exactly with other charges instead of being rounded up by itself.
    accrual: Optional[WalletExplainReplyExplanationMeteredAccrual]
    # The calculation step by step.
    steps: List[str]
    # Whether the calculation, repeated for this reply, gives the charged amount.
    recomputed: bool


class WalletExplainReplyExplanationMeteredAccrual(TypedDict):
    # The cost of the call without rounding, in minor units.
    exactCost: str
    # The part that earlier calls paid beyond their cost, in minor units.
    paidBefore: str
    # The part that is left for the next calls, in minor units. Always less than one.
    paidAfter: str
    sentence: str


_WalletExplainReplyExplanationMeteredClass = TypedDict(
    "_WalletExplainReplyExplanationMeteredClass",
    {
        "class": "Literal[\"input\", \"cachedInput\", \"cacheWrite\", \"output\"]",
        "tokens": "int",
        "priceKoboPer1m": "int",
        "exactKobo": "str",
    },
)

_WalletExplainReplyExplanationMeteredClassOptional = TypedDict(
    "_WalletExplainReplyExplanationMeteredClassOptional",
    {
    },
    total=False,
)


class WalletExplainReplyExplanationMeteredClass(_WalletExplainReplyExplanationMeteredClass, _WalletExplainReplyExplanationMeteredClassOptional):
    pass


class WalletExplainReplyExplanationMeteredRate(TypedDict):
    """Minor units of your currency per kobo."""

    numerator: str
    denominator: str


class WalletExplainReplyExplanationPayment(TypedDict):
    # Look it up at GET /wallet/topups.
    reference: str
    # The payment provider. Null if no provider was involved.
    rail: Optional[str]
    at: str


class WalletExplainReplyExplanationSettlement(TypedDict):
    chargedMinor: int
    fromIncludedMinor: int
    fromWalletMinor: int
    releasedMinor: int
    at: str


class WalletLedgerReply(TypedDict):
    entries: List[LedgerEntry]
    nextCursor: Optional[str]


class WalletMovementsReply(TypedDict):
    movements: List[WalletMovementsReplyMovement]
    nextAfter: Optional[int]


class WalletMovementsReplyMovement(TypedDict):
    seq: int
    id: str
    kind: str
    freeMinor: int
    heldMinor: int
    includedMinor: int
    includedHeldMinor: int
    revenueMinor: int
    allowanceMinor: int
    account: Optional[str]
    accountMinor: int
    source: str
    ref: str
    balanceAfterMinor: int
    cause: Optional[str]
    holdId: Optional[str]
    createdAt: str
    createdAtMicros: int
    # SHA-256 in hexadecimal; empty before the first posting.
    hash: str


class WalletProofReply(TypedDict):
    currency: Literal["NGN", "KES", "GHS", "ZAR", "EGP", "UGX", "XOF", "XAF", "RWF", "TZS", "ZMW", "GNF", "USD"]
    balanceMinor: int
    heldMinor: int
    includedRemainingMinor: int
    movements: int
    # The sums of all postings. The net is the balance.
    sums: WalletProofReplySums
    # Whether balance, held and included money equal the sums of postings and open holds.
    matches: bool
    holdsOpen: int
    heldByHoldsMinor: int
    # The end of the hash chain. Keep it to prove later that nothing before it was changed.
    head: WalletProofReplyHead
    # The name of this chain in the transparency log. Others cannot tell that it is yours. Null where the log is off.
    transparencyName: Optional[str]
    checked: WalletProofReplyChecked


class WalletProofReplyChecked(TypedDict):
    fromSeq: int
    toSeq: int
    intact: bool
    # The first posting that is missing or was changed.
    brokenAt: Optional[int]
    # Pass it as `from` to check the postings before these.
    olderFrom: Optional[int]


class WalletProofReplyHead(TypedDict):
    """The end of the hash chain. Keep it to prove later that nothing before it was changed."""

    seq: int
    # SHA-256 in hexadecimal; empty before the first posting.
    hash: str


class WalletProofReplySums(TypedDict):
    """The sums of all postings. The net is the balance."""

    creditsMinor: int
    debitsMinor: int
    netMinor: int


class WalletTopupOtpBody(TypedDict):
    # The code that the network sent to the payer.
    otp: str


class WalletTopupsReply(TypedDict):
    topups: List[Topup]
    nextCursor: Optional[str]


class WalletVerifyBody(TypedDict):
    reference: str


class WalletVerifyReply(TypedDict):
    reference: str
    # `review`: the paid amount differs from the expected one, and staff look into it.
    status: Literal["pending", "settled", "failed", "expired", "review"]
    amountMinor: int
    creditedMinor: int
    balanceMinor: int
    currency: str
    channel: Literal["card", "ussd", "opay", "palmpay", "mpesa", "mtn_momo", "ozow", "fawry", "telecel_cash", "airteltigo", "payshap", "flutterwave"]
    mode: Literal["live", "mock"]
    # Why it failed or is under review.
    reason: Optional[str]
    settledAt: Optional[str]
