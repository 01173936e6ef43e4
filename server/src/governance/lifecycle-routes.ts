// Taking everything along, and closing the door behind.
import { z } from 'zod'
import { isId, type OrgId } from '../kernel/ids.ts'
import { INT64_MAX } from '../kernel/money.ts'
import { rawJson, route } from '../platform/http/route.ts'
import { minor, ok, text, timestamp } from '../platform/http/shapes.ts'
import { closeOrg } from './close-org.ts'
import { exportOrg } from './org-export.ts'
import { ExportDocument } from './org-export-schema.ts'

const EXPORT_TIMEOUT_MS = 30 * 60_000

const OrgParams = z.object({
  orgId: z.custom<OrgId>((value) => typeof value === 'string' && isId('org', value)),
})

const Closure = z.object({
  confirm: text(200).meta({ description: 'The exact name of the organisation.' }),
  forfeitMinor: minor(0n, INT64_MAX)
    .optional()
    .meta({ description: 'The exact balance of the wallet, which you give up.' }),
  forfeitPlan: text(40)
    .optional()
    .meta({ description: 'The code of the plan that still runs, the rest of which you give up.' }),
})

export const lifecycleRoutes = [
  route('orgs.export', 'GET /orgs/{orgId}/export', {
    summary: 'Everything your organisation owns, as one JSON document.',
    detail:
      'A file with single things (`org`, `wallet`, `sso`, `kyc` …) and lists (`members`, `ledger`, `invoices`, `threads`, `messages`, `agentRuns`, `audit` …), the oldest first. No passwords, keys or other secrets are in it. It is written while you read it; a document that does not end with its closing brace was cut, and is to be fetched again. One at a time, and ten an hour. With a session, sign in within the last 15 minutes.',
    access: { role: 'owner', orgParam: 'orgId' },
    rate: 'money',
    params: OrgParams,
    reply: { 200: rawJson(ExportDocument, 'The document.') },
    errors: ['too_many_attempts', 'reauth_required'],
    timeoutMs: EXPORT_TIMEOUT_MS,
    head: false,
    handle: ({ app, actor, params, request }) => exportOrg(app, actor, params.orgId, request),
  }),

  route('orgs.close', 'DELETE /orgs/{orgId}', {
    summary: 'Close an organisation for good.',
    detail:
      'Its members are let go, its keys, sessions, cards, webhook endpoints and single sign-on end at once, and its threads, runs and files are removed. The records of its money stay with us, as the law asks. It is refused while a paid plan runs that you do not give up by `forfeitPlan`, a payment is not decided, work is running, or money is in the wallet that you do not give up by `forfeitMinor`; `reasons` says what to do. Export it first: there is no way back. With a session, sign in within the last 15 minutes.',
    access: { role: 'owner', orgParam: 'orgId' },
    rate: 'money',
    audit: true,
    params: OrgParams,
    body: Closure,
    reply: { 200: ok.extend({ closedAt: timestamp }) },
    errors: ['org_not_closable', 'reauth_required'],
    handle: ({ app, actor, params, body, request }) =>
      closeOrg(app, actor, params.orgId, body, request.address),
  }),
]
