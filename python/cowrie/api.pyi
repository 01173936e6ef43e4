# Printed from openapi.json by `npm run print`; do not edit.
from typing import Any, AsyncIterator, Callable, Dict, Iterator, List, Literal, Mapping, Optional, Union

from ._operation import Operation
from .types import (
    AgentContext as AgentContext,
    AgentContextOmittedItem as AgentContextOmittedItem,
    AgentQuote as AgentQuote,
    AgentQuoteBody as AgentQuoteBody,
    AgentQuoteBodyContextItem as AgentQuoteBodyContextItem,
    AgentQuoteWithheldItem as AgentQuoteWithheldItem,
    AgentRun as AgentRun,
    AgentRunLoopBody as AgentRunLoopBody,
    AgentRunLoopBodyContextItem as AgentRunLoopBodyContextItem,
    AgentRunLoopFrame as AgentRunLoopFrame,
    AgentRunLoopFrameFailure as AgentRunLoopFrameFailure,
    AgentRunLoopFrameFile as AgentRunLoopFrameFile,
    AgentRunLoopFrameStart as AgentRunLoopFrameStart,
    AgentRunLoopFrameTests as AgentRunLoopFrameTests,
    AgentRunRequest as AgentRunRequest,
    AgentRunRequestContextItem as AgentRunRequestContextItem,
    AgentRunResult as AgentRunResult,
    AgentRunResult2 as AgentRunResult2,
    AgentRunResult2WithheldItem as AgentRunResult2WithheldItem,
    AgentRunResultWithheldItem as AgentRunResultWithheldItem,
    AgentRunStreamFrame as AgentRunStreamFrame,
    AgentRunStreamFrameFailure as AgentRunStreamFrameFailure,
    AgentRunStreamFrameFile as AgentRunStreamFrameFile,
    AgentRunStreamFrameStart as AgentRunStreamFrameStart,
    AgentRunsListReply as AgentRunsListReply,
    AgentRunsListReplyRun as AgentRunsListReplyRun,
    AgentRunsListReplyRunResult as AgentRunsListReplyRunResult,
    AgentRunsListReplyRunResultEdit as AgentRunsListReplyRunResultEdit,
    AgentRunsListReplyRunResultWithheldItem as AgentRunsListReplyRunResultWithheldItem,
    ApiKey as ApiKey,
    ApiKeyCreatedBy as ApiKeyCreatedBy,
    Attachment as Attachment,
    AttachmentsListReply as AttachmentsListReply,
    AutomaticTopup as AutomaticTopup,
    AutomaticTopupCard as AutomaticTopupCard,
    AutomaticTopupState as AutomaticTopupState,
    BillingDetails as BillingDetails,
    BillingDetailsInvoicedAs as BillingDetailsInvoicedAs,
    BillingDetailsInvoicedAsTax as BillingDetailsInvoicedAsTax,
    BillingSummary as BillingSummary,
    BillingSummaryIncluded as BillingSummaryIncluded,
    BillingSummarySeats as BillingSummarySeats,
    Card as Card,
    ChatMessage as ChatMessage,
    ChatMessagesQuoteBody as ChatMessagesQuoteBody,
    ChatMessagesQuoteReply as ChatMessagesQuoteReply,
    ChatMessagesQuoteReplyWithheldItem as ChatMessagesQuoteReplyWithheldItem,
    ChatMessagesSendBody as ChatMessagesSendBody,
    ChatMessagesSendFrame as ChatMessagesSendFrame,
    ChatMessagesSendFrameContext as ChatMessagesSendFrameContext,
    ChatMessagesSendFrameUserMessage as ChatMessagesSendFrameUserMessage,
    ChatMessagesSendFrameWithheldItem as ChatMessagesSendFrameWithheldItem,
    ChatMessagesStopReply as ChatMessagesStopReply,
    ChatThreadsChangeBody as ChatThreadsChangeBody,
    ChatThreadsCreateBody as ChatThreadsCreateBody,
    ChatThreadsListReply as ChatThreadsListReply,
    Currency as Currency,
    CustomRule as CustomRule,
    CustomRuleList as CustomRuleList,
    FileEdit as FileEdit,
    HooksEventTypesReply as HooksEventTypesReply,
    HooksEventTypesReplyType as HooksEventTypesReplyType,
    IndexAddBody as IndexAddBody,
    IndexAddBodyFile as IndexAddBodyFile,
    IndexAddBodyHistory as IndexAddBodyHistory,
    IndexAddBodyHistoryCommit as IndexAddBodyHistoryCommit,
    IndexClearReply as IndexClearReply,
    IndexReply as IndexReply,
    IndexReplyHistory as IndexReplyHistory,
    IndexReplySkippedItem as IndexReplySkippedItem,
    IndexSearchBody as IndexSearchBody,
    IndexState as IndexState,
    IndexStateHistory as IndexStateHistory,
    IndexStateRepository as IndexStateRepository,
    Invoice as Invoice,
    InvoiceCreditNote as InvoiceCreditNote,
    InvoiceLine as InvoiceLine,
    InvoiceTax as InvoiceTax,
    InvoicesListReply as InvoicesListReply,
    KeysChangeBody as KeysChangeBody,
    KeysCreateBody as KeysCreateBody,
    KeysCreateReply as KeysCreateReply,
    KeysListReply as KeysListReply,
    KycGetReply as KycGetReply,
    KycRecord as KycRecord,
    LaneMargin as LaneMargin,
    LedgerEntry as LedgerEntry,
    Me as Me,
    MeCap as MeCap,
    MeFlagsReply as MeFlagsReply,
    MeFlagsReplySource as MeFlagsReplySource,
    MeOrgPolicy as MeOrgPolicy,
    MeOrgsReply as MeOrgsReply,
    MeOrgsReplyOrg as MeOrgsReplyOrg,
    MePendingEmail as MePendingEmail,
    MeUsageReply as MeUsageReply,
    MeUsageReplyPoint as MeUsageReplyPoint,
    MeUsageReplyTotals as MeUsageReplyTotals,
    MeUsageReplyTotalsByDayItem as MeUsageReplyTotalsByDayItem,
    MeUsageReplyTotalsByLane as MeUsageReplyTotalsByLane,
    MeUsageReplyTotalsBySource as MeUsageReplyTotalsBySource,
    MetricsKpisReply as MetricsKpisReply,
    MetricsKpisReplyByCurrencyItem as MetricsKpisReplyByCurrencyItem,
    MetricsOverviewReply as MetricsOverviewReply,
    MetricsOverviewReplyFleet as MetricsOverviewReplyFleet,
    MetricsOverviewReplyLast30Days as MetricsOverviewReplyLast30Days,
    MetricsOverviewReplyOrg as MetricsOverviewReplyOrg,
    MetricsOverviewReplySubscriptions as MetricsOverviewReplySubscriptions,
    MetricsOverviewReplyUsage as MetricsOverviewReplyUsage,
    MetricsOverviewReplyUsageLast30Days as MetricsOverviewReplyUsageLast30Days,
    MetricsOverviewReplyUsageToday as MetricsOverviewReplyUsageToday,
    MetricsOverviewReplyWallet as MetricsOverviewReplyWallet,
    MetricsTimeseriesReply as MetricsTimeseriesReply,
    MetricsTimeseriesReplyPoint as MetricsTimeseriesReplyPoint,
    MetricsUsageReply as MetricsUsageReply,
    MetricsUsageReplyByMemberItem as MetricsUsageReplyByMemberItem,
    MetricsUsageReplyRow as MetricsUsageReplyRow,
    MetricsUsageReplyTotals as MetricsUsageReplyTotals,
    MetricsUsageReplyTotalsByLane as MetricsUsageReplyTotalsByLane,
    MetricsUsageReplyTotalsByModelItem as MetricsUsageReplyTotalsByModelItem,
    MetricsUsageReplyTotalsBySource as MetricsUsageReplyTotalsBySource,
    NewTask as NewTask,
    NewTaskTurn as NewTaskTurn,
    NewTaskTurnAttachment as NewTaskTurnAttachment,
    NewTaskTurnVerify as NewTaskTurnVerify,
    NewTaskWorkspace as NewTaskWorkspace,
    NewTaskWorkspaceConventions as NewTaskWorkspaceConventions,
    NewTaskWorkspaceFile as NewTaskWorkspaceFile,
    Ok as Ok,
    Paybill as Paybill,
    PaymentMethodsListReply as PaymentMethodsListReply,
    Plan as Plan,
    PlansListReply as PlansListReply,
    Project as Project,
    ProjectDetail as ProjectDetail,
    ProjectMember as ProjectMember,
    ProjectsCreateBody as ProjectsCreateBody,
    ProjectsListReply as ProjectsListReply,
    ProjectsRenameBody as ProjectsRenameBody,
    RejectedTaskChanges as RejectedTaskChanges,
    RejectedTaskChangesSkippedItem as RejectedTaskChangesSkippedItem,
    RequestRow as RequestRow,
    RequestRowTokens as RequestRowTokens,
    RequestSummary as RequestSummary,
    RequestSummaryBucket as RequestSummaryBucket,
    RequestSummaryBucketDurationMs as RequestSummaryBucketDurationMs,
    RequestSummaryBucketTokens as RequestSummaryBucketTokens,
    RequestSummaryBucketTtftMs as RequestSummaryBucketTtftMs,
    ResearchAnswerBody as ResearchAnswerBody,
    ResearchConfig as ResearchConfig,
    ResearchConfigDepth as ResearchConfigDepth,
    ResearchFollowUpBody as ResearchFollowUpBody,
    ResearchFollowUpBodyDocument as ResearchFollowUpBodyDocument,
    ResearchListReply as ResearchListReply,
    ResearchPlanBody as ResearchPlanBody,
    ResearchRun as ResearchRun,
    ResearchRunClarification as ResearchRunClarification,
    ResearchRunFinding as ResearchRunFinding,
    ResearchRunFollowUp as ResearchRunFollowUp,
    ResearchRunPlan as ResearchRunPlan,
    ResearchRunReport as ResearchRunReport,
    ResearchRunReportFile as ResearchRunReportFile,
    ResearchRunSource as ResearchRunSource,
    ResearchSourceText as ResearchSourceText,
    ResearchStartBody as ResearchStartBody,
    ResearchStartBodyDocument as ResearchStartBodyDocument,
    ResearchStarted as ResearchStarted,
    ResearchStreamFrame as ResearchStreamFrame,
    ResearchStreamFrameFile as ResearchStreamFrameFile,
    ResearchSummary as ResearchSummary,
    ReviewCustomRulesTestBody as ReviewCustomRulesTestBody,
    ReviewCustomRulesTestBodyFile as ReviewCustomRulesTestBodyFile,
    ReviewFinding as ReviewFinding,
    ReviewFindingFlowItem as ReviewFindingFlowItem,
    ReviewFindingSuggestion as ReviewFindingSuggestion,
    ReviewFindingsListReply as ReviewFindingsListReply,
    ReviewPrecision as ReviewPrecision,
    ReviewPrecisionNoisiestRule as ReviewPrecisionNoisiestRule,
    ReviewRun as ReviewRun,
    ReviewRunNotReviewedItem as ReviewRunNotReviewedItem,
    ReviewRunsListReply as ReviewRunsListReply,
    ReviewScanBody as ReviewScanBody,
    ReviewScanBodyFile as ReviewScanBodyFile,
    RuleList as RuleList,
    RuleListRule as RuleListRule,
    RuleTestReport as RuleTestReport,
    RuleTestReportSkippedItem as RuleTestReportSkippedItem,
    ScanFinding as ScanFinding,
    ScanFindingFlowItem as ScanFindingFlowItem,
    ScanReport as ScanReport,
    ScanReportSkippedItem as ScanReportSkippedItem,
    ScanReportSummary as ScanReportSummary,
    ScanReportSummaryBySeverity as ScanReportSummaryBySeverity,
    ScanReportSuppressedItem as ScanReportSuppressedItem,
    ScheduledChange as ScheduledChange,
    SearchReply as SearchReply,
    SearchReplyHit as SearchReplyHit,
    SearchReplyHitWhy as SearchReplyHitWhy,
    SearchReplyRewrite as SearchReplyRewrite,
    StartedTaskTurn as StartedTaskTurn,
    Subscription as Subscription,
    SubscriptionGetReply as SubscriptionGetReply,
    Task as Task,
    TaskClientTool as TaskClientTool,
    TaskDiff as TaskDiff,
    TaskDiffSkippedItem as TaskDiffSkippedItem,
    TaskEvent as TaskEvent,
    TaskEventWithheldItem as TaskEventWithheldItem,
    TaskFileDiff as TaskFileDiff,
    TaskFiles as TaskFiles,
    TaskFilesEntry as TaskFilesEntry,
    TaskNeed as TaskNeed,
    TaskPatch as TaskPatch,
    TaskPatchConventions as TaskPatchConventions,
    TaskPullRequest as TaskPullRequest,
    TaskRejection as TaskRejection,
    TaskRejectionFile as TaskRejectionFile,
    TaskRejectionFileHunk as TaskRejectionFileHunk,
    TaskSummary as TaskSummary,
    TaskSummaryLastTurn as TaskSummaryLastTurn,
    TaskToolResults as TaskToolResults,
    TaskToolResultsResult as TaskToolResultsResult,
    TaskToolResultsResultChange as TaskToolResultsResultChange,
    TaskTurn as TaskTurn,
    TaskTurnAttachment as TaskTurnAttachment,
    TaskTurnQuote as TaskTurnQuote,
    TaskTurnWithheldItem as TaskTurnWithheldItem,
    TaskVerification as TaskVerification,
    TaskVerificationAfter as TaskVerificationAfter,
    TaskVerificationBefore as TaskVerificationBefore,
    TaskVerificationDependencies as TaskVerificationDependencies,
    TaskWorkspace as TaskWorkspace,
    TaskWorkspaceSkippedItem as TaskWorkspaceSkippedItem,
    TasksApproveBody as TasksApproveBody,
    TasksListReply as TasksListReply,
    TasksPullRequestBody as TasksPullRequestBody,
    TasksPullRequestReply as TasksPullRequestReply,
    TasksQuoteBody as TasksQuoteBody,
    TasksQuoteNewBody as TasksQuoteNewBody,
    TasksRevertBody as TasksRevertBody,
    TasksRevertReply as TasksRevertReply,
    TasksToolOutputReply as TasksToolOutputReply,
    TasksToolResultsReply as TasksToolResultsReply,
    Team as Team,
    TeamsCreateBody as TeamsCreateBody,
    Thread as Thread,
    ThreadDetail as ThreadDetail,
    Topup as Topup,
    TopupAttempt as TopupAttempt,
    TopupRequest as TopupRequest,
    TopupResult as TopupResult,
    TransparencyWalletReply as TransparencyWalletReply,
    TransparencyWalletReplyEntry as TransparencyWalletReplyEntry,
    UsageRequestsReply as UsageRequestsReply,
    UsualCost as UsualCost,
    VcsInstallation as VcsInstallation,
    VcsInstallationsBranchesReply as VcsInstallationsBranchesReply,
    VcsInstallationsListReply as VcsInstallationsListReply,
    VcsInstallationsPermissionsReply as VcsInstallationsPermissionsReply,
    VcsInstallationsPermissionsReplyGap as VcsInstallationsPermissionsReplyGap,
    VcsInstallationsPermissionsReplyOptionalItem as VcsInstallationsPermissionsReplyOptionalItem,
    VcsInstallationsPermissionsReplyRequiredItem as VcsInstallationsPermissionsReplyRequiredItem,
    VcsInstallationsRepositoriesReply as VcsInstallationsRepositoriesReply,
    VcsInstallationsRepositoriesReplyRepository as VcsInstallationsRepositoriesReplyRepository,
    Wallet as Wallet,
    WalletChannelsReply as WalletChannelsReply,
    WalletChannelsReplyChannel as WalletChannelsReplyChannel,
    WalletExplainReply as WalletExplainReply,
    WalletExplainReplyChain as WalletExplainReplyChain,
    WalletExplainReplyExplanation as WalletExplainReplyExplanation,
    WalletExplainReplyExplanationHold as WalletExplainReplyExplanationHold,
    WalletExplainReplyExplanationMetered as WalletExplainReplyExplanationMetered,
    WalletExplainReplyExplanationMeteredAccrual as WalletExplainReplyExplanationMeteredAccrual,
    WalletExplainReplyExplanationMeteredClass as WalletExplainReplyExplanationMeteredClass,
    WalletExplainReplyExplanationMeteredRate as WalletExplainReplyExplanationMeteredRate,
    WalletExplainReplyExplanationPayment as WalletExplainReplyExplanationPayment,
    WalletExplainReplyExplanationSettlement as WalletExplainReplyExplanationSettlement,
    WalletLedgerReply as WalletLedgerReply,
    WalletMovementsReply as WalletMovementsReply,
    WalletMovementsReplyMovement as WalletMovementsReplyMovement,
    WalletProofReply as WalletProofReply,
    WalletProofReplyChecked as WalletProofReplyChecked,
    WalletProofReplyHead as WalletProofReplyHead,
    WalletProofReplySums as WalletProofReplySums,
    WalletTopupOtpBody as WalletTopupOtpBody,
    WalletTopupsReply as WalletTopupsReply,
    WalletVerifyBody as WalletVerifyBody,
    WalletVerifyReply as WalletVerifyReply,
)

class TransparencyApi:
    def wallet(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TransparencyWalletReply:
        """Prove that the head of your wallet is in the transparency log. `GET /wallet/proof/transparency`"""

class MeApi:
    def get(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Me:
        """Show your user, organisation, permissions and balance. `GET /me`"""
    def orgs(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MeOrgsReply:
        """List the organisations you belong to. `GET /me/orgs`"""
    def flags(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MeFlagsReply:
        """Get the features of your organisation and the source of each value. `GET /me/flags`"""
    def usage(self, *, from_: Optional[str] = ..., to: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MeUsageReply:
        """Read your usage in the organisation. `GET /me/usage`"""

class KeysApi:
    def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> KeysListReply:
        """List your API keys in this organisation, newest first. `GET /auth/keys`"""
    def create(self, body: Union[KeysCreateBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> KeysCreateReply:
        """Create an API key for this organisation. `POST /auth/keys`"""
    def change(self, id: str, body: Union[KeysChangeBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ApiKey:
        """Change the name and the limits of an API key. `PATCH /auth/keys/{id}`"""
    def revoke(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Ok:
        """Revoke an API key immediately. `DELETE /auth/keys/{id}`"""

class TeamsApi:
    def create(self, body: Union[TeamsCreateBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Team:
        """Create a team. You become its owner. `POST /teams`"""

class KycApi:
    def get(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> KycGetReply:
        """Get the verification status of your organisation. `GET /kyc`"""

class HooksApi:
    def event_types(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> HooksEventTypesReply:
        """List the webhook event types, with an example of each. `GET /webhook-event-types`"""

class WalletAutomaticTopupApi:
    def get(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AutomaticTopupState:
        """Show the automatic top-up of your organisation. `GET /wallet/automatic-topup`"""

class WalletApi:
    @property
    def automatic_topup(self) -> WalletAutomaticTopupApi: ...
    def get(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Wallet:
        """Show the balance of your wallet and the part that is available. `GET /wallet`"""
    def ledger(self, *, org_id: Optional[str] = ..., source: Optional[Literal["topup", "agent", "chat", "index", "research", "review", "gateway", "refund", "adjustment", "subscription", "trial"]] = ..., type: Optional[Literal["credit", "debit"]] = ..., from_: Optional[str] = ..., to: Optional[str] = ..., limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletLedgerReply:
        """List the credits and debits of your wallet, newest first. `GET /wallet/ledger`"""
    def proof(self, *, from_: Optional[int] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletProofReply:
        """Prove that your balance is the sum of its postings and that none was changed. `GET /wallet/proof`"""
    def movements(self, *, after: Optional[int] = ..., limit: Optional[int] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletMovementsReply:
        """List the postings of your wallet with every hashed field, oldest first. `GET /wallet/proof/movements`"""
    def explain(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletExplainReply:
        """Explain a ledger entry. `GET /wallet/ledger/{id}`"""
    def channels(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletChannelsReply:
        """List the payment channels for your currency, with their limits. `GET /wallet/channels`"""
    def topup(self, body: Union[TopupRequest, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TopupResult:
        """Start a top-up. The reply says what the payer has to do. `POST /wallet/topup`"""
    def verify(self, body: Union[WalletVerifyBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletVerifyReply:
        """Verify a top-up with its provider, and credit it if it was paid. `POST /wallet/verify`"""
    def topups(self, *, status: Optional[Literal["pending", "settled", "failed", "expired", "review"]] = ..., limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletTopupsReply:
        """List your top-ups, newest first. `GET /wallet/topups`"""
    def topup_otp(self, reference: str, body: Union[WalletTopupOtpBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TopupResult:
        """Submit the code that the network sent to the payer, when a top-up has otpRequired. `POST /wallet/topups/{reference}/otp`"""
    def paybill(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Paybill:
        """Show the paybill and your account number, for payments by hand in M-Pesa. `GET /wallet/paybill`"""

class UsageApi:
    def requests(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., from_: Optional[str] = ..., to: Optional[str] = ..., key_id: Optional[str] = ..., user_id: Optional[str] = ..., model: Optional[str] = ..., provider: Optional[str] = ..., route: Optional[str] = ..., status: Optional[str] = ..., code: Optional[str] = ..., min_cost_minor: Optional[int] = ..., request_id: Optional[str] = ..., scope: Optional[Literal["all"]] = ..., org_id: Optional[str] = ..., after: Optional[str] = ..., format: Optional[Literal["json", "csv"]] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> UsageRequestsReply:
        """List model calls with cost, tokens and timing, newest first. `GET /usage/requests`"""
    def request_summary(self, *, bucket: Optional[Literal["hour", "day"]] = ..., from_: Optional[str] = ..., to: Optional[str] = ..., key_id: Optional[str] = ..., user_id: Optional[str] = ..., model: Optional[str] = ..., provider: Optional[str] = ..., route: Optional[str] = ..., status: Optional[str] = ..., code: Optional[str] = ..., min_cost_minor: Optional[int] = ..., request_id: Optional[str] = ..., scope: Optional[Literal["all"]] = ..., org_id: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> RequestSummary:
        """Show calls, errors, cost, tokens and latency by hour or day. `GET /usage/requests/summary`"""

class InvoicesApi:
    def list(self, *, from_: Optional[str] = ..., to: Optional[str] = ..., limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> InvoicesListReply:
        """List the invoices of your organisation, newest first. `GET /invoices`"""
    def get(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Invoice:
        """Show an invoice with its credit notes. `GET /invoices/{id}`"""
    def receipt(self, id: str, *, download: Optional[bool] = ..., format: Optional[Literal["html", "pdf"]] = ..., lang: Optional[Literal["en", "fr", "sw", "ar"]] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> str:
        """Show an invoice as a printable page or a PDF file. `GET /invoices/{id}/receipt`"""

class CreditNotesApi:
    def receipt(self, id: str, *, download: Optional[bool] = ..., format: Optional[Literal["html", "pdf"]] = ..., lang: Optional[Literal["en", "fr", "sw", "ar"]] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> str:
        """Show a credit note as a printable page or a PDF file. `GET /credit-notes/{id}/receipt`"""

class BillingDetailsApi:
    def get(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> BillingDetails:
        """Show the buyer details on your invoices. `GET /billing/details`"""

class BillingApi:
    @property
    def details(self) -> BillingDetailsApi: ...
    def summary(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> BillingSummary:
        """Show your wallet, plan, allowance and seats. `GET /billing/summary`"""

class PlansApi:
    def list(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> PlansListReply:
        """List the plans in the currency of your organisation. `GET /plans`"""

class SubscriptionApi:
    def get(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> SubscriptionGetReply:
        """Show your subscription, its plan and the remaining included usage. `GET /subscription`"""

class PaymentMethodsApi:
    def list(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> PaymentMethodsListReply:
        """List the stored cards of your organisation, the default card first. `GET /payment-methods`"""

class ReviewCustomRulesApi:
    def list(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> CustomRuleList:
        """List the analysis rules of your organisation. `GET /review/custom-rules`"""
    def test(self, body: Union[ReviewCustomRulesTestBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> RuleTestReport:
        """Try a rule on files. Free; nothing is stored. `POST /review/custom-rules/test`"""

class ReviewRunsApi:
    def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., repo: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ReviewRunsListReply:
        """List pull request reviews, newest first. `GET /review/runs`"""

class ReviewFindingsApi:
    def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., repo: Optional[str] = ..., status: Optional[Literal["unadjudicated", "confirmed", "refuted", "unproven"]] = ..., severity: Optional[Literal["error", "warn", "note"]] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ReviewFindingsListReply:
        """List the findings of pull request reviews, newest first. `GET /review/findings`"""
    def read(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ReviewFinding:
        """Show one finding with its verdict and its tested fix. `GET /review/findings/{id}`"""

class ReviewApi:
    @property
    def custom_rules(self) -> ReviewCustomRulesApi: ...
    @property
    def runs(self) -> ReviewRunsApi: ...
    @property
    def findings(self) -> ReviewFindingsApi: ...
    def rules(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> RuleList:
        """List the analysis rules with their meaning and fix. `GET /review/rules`"""
    def scan(self, body: Union[ReviewScanBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ScanReport:
        """Scan files or a diff with the analysis rules. Free; nothing is stored. `POST /review/scan`"""
    def precision(self, *, scope: Optional[Literal["org", "all"]] = ..., days: Optional[int] = ..., min_sample: Optional[int] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ReviewPrecision:
        """Show the false positive rate of findings, based on their verdicts. `GET /review/precision`"""

class IndexApi:
    def get(self, *, repo: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> IndexState:
        """Show which code is indexed. `GET /repo/index`"""
    def add(self, body: Union[IndexAddBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> IndexReply:
        """Index files for the agent, chat and search. `POST /repo/index`"""
    def clear(self, *, repo: Optional[str] = ..., path: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> IndexClearReply:
        """Remove a path of a repository from the index, or the whole repository. `DELETE /repo/index`"""
    def search(self, body: Union[IndexSearchBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> SearchReply:
        """Search your indexed code. `POST /repo/search`"""

class AgentRunsApi:
    def list(self, *, kind: Optional[Literal["run", "loop"]] = ..., status: Optional[Literal["running", "completed", "cancelled", "failed"]] = ..., limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AgentRunsListReply:
        """List the runs and loops of your organisation, newest first. `GET /agent/runs`"""
    def get(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AgentRun:
        """Get a run or loop with its whole result. `GET /agent/runs/{id}`"""
    def stop(self, id: str, body: Mapping[str, Any] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AgentRun:
        """Stop a run or loop. `POST /agent/runs/{id}/stop`"""

class AgentApi:
    @property
    def runs(self) -> AgentRunsApi: ...
    def quote(self, body: Union[AgentQuoteBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AgentQuote:
        """Quote the cost of a run before it starts. `POST /agent/quote`"""
    def run(self, body: Union[AgentRunRequest, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AgentRunResult:
        """Return a plan and structured file edits for a prompt. `POST /agent/run`"""
    def run_stream(self, body: Union[AgentRunRequest, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Iterator[AgentRunStreamFrame]:
        """Return a plan and structured file edits for a prompt. `POST /agent/run`"""
    def run_loop(self, body: Union[AgentRunLoopBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Iterator[AgentRunLoopFrame]:
        """Plan, edit, verify and retry until the tests pass, as a stream. `POST /agent/run-loop`"""

class ChatThreadsApi:
    def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., archived: Optional[bool] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ChatThreadsListReply:
        """List your conversations, most recently used first. `GET /chat/threads`"""
    def create(self, body: Union[ChatThreadsCreateBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Thread:
        """Start a conversation. `POST /chat/threads`"""
    def read(self, id: str, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ThreadDetail:
        """Read a conversation with its newest messages. `GET /chat/threads/{id}`"""
    def change(self, id: str, body: Union[ChatThreadsChangeBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Thread:
        """Rename, archive or unarchive a conversation, or change its mode. `PATCH /chat/threads/{id}`"""
    def delete(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Ok:
        """Delete a conversation and all its messages. `DELETE /chat/threads/{id}`"""

class ChatMessagesApi:
    def send(self, id: str, body: Union[ChatMessagesSendBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Iterator[ChatMessagesSendFrame]:
        """Send a message and stream the answer. `POST /chat/threads/{id}/messages`"""
    def quote(self, id: str, body: Union[ChatMessagesQuoteBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ChatMessagesQuoteReply:
        """Quote the maximum cost of a message before sending it. `POST /chat/threads/{id}/quote`"""
    def stop(self, id: str, body: Mapping[str, Any] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ChatMessagesStopReply:
        """Stop the running answer. `POST /chat/threads/{id}/stop`"""

class ChatApi:
    @property
    def threads(self) -> ChatThreadsApi: ...
    @property
    def messages(self) -> ChatMessagesApi: ...

class ProjectsApi:
    def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ProjectsListReply:
        """List the projects that you can see, newest first. `GET /projects`"""
    def create(self, body: Union[ProjectsCreateBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Project:
        """Create a project. `POST /projects`"""
    def read(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ProjectDetail:
        """Show a project with its members and newest files. `GET /projects/{id}`"""
    def rename(self, id: str, body: Union[ProjectsRenameBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Project:
        """Rename a project. `PATCH /projects/{id}`"""

class AttachmentsApi:
    def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., project_id: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AttachmentsListReply:
        """List the files that you can see, newest first. `GET /attachments`"""
    def download(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> bytes:
        """Download a file. `GET /attachments/{id}`"""
    def delete(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Ok:
        """Delete a file permanently. `DELETE /attachments/{id}`"""

class VcsInstallationsApi:
    def list(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> VcsInstallationsListReply:
        """List the installations and connections of your organisation, oldest first. `GET /vcs/installations`"""
    def permissions(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> VcsInstallationsPermissionsReply:
        """Show the required and granted GitHub permissions, and the effect of missing ones. `GET /vcs/installations/{id}/permissions`"""
    def repositories(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> VcsInstallationsRepositoriesReply:
        """List the repositories of an installation that a task can start from. `GET /vcs/installations/{id}/repositories`"""
    def branches(self, id: str, *, repository: str, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> VcsInstallationsBranchesReply:
        """List the branches of a repository. `GET /vcs/installations/{id}/branches`"""

class VcsApi:
    @property
    def installations(self) -> VcsInstallationsApi: ...

class TasksApi:
    def create(self, body: Union[NewTask, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Task:
        """Create a task: a conversation with the agent about a workspace. `POST /tasks`"""
    def list(self, *, archived: Optional[bool] = ..., running: Optional[bool] = ..., q: Optional[str] = ..., mine: Optional[bool] = ..., limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TasksListReply:
        """List your tasks, last used first. `GET /tasks`"""
    def get(self, id: str, *, turns: Optional[int] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Task:
        """Show a task with its turns, and what an open turn waits for. `GET /tasks/{id}`"""
    def patch(self, id: str, body: Union[TaskPatch, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Task:
        """Change the title, model, budget or instructions of a task, or archive it. `PATCH /tasks/{id}`"""
    def delete(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Ok:
        """Delete a task with its transcript and files. `DELETE /tasks/{id}`"""
    def quote_new(self, body: Union[TasksQuoteNewBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TaskTurnQuote:
        """Quote the first turn of a task before the task exists. `POST /tasks/quote`"""
    def quote(self, id: str, body: Union[TasksQuoteBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TaskTurnQuote:
        """Quote the cost of a turn before it starts. `POST /tasks/{id}/quote`"""
    def turn(self, id: str, body: Union[NewTaskTurn, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> StartedTaskTurn:
        """Start a turn: the agent works on a request. `POST /tasks/{id}/turns`"""
    def stream(self, id: str, *, after: Optional[int] = ..., outputs: Optional[Literal["short", "none"]] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Iterator[TaskEvent]:
        """Follow a task: past events first, then new ones. `GET /tasks/{id}/stream`"""
    def stop(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Task:
        """Stop the turn under way. `POST /tasks/{id}/stop`"""
    def tool_results(self, id: str, body: Union[TaskToolResults, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TasksToolResultsReply:
        """Send the results of tools that you ran for a client workspace. `POST /tasks/{id}/tool-results`"""
    def tool_output(self, id: str, call_id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TasksToolOutputReply:
        """Show the whole result of a tool call. `GET /tasks/{id}/tool-results/{callId}`"""
    def approve(self, id: str, body: Union[TasksApproveBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Task:
        """Allow or decline a call that needs an approval. `POST /tasks/{id}/approvals`"""
    def diff(self, id: str, *, from_: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TaskDiff:
        """Show what the task changed. `GET /tasks/{id}/diff`"""
    def files(self, id: str, *, prefix: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TaskFiles:
        """List a folder of the workspace as it is now. `GET /tasks/{id}/files`"""
    def file(self, id: str, path: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> str:
        """Read a file of the workspace as it is now. `GET /tasks/{id}/files/{path}`"""
    def revert(self, id: str, body: Union[TasksRevertBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TasksRevertReply:
        """Restore the workspace as a turn or a change left it. `POST /tasks/{id}/revert`"""
    def reject(self, id: str, body: Union[TaskRejection, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> RejectedTaskChanges:
        """Reject changes of a task, by hunk or by file. `POST /tasks/{id}/reject`"""
    def pull_request(self, id: str, body: Union[TasksPullRequestBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TasksPullRequestReply:
        """Open a pull request with the changes of the task, or update it. `POST /tasks/{id}/pull-request`"""

class ResearchApi:
    def config(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchConfig:
        """Show whether research is available, and the limits and prices of each depth. `GET /research/config`"""
    def start(self, body: Union[ResearchStartBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchStarted:
        """Start a research run that answers a question from the web with a cited report. `POST /research`"""
    def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., project_id: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchListReply:
        """List the research runs that you can see, newest first. `GET /research`"""
    def follow_up(self, id: str, body: Union[ResearchFollowUpBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchStarted:
        """Ask a further question about a finished run. `POST /research/{id}/follow-ups`"""
    def answer(self, id: str, body: Union[ResearchAnswerBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchSummary:
        """Answer the clarifying question of a run, which then continues. `POST /research/{id}/answer`"""
    def plan(self, id: str, body: Union[ResearchPlanBody, Mapping[str, Any]] = ..., *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchSummary:
        """Approve the plan of a run, or replace it. The run then continues. `POST /research/{id}/plan`"""
    def get(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchRun:
        """Show a run with its plan, sources, findings and report files. `GET /research/{id}`"""
    def delete(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Ok:
        """Delete a finished run with its sources and events. `DELETE /research/{id}`"""
    def source(self, id: str, n: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchSourceText:
        """Show the stored text of a source, to verify quotes. `GET /research/{id}/sources/{n}`"""
    def stream(self, id: str, *, after: Optional[int] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Iterator[ResearchStreamFrame]:
        """Follow a run: past events first, then new ones until it is done. `GET /research/{id}/stream`"""
    def cancel(self, id: str, body: Mapping[str, Any] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchSummary:
        """Cancel a run. `POST /research/{id}/cancel`"""

class MetricsApi:
    def overview(self, *, scope: Optional[Literal["all"]] = ..., org_id: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MetricsOverviewReply:
        """Show balance, usage and subscriptions of your organisation, today and over the last 30 days. `GET /metrics/overview`"""
    def usage(self, *, scope: Optional[Literal["all"]] = ..., org_id: Optional[str] = ..., from_: Optional[str] = ..., to: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MetricsUsageReply:
        """Show usage by day, lane, source, model and member. `GET /metrics/usage`"""
    def timeseries(self, *, scope: Optional[Literal["all"]] = ..., org_id: Optional[str] = ..., metric: Optional[Literal["usage_minor", "allowance_minor", "net_credited_minor", "granted_minor", "subscription_minor", "tokens", "turns", "active_orgs", "active_users"]] = ..., interval: Optional[Literal["hour", "day", "week", "month"]] = ..., from_: Optional[str] = ..., to: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MetricsTimeseriesReply:
        """Show usage and money over time. `GET /metrics/timeseries`"""
    def kpis(self, *, scope: Optional[Literal["all"]] = ..., org_id: Optional[str] = ..., days: Optional[int] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MetricsKpisReply:
        """Show revenue, cash, subscriptions, float and margin. `GET /metrics/kpis`"""

class AsyncTransparencyApi:
    async def wallet(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TransparencyWalletReply:
        """Prove that the head of your wallet is in the transparency log. `GET /wallet/proof/transparency`"""

class AsyncMeApi:
    async def get(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Me:
        """Show your user, organisation, permissions and balance. `GET /me`"""
    async def orgs(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MeOrgsReply:
        """List the organisations you belong to. `GET /me/orgs`"""
    async def flags(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MeFlagsReply:
        """Get the features of your organisation and the source of each value. `GET /me/flags`"""
    async def usage(self, *, from_: Optional[str] = ..., to: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MeUsageReply:
        """Read your usage in the organisation. `GET /me/usage`"""

class AsyncKeysApi:
    async def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> KeysListReply:
        """List your API keys in this organisation, newest first. `GET /auth/keys`"""
    async def create(self, body: Union[KeysCreateBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> KeysCreateReply:
        """Create an API key for this organisation. `POST /auth/keys`"""
    async def change(self, id: str, body: Union[KeysChangeBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ApiKey:
        """Change the name and the limits of an API key. `PATCH /auth/keys/{id}`"""
    async def revoke(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Ok:
        """Revoke an API key immediately. `DELETE /auth/keys/{id}`"""

class AsyncTeamsApi:
    async def create(self, body: Union[TeamsCreateBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Team:
        """Create a team. You become its owner. `POST /teams`"""

class AsyncKycApi:
    async def get(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> KycGetReply:
        """Get the verification status of your organisation. `GET /kyc`"""

class AsyncHooksApi:
    async def event_types(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> HooksEventTypesReply:
        """List the webhook event types, with an example of each. `GET /webhook-event-types`"""

class AsyncWalletAutomaticTopupApi:
    async def get(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AutomaticTopupState:
        """Show the automatic top-up of your organisation. `GET /wallet/automatic-topup`"""

class AsyncWalletApi:
    @property
    def automatic_topup(self) -> AsyncWalletAutomaticTopupApi: ...
    async def get(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Wallet:
        """Show the balance of your wallet and the part that is available. `GET /wallet`"""
    async def ledger(self, *, org_id: Optional[str] = ..., source: Optional[Literal["topup", "agent", "chat", "index", "research", "review", "gateway", "refund", "adjustment", "subscription", "trial"]] = ..., type: Optional[Literal["credit", "debit"]] = ..., from_: Optional[str] = ..., to: Optional[str] = ..., limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletLedgerReply:
        """List the credits and debits of your wallet, newest first. `GET /wallet/ledger`"""
    async def proof(self, *, from_: Optional[int] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletProofReply:
        """Prove that your balance is the sum of its postings and that none was changed. `GET /wallet/proof`"""
    async def movements(self, *, after: Optional[int] = ..., limit: Optional[int] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletMovementsReply:
        """List the postings of your wallet with every hashed field, oldest first. `GET /wallet/proof/movements`"""
    async def explain(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletExplainReply:
        """Explain a ledger entry. `GET /wallet/ledger/{id}`"""
    async def channels(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletChannelsReply:
        """List the payment channels for your currency, with their limits. `GET /wallet/channels`"""
    async def topup(self, body: Union[TopupRequest, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TopupResult:
        """Start a top-up. The reply says what the payer has to do. `POST /wallet/topup`"""
    async def verify(self, body: Union[WalletVerifyBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletVerifyReply:
        """Verify a top-up with its provider, and credit it if it was paid. `POST /wallet/verify`"""
    async def topups(self, *, status: Optional[Literal["pending", "settled", "failed", "expired", "review"]] = ..., limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> WalletTopupsReply:
        """List your top-ups, newest first. `GET /wallet/topups`"""
    async def topup_otp(self, reference: str, body: Union[WalletTopupOtpBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TopupResult:
        """Submit the code that the network sent to the payer, when a top-up has otpRequired. `POST /wallet/topups/{reference}/otp`"""
    async def paybill(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Paybill:
        """Show the paybill and your account number, for payments by hand in M-Pesa. `GET /wallet/paybill`"""

class AsyncUsageApi:
    async def requests(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., from_: Optional[str] = ..., to: Optional[str] = ..., key_id: Optional[str] = ..., user_id: Optional[str] = ..., model: Optional[str] = ..., provider: Optional[str] = ..., route: Optional[str] = ..., status: Optional[str] = ..., code: Optional[str] = ..., min_cost_minor: Optional[int] = ..., request_id: Optional[str] = ..., scope: Optional[Literal["all"]] = ..., org_id: Optional[str] = ..., after: Optional[str] = ..., format: Optional[Literal["json", "csv"]] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> UsageRequestsReply:
        """List model calls with cost, tokens and timing, newest first. `GET /usage/requests`"""
    async def request_summary(self, *, bucket: Optional[Literal["hour", "day"]] = ..., from_: Optional[str] = ..., to: Optional[str] = ..., key_id: Optional[str] = ..., user_id: Optional[str] = ..., model: Optional[str] = ..., provider: Optional[str] = ..., route: Optional[str] = ..., status: Optional[str] = ..., code: Optional[str] = ..., min_cost_minor: Optional[int] = ..., request_id: Optional[str] = ..., scope: Optional[Literal["all"]] = ..., org_id: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> RequestSummary:
        """Show calls, errors, cost, tokens and latency by hour or day. `GET /usage/requests/summary`"""

class AsyncInvoicesApi:
    async def list(self, *, from_: Optional[str] = ..., to: Optional[str] = ..., limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> InvoicesListReply:
        """List the invoices of your organisation, newest first. `GET /invoices`"""
    async def get(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Invoice:
        """Show an invoice with its credit notes. `GET /invoices/{id}`"""
    async def receipt(self, id: str, *, download: Optional[bool] = ..., format: Optional[Literal["html", "pdf"]] = ..., lang: Optional[Literal["en", "fr", "sw", "ar"]] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> str:
        """Show an invoice as a printable page or a PDF file. `GET /invoices/{id}/receipt`"""

class AsyncCreditNotesApi:
    async def receipt(self, id: str, *, download: Optional[bool] = ..., format: Optional[Literal["html", "pdf"]] = ..., lang: Optional[Literal["en", "fr", "sw", "ar"]] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> str:
        """Show a credit note as a printable page or a PDF file. `GET /credit-notes/{id}/receipt`"""

class AsyncBillingDetailsApi:
    async def get(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> BillingDetails:
        """Show the buyer details on your invoices. `GET /billing/details`"""

class AsyncBillingApi:
    @property
    def details(self) -> AsyncBillingDetailsApi: ...
    async def summary(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> BillingSummary:
        """Show your wallet, plan, allowance and seats. `GET /billing/summary`"""

class AsyncPlansApi:
    async def list(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> PlansListReply:
        """List the plans in the currency of your organisation. `GET /plans`"""

class AsyncSubscriptionApi:
    async def get(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> SubscriptionGetReply:
        """Show your subscription, its plan and the remaining included usage. `GET /subscription`"""

class AsyncPaymentMethodsApi:
    async def list(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> PaymentMethodsListReply:
        """List the stored cards of your organisation, the default card first. `GET /payment-methods`"""

class AsyncReviewCustomRulesApi:
    async def list(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> CustomRuleList:
        """List the analysis rules of your organisation. `GET /review/custom-rules`"""
    async def test(self, body: Union[ReviewCustomRulesTestBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> RuleTestReport:
        """Try a rule on files. Free; nothing is stored. `POST /review/custom-rules/test`"""

class AsyncReviewRunsApi:
    async def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., repo: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ReviewRunsListReply:
        """List pull request reviews, newest first. `GET /review/runs`"""

class AsyncReviewFindingsApi:
    async def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., repo: Optional[str] = ..., status: Optional[Literal["unadjudicated", "confirmed", "refuted", "unproven"]] = ..., severity: Optional[Literal["error", "warn", "note"]] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ReviewFindingsListReply:
        """List the findings of pull request reviews, newest first. `GET /review/findings`"""
    async def read(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ReviewFinding:
        """Show one finding with its verdict and its tested fix. `GET /review/findings/{id}`"""

class AsyncReviewApi:
    @property
    def custom_rules(self) -> AsyncReviewCustomRulesApi: ...
    @property
    def runs(self) -> AsyncReviewRunsApi: ...
    @property
    def findings(self) -> AsyncReviewFindingsApi: ...
    async def rules(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> RuleList:
        """List the analysis rules with their meaning and fix. `GET /review/rules`"""
    async def scan(self, body: Union[ReviewScanBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ScanReport:
        """Scan files or a diff with the analysis rules. Free; nothing is stored. `POST /review/scan`"""
    async def precision(self, *, scope: Optional[Literal["org", "all"]] = ..., days: Optional[int] = ..., min_sample: Optional[int] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ReviewPrecision:
        """Show the false positive rate of findings, based on their verdicts. `GET /review/precision`"""

class AsyncIndexApi:
    async def get(self, *, repo: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> IndexState:
        """Show which code is indexed. `GET /repo/index`"""
    async def add(self, body: Union[IndexAddBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> IndexReply:
        """Index files for the agent, chat and search. `POST /repo/index`"""
    async def clear(self, *, repo: Optional[str] = ..., path: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> IndexClearReply:
        """Remove a path of a repository from the index, or the whole repository. `DELETE /repo/index`"""
    async def search(self, body: Union[IndexSearchBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> SearchReply:
        """Search your indexed code. `POST /repo/search`"""

class AsyncAgentRunsApi:
    async def list(self, *, kind: Optional[Literal["run", "loop"]] = ..., status: Optional[Literal["running", "completed", "cancelled", "failed"]] = ..., limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AgentRunsListReply:
        """List the runs and loops of your organisation, newest first. `GET /agent/runs`"""
    async def get(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AgentRun:
        """Get a run or loop with its whole result. `GET /agent/runs/{id}`"""
    async def stop(self, id: str, body: Mapping[str, Any] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AgentRun:
        """Stop a run or loop. `POST /agent/runs/{id}/stop`"""

class AsyncAgentApi:
    @property
    def runs(self) -> AsyncAgentRunsApi: ...
    async def quote(self, body: Union[AgentQuoteBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AgentQuote:
        """Quote the cost of a run before it starts. `POST /agent/quote`"""
    async def run(self, body: Union[AgentRunRequest, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AgentRunResult:
        """Return a plan and structured file edits for a prompt. `POST /agent/run`"""
    def run_stream(self, body: Union[AgentRunRequest, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AsyncIterator[AgentRunStreamFrame]:
        """Return a plan and structured file edits for a prompt. `POST /agent/run`"""
    def run_loop(self, body: Union[AgentRunLoopBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AsyncIterator[AgentRunLoopFrame]:
        """Plan, edit, verify and retry until the tests pass, as a stream. `POST /agent/run-loop`"""

class AsyncChatThreadsApi:
    async def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., archived: Optional[bool] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ChatThreadsListReply:
        """List your conversations, most recently used first. `GET /chat/threads`"""
    async def create(self, body: Union[ChatThreadsCreateBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Thread:
        """Start a conversation. `POST /chat/threads`"""
    async def read(self, id: str, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ThreadDetail:
        """Read a conversation with its newest messages. `GET /chat/threads/{id}`"""
    async def change(self, id: str, body: Union[ChatThreadsChangeBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Thread:
        """Rename, archive or unarchive a conversation, or change its mode. `PATCH /chat/threads/{id}`"""
    async def delete(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Ok:
        """Delete a conversation and all its messages. `DELETE /chat/threads/{id}`"""

class AsyncChatMessagesApi:
    def send(self, id: str, body: Union[ChatMessagesSendBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AsyncIterator[ChatMessagesSendFrame]:
        """Send a message and stream the answer. `POST /chat/threads/{id}/messages`"""
    async def quote(self, id: str, body: Union[ChatMessagesQuoteBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ChatMessagesQuoteReply:
        """Quote the maximum cost of a message before sending it. `POST /chat/threads/{id}/quote`"""
    async def stop(self, id: str, body: Mapping[str, Any] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ChatMessagesStopReply:
        """Stop the running answer. `POST /chat/threads/{id}/stop`"""

class AsyncChatApi:
    @property
    def threads(self) -> AsyncChatThreadsApi: ...
    @property
    def messages(self) -> AsyncChatMessagesApi: ...

class AsyncProjectsApi:
    async def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ProjectsListReply:
        """List the projects that you can see, newest first. `GET /projects`"""
    async def create(self, body: Union[ProjectsCreateBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Project:
        """Create a project. `POST /projects`"""
    async def read(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ProjectDetail:
        """Show a project with its members and newest files. `GET /projects/{id}`"""
    async def rename(self, id: str, body: Union[ProjectsRenameBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Project:
        """Rename a project. `PATCH /projects/{id}`"""

class AsyncAttachmentsApi:
    async def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., project_id: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AttachmentsListReply:
        """List the files that you can see, newest first. `GET /attachments`"""
    async def download(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> bytes:
        """Download a file. `GET /attachments/{id}`"""
    async def delete(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Ok:
        """Delete a file permanently. `DELETE /attachments/{id}`"""

class AsyncVcsInstallationsApi:
    async def list(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> VcsInstallationsListReply:
        """List the installations and connections of your organisation, oldest first. `GET /vcs/installations`"""
    async def permissions(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> VcsInstallationsPermissionsReply:
        """Show the required and granted GitHub permissions, and the effect of missing ones. `GET /vcs/installations/{id}/permissions`"""
    async def repositories(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> VcsInstallationsRepositoriesReply:
        """List the repositories of an installation that a task can start from. `GET /vcs/installations/{id}/repositories`"""
    async def branches(self, id: str, *, repository: str, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> VcsInstallationsBranchesReply:
        """List the branches of a repository. `GET /vcs/installations/{id}/branches`"""

class AsyncVcsApi:
    @property
    def installations(self) -> AsyncVcsInstallationsApi: ...

class AsyncTasksApi:
    async def create(self, body: Union[NewTask, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Task:
        """Create a task: a conversation with the agent about a workspace. `POST /tasks`"""
    async def list(self, *, archived: Optional[bool] = ..., running: Optional[bool] = ..., q: Optional[str] = ..., mine: Optional[bool] = ..., limit: Optional[int] = ..., cursor: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TasksListReply:
        """List your tasks, last used first. `GET /tasks`"""
    async def get(self, id: str, *, turns: Optional[int] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Task:
        """Show a task with its turns, and what an open turn waits for. `GET /tasks/{id}`"""
    async def patch(self, id: str, body: Union[TaskPatch, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Task:
        """Change the title, model, budget or instructions of a task, or archive it. `PATCH /tasks/{id}`"""
    async def delete(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Ok:
        """Delete a task with its transcript and files. `DELETE /tasks/{id}`"""
    async def quote_new(self, body: Union[TasksQuoteNewBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TaskTurnQuote:
        """Quote the first turn of a task before the task exists. `POST /tasks/quote`"""
    async def quote(self, id: str, body: Union[TasksQuoteBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TaskTurnQuote:
        """Quote the cost of a turn before it starts. `POST /tasks/{id}/quote`"""
    async def turn(self, id: str, body: Union[NewTaskTurn, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> StartedTaskTurn:
        """Start a turn: the agent works on a request. `POST /tasks/{id}/turns`"""
    def stream(self, id: str, *, after: Optional[int] = ..., outputs: Optional[Literal["short", "none"]] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AsyncIterator[TaskEvent]:
        """Follow a task: past events first, then new ones. `GET /tasks/{id}/stream`"""
    async def stop(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Task:
        """Stop the turn under way. `POST /tasks/{id}/stop`"""
    async def tool_results(self, id: str, body: Union[TaskToolResults, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TasksToolResultsReply:
        """Send the results of tools that you ran for a client workspace. `POST /tasks/{id}/tool-results`"""
    async def tool_output(self, id: str, call_id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TasksToolOutputReply:
        """Show the whole result of a tool call. `GET /tasks/{id}/tool-results/{callId}`"""
    async def approve(self, id: str, body: Union[TasksApproveBody, Mapping[str, Any]], *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Task:
        """Allow or decline a call that needs an approval. `POST /tasks/{id}/approvals`"""
    async def diff(self, id: str, *, from_: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TaskDiff:
        """Show what the task changed. `GET /tasks/{id}/diff`"""
    async def files(self, id: str, *, prefix: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TaskFiles:
        """List a folder of the workspace as it is now. `GET /tasks/{id}/files`"""
    async def file(self, id: str, path: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> str:
        """Read a file of the workspace as it is now. `GET /tasks/{id}/files/{path}`"""
    async def revert(self, id: str, body: Union[TasksRevertBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TasksRevertReply:
        """Restore the workspace as a turn or a change left it. `POST /tasks/{id}/revert`"""
    async def reject(self, id: str, body: Union[TaskRejection, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> RejectedTaskChanges:
        """Reject changes of a task, by hunk or by file. `POST /tasks/{id}/reject`"""
    async def pull_request(self, id: str, body: Union[TasksPullRequestBody, Mapping[str, Any]] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> TasksPullRequestReply:
        """Open a pull request with the changes of the task, or update it. `POST /tasks/{id}/pull-request`"""

class AsyncResearchApi:
    async def config(self, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchConfig:
        """Show whether research is available, and the limits and prices of each depth. `GET /research/config`"""
    async def start(self, body: Union[ResearchStartBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchStarted:
        """Start a research run that answers a question from the web with a cited report. `POST /research`"""
    async def list(self, *, limit: Optional[int] = ..., cursor: Optional[str] = ..., project_id: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchListReply:
        """List the research runs that you can see, newest first. `GET /research`"""
    async def follow_up(self, id: str, body: Union[ResearchFollowUpBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchStarted:
        """Ask a further question about a finished run. `POST /research/{id}/follow-ups`"""
    async def answer(self, id: str, body: Union[ResearchAnswerBody, Mapping[str, Any]], *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchSummary:
        """Answer the clarifying question of a run, which then continues. `POST /research/{id}/answer`"""
    async def plan(self, id: str, body: Union[ResearchPlanBody, Mapping[str, Any]] = ..., *, idempotency_key: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchSummary:
        """Approve the plan of a run, or replace it. The run then continues. `POST /research/{id}/plan`"""
    async def get(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchRun:
        """Show a run with its plan, sources, findings and report files. `GET /research/{id}`"""
    async def delete(self, id: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> Ok:
        """Delete a finished run with its sources and events. `DELETE /research/{id}`"""
    async def source(self, id: str, n: str, *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchSourceText:
        """Show the stored text of a source, to verify quotes. `GET /research/{id}/sources/{n}`"""
    def stream(self, id: str, *, after: Optional[int] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> AsyncIterator[ResearchStreamFrame]:
        """Follow a run: past events first, then new ones until it is done. `GET /research/{id}/stream`"""
    async def cancel(self, id: str, body: Mapping[str, Any] = ..., *, timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> ResearchSummary:
        """Cancel a run. `POST /research/{id}/cancel`"""

class AsyncMetricsApi:
    async def overview(self, *, scope: Optional[Literal["all"]] = ..., org_id: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MetricsOverviewReply:
        """Show balance, usage and subscriptions of your organisation, today and over the last 30 days. `GET /metrics/overview`"""
    async def usage(self, *, scope: Optional[Literal["all"]] = ..., org_id: Optional[str] = ..., from_: Optional[str] = ..., to: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MetricsUsageReply:
        """Show usage by day, lane, source, model and member. `GET /metrics/usage`"""
    async def timeseries(self, *, scope: Optional[Literal["all"]] = ..., org_id: Optional[str] = ..., metric: Optional[Literal["usage_minor", "allowance_minor", "net_credited_minor", "granted_minor", "subscription_minor", "tokens", "turns", "active_orgs", "active_users"]] = ..., interval: Optional[Literal["hour", "day", "week", "month"]] = ..., from_: Optional[str] = ..., to: Optional[str] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MetricsTimeseriesReply:
        """Show usage and money over time. `GET /metrics/timeseries`"""
    async def kpis(self, *, scope: Optional[Literal["all"]] = ..., org_id: Optional[str] = ..., days: Optional[int] = ..., timeout: Optional[float] = ..., retries: Optional[int] = ..., headers: Optional[Mapping[str, str]] = ...) -> MetricsKpisReply:
        """Show revenue, cash, subscriptions, float and margin. `GET /metrics/kpis`"""

class Api:
    @property
    def transparency(self) -> TransparencyApi: ...
    @property
    def me(self) -> MeApi: ...
    @property
    def keys(self) -> KeysApi: ...
    @property
    def teams(self) -> TeamsApi: ...
    @property
    def kyc(self) -> KycApi: ...
    @property
    def hooks(self) -> HooksApi: ...
    @property
    def wallet(self) -> WalletApi: ...
    @property
    def usage(self) -> UsageApi: ...
    @property
    def invoices(self) -> InvoicesApi: ...
    @property
    def credit_notes(self) -> CreditNotesApi: ...
    @property
    def billing(self) -> BillingApi: ...
    @property
    def plans(self) -> PlansApi: ...
    @property
    def subscription(self) -> SubscriptionApi: ...
    @property
    def payment_methods(self) -> PaymentMethodsApi: ...
    @property
    def review(self) -> ReviewApi: ...
    @property
    def index(self) -> IndexApi: ...
    @property
    def agent(self) -> AgentApi: ...
    @property
    def chat(self) -> ChatApi: ...
    @property
    def projects(self) -> ProjectsApi: ...
    @property
    def attachments(self) -> AttachmentsApi: ...
    @property
    def vcs(self) -> VcsApi: ...
    @property
    def tasks(self) -> TasksApi: ...
    @property
    def research(self) -> ResearchApi: ...
    @property
    def metrics(self) -> MetricsApi: ...

class AsyncApi:
    @property
    def transparency(self) -> AsyncTransparencyApi: ...
    @property
    def me(self) -> AsyncMeApi: ...
    @property
    def keys(self) -> AsyncKeysApi: ...
    @property
    def teams(self) -> AsyncTeamsApi: ...
    @property
    def kyc(self) -> AsyncKycApi: ...
    @property
    def hooks(self) -> AsyncHooksApi: ...
    @property
    def wallet(self) -> AsyncWalletApi: ...
    @property
    def usage(self) -> AsyncUsageApi: ...
    @property
    def invoices(self) -> AsyncInvoicesApi: ...
    @property
    def credit_notes(self) -> AsyncCreditNotesApi: ...
    @property
    def billing(self) -> AsyncBillingApi: ...
    @property
    def plans(self) -> AsyncPlansApi: ...
    @property
    def subscription(self) -> AsyncSubscriptionApi: ...
    @property
    def payment_methods(self) -> AsyncPaymentMethodsApi: ...
    @property
    def review(self) -> AsyncReviewApi: ...
    @property
    def index(self) -> AsyncIndexApi: ...
    @property
    def agent(self) -> AsyncAgentApi: ...
    @property
    def chat(self) -> AsyncChatApi: ...
    @property
    def projects(self) -> AsyncProjectsApi: ...
    @property
    def attachments(self) -> AsyncAttachmentsApi: ...
    @property
    def vcs(self) -> AsyncVcsApi: ...
    @property
    def tasks(self) -> AsyncTasksApi: ...
    @property
    def research(self) -> AsyncResearchApi: ...
    @property
    def metrics(self) -> AsyncMetricsApi: ...

def bind(client: object, table: Mapping[str, Operation], make: Callable[[str, Operation], Any]) -> None: ...
