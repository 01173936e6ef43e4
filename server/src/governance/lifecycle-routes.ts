// Routes of owners: sign-in, export and closing of an organisation.
import { z } from 'zod'
import { isId, type OrgId } from '../kernel/ids.ts'
import { INT64_MAX } from '../kernel/money.ts'
import { rawJson, route } from '../platform/http/route.ts'
import { minor, ok, text, timestamp } from '../platform/http/shapes.ts'
import { closeOrg } from './close-org.ts'
import { allowGithubSignIn } from './github-sign-in.ts'
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
    .meta({ description: 'The exact balance of the wallet, which you forfeit.' }),
  forfeitPlan: text(40)
    .optional()
    .meta({ description: 'The code of the active plan whose rest you forfeit.' }),
})

export const lifecycleRoutes = [
  route('orgs.signIn', 'PATCH /orgs/{orgId}/sign-in', {
    summary: 'Allow sign-in with GitHub where single sign-on is required.',
    detail:
      'Applies to an organisation that requires single sign-on: by default only its identity provider opens it. When you withdraw the permission, sessions that GitHub opened there end immediately. A session must have signed in within the last 15 minutes.',
    access: { role: 'owner', orgParam: 'orgId' },
    rate: 'auth',
    audit: true,
    params: OrgParams,
    body: z.object({ githubAllowed: z.boolean() }),
    reply: { 200: ok.extend({ githubAllowed: z.boolean() }) },
    errors: ['reauth_required'],
    handle: async ({ app, actor, params, body: { githubAllowed }, request }) => {
      await allowGithubSignIn(app, actor, params.orgId, githubAllowed, request.address)
      return { ok: true as const, githubAllowed }
    },
  }),

  route('orgs.export', 'GET /orgs/{orgId}/export', {
    summary: 'Export all data of your organisation as one JSON document.',
    detail:
      'The document has single objects (`org`, `wallet`, `sso`, `kyc` …) and lists (`members`, `ledger`, `invoices`, `threads`, `messages`, `agentRuns`, `audit` …), oldest first. It contains no passwords, keys or other secrets. It is streamed: if the closing brace is missing, the transfer failed and you must fetch it again. One export at a time and ten per hour. A session must have signed in within the last 15 minutes.',
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
    summary: 'Close an organisation permanently.',
    detail:
      'Removes all members, ends API keys, sessions, cards, webhook endpoints and single sign-on immediately, and deletes threads, runs and files. We keep the records of its money, as the law requires. The call is refused while a payment is undecided, work is running, a paid plan is active without `forfeitPlan`, or the wallet has a balance without `forfeitMinor`; `reasons` tells what to do. Export the data first: a closure cannot be undone. A session must have signed in within the last 15 minutes.',
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
