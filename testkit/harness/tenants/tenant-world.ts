// An organisation with one resource of every kind, and secrets that must never leave it.
import { randomBytes } from 'node:crypto'
import { newId, type OrgId } from '@cowrie/server/src/kernel/ids.ts'
import { SCOPES } from '@cowrie/server/src/platform/http/actor.ts'
import { insertAttachments } from '@cowrie/server/src/projects/projects.ts'
import { giveCredit } from '../../wallet/money.ts'
import type { Person, Reply, TestServer } from '../harness.ts'

/** The kinds of resources that a path or body can name. */
export type ResourceKind =
  | 'org'
  | 'member'
  | 'session'
  | 'key'
  | 'passkey'
  | 'pushSubscription'
  | 'thread'
  | 'run'
  | 'response'
  | 'entry'
  | 'payment'
  | 'undecidedPayment'
  | 'invoice'
  | 'creditNote'
  | 'card'
  | 'endpoint'
  | 'scimToken'
  | 'delivery'
  | 'installation'
  | 'finding'
  | 'project'
  | 'attachment'
  | 'research'
  | 'source'
  | 'task'
  | 'turn'
  | 'toolCall'
  | 'taskFile'

export type TenantWorld = { readonly owner: Person; readonly ids: Readonly<Record<ResourceKind, string>> }

/** A text in all of its content, which tests search for. */
export const CONTENT_CANARY = 'the recipe for jollof'

export async function makeTenant(server: TestServer): Promise<TenantWorld> {
  const owner = await server.person({ type: 'team' })
  const { orgId } = owner
  await giveCredit(server, orgId, 5_000_000n)
  const content = await write(server, owner)
  const money = await pay(server, owner)
  return {
    owner,
    ids: {
      org: orgId,
      member: (await server.member(orgId, 'member')).userId,
      key: (await server.key(owner, SCOPES)).id,
      ...(await signIn(server, owner)),
      ...content,
      ...money,
      ...(await listen(server, orgId)),
      ...(await review(server, orgId)),
      ...(await keepFiles(server, owner)),
      ...(await research(server, owner)),
      ...(await startTask(server, owner)),
    },
  }
}

async function write(server: TestServer, owner: Person) {
  const ask = (path: string, body: object) => done(server.call('POST', path, { as: owner, body }))
  const thread = await ask('/chat/threads', { title: CONTENT_CANARY })
  const id = String(thread.id)
  await ask(`/chat/threads/${id}/messages`, { prompt: CONTENT_CANARY })
  await ask('/agent/run', { prompt: CONTENT_CANARY })
  const run = await server.sql.one<{ id: string }>`select id from agent_runs where org_id = ${owner.orgId}`
  const response = await ask('/v1/responses', { model: 'open', input: CONTENT_CANARY, store: true })
  return { thread: id, run: run.id, response: String(response.id) }
}

async function pay(server: TestServer, owner: Person) {
  const { orgId } = owner
  const topUp = async () => {
    const body = { amountMinor: 100_000n, channel: 'card' }
    return String((await done(server.call('POST', '/wallet/topup', { as: owner, body }))).reference)
  }
  const payment = await topUp()
  await done(server.call('POST', '/wallet/verify', { as: owner, body: { reference: payment } }))
  const staff = await server.person({ staff: 'super_admin' })
  const refund = { orgId, amountMinor: 1_000n, reason: 'kindness', source: 'refund', reference: payment }
  const headers = { 'idempotency-key': `refund-of-${payment}` }
  await done(server.call('POST', '/wallet/refund', { as: staff, body: refund, headers }))
  const [entry, invoice, note] = await Promise.all([
    server.sql.one<{ id: string }>`select id from movements where org_id = ${orgId} and seq = 1`,
    server.sql.one<{ id: string }>`select id from invoices where org_id = ${orgId}`,
    server.sql.one<{ id: string }>`select id from credit_notes where org_id = ${orgId}`,
  ])
  return {
    payment,
    undecidedPayment: await topUp(),
    entry: entry.id,
    invoice: invoice.id,
    creditNote: note.id,
    card: await card(server, owner),
  }
}

async function card({ sql, app, clock }: TestServer, { orgId, userId, email }: Person): Promise<string> {
  const id = newId('pm')
  const sealed = app.secrets.seal('AUTH_canary', `the authorization of ${id}`)
  await sql.rows`
    insert into cards (id, org_id, user_id, rail, mode, authorization_sealed, fingerprint, email, brand, last4, exp_month,
                       exp_year, is_default, created_at)
    values (${id}, ${orgId}, ${userId}, 'mock', 'mock', ${sealed}, ${`print of ${id}`}, ${email}, 'visa', '4081', 12, 2199,
            true, ${clock.now()})`
  return id
}

async function signIn(server: TestServer, { email, userId, orgId }: Person) {
  const browser = server.visitor()
  await done(browser.call('POST', '/auth/dev-login', { body: { email } }))
  const { sql, clock, app } = server
  const session = await sql.one<{ id: string }>`select id from sessions where user_id = ${userId}`
  const passkey = newId('psk')
  await sql.rows`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, backed_up, name, created_at)
    values (${passkey}, ${userId}, ${Buffer.from(passkey)}, ${Buffer.from('public')}, 0, '{}', false, 'phone', ${clock.now()})`
  await sql.rows`update users set password_hash = ${`$scrypt$of ${userId}`} where id = ${userId}`
  await sql.rows`
    insert into totp_secrets (user_id, sealed_secret, created_at)
    values (${userId}, ${app.secrets.seal('totp canary', 'totp')}, ${clock.now()})`
  await sql.rows`
    insert into device_logins (id, device_hash, user_code, scopes, status, address, network, user_agent, user_id, org_id,
                               interval_seconds, created_at, expires_at)
    values (${newId('dev')}, ${randomBytes(32)}, ${userCode()}, '{}', 'approved', '127.0.0.1', '127.0.0.1', 'cli', ${userId},
            ${orgId}, 5, ${clock.now()}, ${clock.now()})`
  const [pushSubscription, message] = [newId('psh'), newId('pmg')]
  await sql.rows`
    insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth_sealed, server_key, kinds, language, created_at)
    values (${pushSubscription}, ${userId}, ${session.id}, ${`https://push.example.com/${userId}`}, 'key',
            ${app.secrets.seal('push canary', 'push')}, 'key', '{paid}', 'en', ${clock.now()})`
  await sql.rows`
    insert into push_messages (id, org_id, user_id, data, created_at)
    values (${message}, ${orgId}, ${userId}, '{"kind": "needs_approval", "taskId": "tsk_1"}', ${clock.now()})`
  await sql.rows`
    insert into push_deliveries (message_id, subscription_id, org_id, next_attempt_at)
    values (${message}, ${pushSubscription}, ${orgId}, ${clock.now()})`
  return { session: session.id, passkey, pushSubscription }
}

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const userCode = (): string => Array.from(randomBytes(8), (byte) => LETTERS[byte % LETTERS.length]).join('')

async function listen({ sql, app, clock }: TestServer, orgId: OrgId) {
  const [endpoint, event, delivery, sso] = [newId('hep'), newId('evt'), newId('whd'), newId('sso')]
  const scimToken = newId('sct')
  const [seal, now] = [(text: string) => app.secrets.seal(text, 'a test'), clock.now()]
  await sql.rows`
    insert into hook_endpoints (id, org_id, url, secret_sealed, created_at, updated_at)
    values (${endpoint}, ${orgId}, 'https://example.com/hook', ${seal('whsec canary')}, ${now}, ${now})`
  await sql.rows`
    insert into hook_events (id, org_id, type, body, created_at) values (${event}, ${orgId}, 'test', '{}', ${now})`
  await sql.rows`
    insert into hook_deliveries (id, org_id, endpoint_id, event_id, status, created_at)
    values (${delivery}, ${orgId}, ${endpoint}, ${event}, 'failed', ${now})`
  await sql.rows`
    insert into sso_connections (id, org_id, type, enabled, issuer, client_id, client_secret, created_at, updated_at)
    values (${sso}, ${orgId}, 'oidc', true, 'https://idp.example.com', 'cowrie', ${seal('oidc canary')}, ${now}, ${now})`
  await sql.rows`
    insert into sso_domains (org_id, domain, token, created_at, verified_at)
    values (${orgId}, ${`${orgId.replace('_', '-')}.example.com`}, ${`token of ${orgId}`}, ${now}, ${now})`
  await sql.rows`
    insert into scim_tokens (id, org_id, name, prefix, hash, created_by, created_at)
    select ${scimToken}, ${orgId}, 'Okta', 'cst_1', ${randomBytes(32)}, user_id, ${now} from memberships
    where org_id = ${orgId} and role = 'owner'`
  await sql.rows`
    insert into scim_users (org_id, user_id, email, user_name, created_at, updated_at)
    select ${orgId}, user_id, 'ada@example.com', user_id, ${now}, ${now} from memberships where org_id = ${orgId}`
  await sql.rows`
    insert into kyc_records (org_id, business_name, registration_number, contact_email, document_ref, status, submitted_by,
                             submitted_at)
    select ${orgId}, 'Acme', 'RC 1', 'a@example.com', 'doc', 'pending', user_id, ${now} from memberships
    where org_id = ${orgId} and role = 'owner'`
  return { endpoint, delivery, scimToken }
}

async function review({ sql, clock }: TestServer, orgId: OrgId) {
  const [installation, run, finding, now] = [newId('inst'), newId('rvw'), newId('fnd'), clock.now()]
  const externalId = randomBytes(4).readUInt32BE() + 1
  await sql.rows`
    insert into vcs_installations (id, org_id, external_id, account_id, account_login, account_type, status, repository_selection,
                                   claimed_by, created_at, updated_at)
    values (${installation}, ${orgId}, ${externalId}, ${externalId}, 'acme', 'Organization', 'active', 'all', 'usr_1', ${now},
            ${now})`
  await sql.rows`
    insert into vcs_pulls (installation_id, repo_id, number, org_id, head_sha, is_open, event_at)
    values (${installation}, 1, 1, ${orgId}, ${'a'.repeat(40)}, true, ${now})`
  await sql.rows`
    insert into vcs_heads (installation_id, repo_id, number, head_sha, org_id, run_id, event_at)
    values (${installation}, 1, 1, ${'a'.repeat(40)}, ${orgId}, ${run}, ${now})`
  await sql.rows`
    insert into review_runs (id, org_id, installation_id, repo, repo_id, pr, head_sha, base_sha, title, is_fork, is_bot, status,
                             created_at, finished_at)
    values (${run}, ${orgId}, ${installation}, 'acme/pay', 1, 1, ${'a'.repeat(40)}, ${'b'.repeat(40)}, ${CONTENT_CANARY}, false,
            false, 'completed', ${now}, ${now})`
  await sql.rows`
    insert into review_findings (id, org_id, run_id, repo, repo_id, pr, head_sha, path, line, start_line, end_line, rule_id, title,
                                 cwe, severity, confidence, message, fix, snippet, fingerprint, case_key, created_at)
    values (${finding}, ${orgId}, ${run}, 'acme/pay', 1, 1, ${'a'.repeat(40)}, 'a.ts', 1, 1, 1, 'rule', 'A fault', 78, 'error',
            'high', ${CONTENT_CANARY}, 'Fix it.', 'x', 'print', 'shape', ${now})`
  return { installation, finding }
}

async function keepFiles({ call, app }: TestServer, owner: Person) {
  const { orgId, userId } = owner
  const body = { name: CONTENT_CANARY }
  const project = String((await done(call('POST', '/projects', { as: owner, body }))).id)
  const [id, contentType] = [newId('att'), 'text/markdown']
  const storageKey = `attachments/${orgId}/${id}`
  const stored = await app.storage.put(storageKey, Buffer.from(CONTENT_CANARY), { contentType })
  const made = { origin: newId('run'), name: 'report.md', contentType, storageKey, createdBy: userId }
  await app.db.tx(orgId, (tx) =>
    insertAttachments(tx, [{ ...stored, ...made, id, orgId, projectId: project }]),
  )
  return { project, attachment: id }
}

/** A number that occurs in no other text, so that tests can search for it. */
const SOURCE = 987_654_321

async function research({ sql, clock }: TestServer, { orgId, userId }: Person) {
  const [id, now, sha256] = [newId('run'), clock.now(), 'a'.repeat(64)]
  await sql.rows`
    insert into research_runs (id, org_id, user_id, question, depth, status, stop_reason, phase, lane_mode, limits, nonce,
                               budget_minor, aside_minor, aside_hold_id, created_at, finished_at)
    values (${id}, ${orgId}, ${userId}, ${CONTENT_CANARY}, 'quick', 'completed', 'completed', 'done', 'open', '{}', 'nonce canary',
            1000, 100, 'hold canary', ${now}, ${now})`
  await sql.rows`insert into streams (id, org_id, opened_at, closed_at) values (${id}, ${orgId}, ${now}, ${now})`
  await sql.rows`
    insert into research_steps (run_id, step, org_id, began_at, done_at) values (${id}, 'plan', ${orgId}, ${now}, ${now})`
  await sql.rows`
    insert into research_sources (run_id, n, org_id, pass, url, canonical, title, snippet, subs, status, sha256)
    values (${id}, ${SOURCE}, ${orgId}, 1, 'https://example.com', 'example.com', 'A page', ${CONTENT_CANARY}, '{0}', 'read', ${sha256})`
  await sql.rows`
    insert into research_pages (run_id, n, org_id, text) values (${id}, ${SOURCE}, ${orgId}, ${CONTENT_CANARY})`
  await sql.rows`
    insert into research_findings (run_id, ordinal, org_id, sub, claim, quote, kind, sources)
    values (${id}, 1, ${orgId}, 0, ${CONTENT_CANARY}, ${CONTENT_CANARY}, 'fact', ${[SOURCE]}::int[])`
  return { research: id, source: String(SOURCE) }
}

const TASK_FILE = 'recipe-of-a-task.md'

/** A task with a stopped turn and rows of everything that a turn stores. */
async function startTask({ call, sql, clock }: TestServer, owner: Person) {
  const ask = (path: string, body: object) =>
    done(call('POST', path, { as: owner, body, headers: { 'idempotency-key': newId('x') } }))
  const files = [{ path: TASK_FILE, content: CONTENT_CANARY }]
  const task = String((await ask('/tasks', { workspace: { kind: 'files', files } })).id)
  const turn = String((await ask(`/tasks/${task}/turns`, { prompt: CONTENT_CANARY })).turnId)
  await ask(`/tasks/${task}/stop`, {})
  const [toolCall, now] = ['call_1_2', clock.now()]
  const input = JSON.stringify({ tool: 'read', arguments: '{}', call: null })
  const outcome = JSON.stringify({ ok: true, output: CONTENT_CANARY, isTruncated: false })
  await sql.rows`
    insert into task_steps (turn_id, n, org_id, kind, call_id, input, outcome, began_at, done_at)
    values (${turn}, 2, ${owner.orgId}, 'tool', ${toolCall}, ${input}::text::json, ${outcome}::text::json, ${now}, ${now})`
  await sql.rows`
    insert into task_changes (task_id, n, org_id, turn_id, path, content, is_original, at)
    values (${task}, 1, ${owner.orgId}, ${turn}, 'new.md', ${CONTENT_CANARY}, false, ${now})`
  await sql.rows`
    insert into task_pull_requests (task_id, org_id, repository_id, number, url, branch, head_sha, last_change, created_at, updated_at)
    values (${task}, ${owner.orgId}, 1, 1, 'https://example.com/1', 'cowrie', ${'a'.repeat(40)}, 1, ${now}, ${now})`
  await sql.rows`
    insert into task_clients (task_id, version, org_id, tools, conventions, bytes, created_at)
    values (${task}, 1, ${owner.orgId}, '[]', ${JSON.stringify({ path: 'AGENTS.md', text: CONTENT_CANARY })}::text::json, 9, ${now})`
  return { task, turn, toolCall, taskFile: TASK_FILE }
}

async function done(asked: Promise<Reply>): Promise<Record<string, unknown>> {
  const { status, text, body } = await asked
  if (status >= 300) throw new Error(`the tenant could not be created: ${status} ${text}`)
  return body
}
