// Endpoints for scans, reviews, findings, GitHub installations and the GitHub webhook.
import { answer } from '../platform/http/answer.ts'
import { route } from '../platform/http/route.ts'
import { adjudicateFinding, listFindings, listRuns, readFinding } from './findings/findings.ts'
import { readPrecision } from './findings/precision.ts'
import { claimInstallation } from './installations/claim.ts'
import { connectRepository, disconnectRepository } from './installations/connections.ts'
import { changeSettings, listInstallations, readPermissions } from './installations/installations.ts'
import {
  ClaimBody,
  ConnectionBody,
  ConnectionReply,
  Installation,
  InstallationList,
  InstallationParams,
  Permissions,
  SettingsBody,
  WebhookReply,
} from './installations/schema.ts'
import { scanUpload, scanUploadAsSarif } from './scan/scan-upload.ts'
import { ScanBody, ScanReply } from './scan/schema.ts'
import {
  AdjudicationReply,
  FindingParams,
  FindingReply,
  FindingsPage,
  FindingsQuery,
  Precision,
  PrecisionQuery,
  RunsPage,
  RunsQuery,
  VerdictBody,
} from './schema.ts'
import {
  receiveBitbucketWebhook,
  receiveGitlabWebhook,
  verifyBitbucketSignature,
  verifyGitlabToken,
} from './webhook/connection-events.ts'
import { receiveWebhook, verifyGithubSignature } from './webhook/receive.ts'

const SCAN_BYTES = 8 * 1024 * 1024
const SARIF = 'application/sarif+json'

export const reviewRoutes = [
  route('review.scan', 'POST /review/scan', {
    summary: 'Scan files or a diff with the analysis rules. Free; nothing is stored.',
    detail:
      'Send `files`, a unified `diff`, or both. With a diff, only findings in changed lines are reported. A diff without files covers new files completely and other files as far as it shows them. With `Accept: application/sarif+json` the reply is a SARIF 2.1.0 log. The limits are 2,000 files and 8 MiB. The report does not depend on the load of the service: a scan that does not end within three minutes fails with `busy` and can be repeated.',
    access: { scope: 'agent:run' },
    rate: 'global',
    takesAnyText: true,
    bodyLimitBytes: SCAN_BYTES,
    body: ScanBody,
    reply: { 200: ScanReply },
    also: { [SARIF]: 'The findings as a SARIF 2.1.0 log.' },
    errors: ['too_many_attempts', 'busy'],
    timeoutMs: 180_000,
    async handle({ app, actor, body, request }) {
      if (!String(request.headers.accept).includes(SARIF)) return scanUpload(app, actor, body, request.gone)
      const log = await scanUploadAsSarif(app, actor, body, request.gone)
      return answer(200, JSON.stringify(log), { 'content-type': SARIF })
    },
  }),

  route('review.runs.list', 'GET /review/runs', {
    summary: 'List pull request reviews, newest first.',
    access: 'any',
    rate: 'global',
    query: RunsQuery,
    reply: { 200: RunsPage },
    handle: ({ app, actor, query }) => listRuns(app, actor, query),
  }),

  route('review.findings.list', 'GET /review/findings', {
    summary: 'List the findings of pull request reviews, newest first.',
    access: 'any',
    rate: 'global',
    query: FindingsQuery,
    reply: { 200: FindingsPage },
    handle: ({ app, actor, query }) => listFindings(app, actor, query),
  }),

  route('review.findings.read', 'GET /review/findings/{id}', {
    summary: 'Show one finding with its verdict and its tested fix.',
    access: 'any',
    rate: 'global',
    params: FindingParams,
    reply: { 200: FindingReply },
    handle: ({ app, actor, params }) => readFinding(app, actor, params.id),
  }),

  route('review.findings.adjudicate', 'POST /review/findings/{id}/adjudicate', {
    summary: 'Confirm or refute a finding. Refuting refunds its share of the cost once.',
    access: { role: 'member' },
    rate: 'global',
    audit: true,
    params: FindingParams,
    body: VerdictBody,
    reply: { 200: AdjudicationReply },
    errors: ['wallet_full'],
    handle: ({ app, actor, params, body, request }) =>
      adjudicateFinding(app, actor, params.id, body, request.address),
  }),

  route('review.precision', 'GET /review/precision', {
    summary: 'Show the false positive rate of findings, based on their verdicts.',
    detail: 'Only confirmed and refuted findings count. `scope=all` is for platform staff.',
    access: 'any',
    rate: 'global',
    query: PrecisionQuery,
    reply: { 200: Precision },
    errors: ['staff_only'],
    handle: ({ app, actor, query }) => readPrecision(app, actor, query),
  }),

  route('webhooks.github', 'POST /webhooks/github', {
    summary: 'Receive a GitHub webhook event.',
    detail:
      'X-Hub-Signature-256 must hold the HMAC-SHA256 of the body. Pull requests of claimed installations are reviewed, each head once. Other events are accepted and ignored. A repeated delivery has no effect.',
    access: { rail: 'GitHub', proof: verifyGithubSignature },
    rate: 'webhook',
    reply: { 200: WebhookReply, 202: WebhookReply },
    errors: ['malformed_json'],
    handle: ({ app, request }) => receiveWebhook(app, request),
  }),

  route('webhooks.gitlab', 'POST /webhooks/gitlab/{id}', {
    summary: 'Receive a GitLab webhook event.',
    detail:
      'X-Gitlab-Token must be the secret of the connection. Merge requests are reviewed, each head once, and comments that mention the bot are answered. A repeated delivery has no effect.',
    access: { rail: 'GitLab', proof: verifyGitlabToken },
    rate: 'webhook',
    params: InstallationParams,
    reply: { 200: WebhookReply, 202: WebhookReply },
    errors: ['malformed_json'],
    handle: ({ app, params, request }) => receiveGitlabWebhook(app, params.id, request),
  }),

  route('webhooks.bitbucket', 'POST /webhooks/bitbucket/{id}', {
    summary: 'Receive a Bitbucket webhook event.',
    detail:
      'X-Hub-Signature must hold the HMAC-SHA256 of the body with the secret of the connection. Pull requests are reviewed, each head once, and comments that mention the bot are answered. A repeated delivery has no effect.',
    access: { rail: 'Bitbucket', proof: verifyBitbucketSignature },
    rate: 'webhook',
    params: InstallationParams,
    reply: { 200: WebhookReply, 202: WebhookReply },
    errors: ['malformed_json'],
    handle: ({ app, params, request }) => receiveBitbucketWebhook(app, params.id, request),
  }),

  route('vcs.connections.create', 'POST /vcs/connections', {
    summary: 'Connect a repository of GitLab or Bitbucket, so that its pull requests are reviewed.',
    detail:
      'The reply has the address and the secret for a webhook of the repository: on GitLab for merge request events and comments, on Bitbucket for the events of pull requests. Connecting a repository again replaces its token and its secret.',
    access: { role: 'admin' },
    rate: 'global',
    audit: true,
    carriesSecret: true,
    body: ConnectionBody,
    reply: { 200: ConnectionReply },
    errors: ['not_found', 'too_many_attempts', 'forge_unavailable'],
    handle: ({ app, actor, body, request }) => connectRepository(app, actor, body, request.address),
  }),

  route('vcs.connections.remove', 'DELETE /vcs/connections/{id}', {
    summary: 'Disconnect a repository of GitLab or Bitbucket. Its token is erased.',
    access: { role: 'admin' },
    rate: 'global',
    audit: true,
    params: InstallationParams,
    reply: { 200: Installation },
    handle: ({ app, actor, params, request }) => disconnectRepository(app, actor, params.id, request.address),
  }),

  route('vcs.installations.list', 'GET /vcs/installations', {
    summary: 'List the installations and connections of your organisation, oldest first.',
    access: 'any',
    rate: 'global',
    reply: { 200: InstallationList },
    handle: ({ app, actor }) => listInstallations(app, actor),
  }),

  route('vcs.installations.claim', 'POST /vcs/installations/claim', {
    summary:
      'Claim an installation of the GitHub app, so that its pull requests are reviewed for your organisation.',
    detail:
      'To prove ownership, put a file .github/cowrie.json with {"org": "org_…"} on the default branch of one of its first ten repositories. Claiming an installation again has no effect. A reinstalled app has a new number and must be claimed again.',
    access: { role: 'admin' },
    rate: 'global',
    audit: true,
    body: ClaimBody,
    reply: { 200: Installation },
    errors: [
      'installation_unproven',
      'not_found',
      'installation_claimed',
      'installation_suspended',
      'too_many_attempts',
      'github_unavailable',
      'not_configured',
    ],
    handle: ({ app, actor, body, request }) =>
      claimInstallation(app, actor, body.installationId, request.address),
  }),

  route('vcs.installations.change', 'PATCH /vcs/installations/{id}/settings', {
    summary: 'Change the review settings of an installation.',
    access: { role: 'admin' },
    rate: 'global',
    audit: true,
    params: InstallationParams,
    body: SettingsBody,
    reply: { 200: Installation },
    errors: ['validation_not_enabled'],
    handle: ({ app, actor, params, body, request }) =>
      changeSettings(app, actor, params.id, body, request.address),
  }),

  route('vcs.installations.permissions', 'GET /vcs/installations/{id}/permissions', {
    summary: 'Show the required and granted GitHub permissions, and the effect of missing ones.',
    access: 'any',
    rate: 'global',
    params: InstallationParams,
    reply: { 200: Permissions },
    handle: ({ app, actor, params }) => readPermissions(app, actor, params.id),
  }),
]
