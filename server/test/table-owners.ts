// The owner of each table. Only the owner's SQL names a table; other modules call the owner's functions.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tablesInStatement } from './content-rule.ts'
import type { Source, Token } from './sources.ts'

/** Table → folder of its owner. */
export type TableOwners = ReadonlyMap<string, string>

/** Parts of the platform, which have no module.ts. */
const PLATFORM_TABLES: Readonly<Record<string, readonly string[]>> = {
  'platform/attempts': ['attempts'],
  'platform/db': ['sql_functions'],
  'platform/content': ['content_places', 'content_changes', 'content_migrations', 'content_movers'],
  'platform/http': ['idempotency_keys', 'kept_replies', 'rate_windows'],
  'platform/jobs': ['jobs', 'job_schedules'],
  'platform/mail': ['mail_outbox'],
  'platform/settings': ['platform_settings'],
  'platform/streams': ['streams', 'stream_events'],
}

/** One entry per declaration. A table with two owners appears twice. */
export function declaredTables(files: readonly Source[]): [table: string, owner: string][] {
  const declared = files.flatMap(({ path, text }) => {
    const [, folder] = /^([\w-]+)\/module\.ts$/.exec(path) ?? []
    if (folder === undefined || folder === 'platform') return []
    const [, list = ''] = /\btables: \[([^\]]*)\]/.exec(text) ?? []
    return [...list.matchAll(/'(\w+)'/g)].map(([, table = '']): [string, string] => [table, folder])
  })
  const ofPlatform = Object.entries(PLATFORM_TABLES).flatMap(([owner, tables]) =>
    tables.map((table): [string, string] => [table, owner]),
  )
  return [...declared, ...ofPlatform]
}

/** The tables that the migrations below a folder create. */
export function createdTables(folder: string): string[] {
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const created = texts.flatMap((text) => [...text.matchAll(/^create (?:unlogged )?table (\w+)/gim)])
  return [...new Set(created.map(([, table = '']) => table))]
}

/** The tables of other modules that a statement names. */
export function foreignTables(owners: TableOwners, path: string, tokens: Token[], at: number): string[] {
  const isForeign = (table: string): boolean => {
    const owner = owners.get(table)
    return owner !== undefined && !path.startsWith(`${owner}/`)
  }
  return [...new Set(tablesInStatement(tokens, at).filter(isForeign))]
}

const RECONCILES = 'reconciles two modules in one statement'

/** Allowed statements on tables of other modules, by file and table, with the reason. */
export const FOREIGN_TABLES_ALLOWED: Readonly<Record<string, string>> = {
  'billing/invariants.ts:invoices': RECONCILES,
  'billing/invariants.ts:movements': RECONCILES,
  'billing/invariants.ts:payments': RECONCILES,
  'billing/changes/checkout.ts:payments':
    'selects bills without an undecided payment; the payments module does not know bill deadlines',
  'identity/sql.ts:email_changes':
    'a session comes with the new address that waits, so that GET /me needs no other statement; identity may not import sign-in',
  'identity/sessions/sessions-sql.ts:sso_connections':
    'chooses the organisation after a sign-in; identity may not import sso',
  'identity/sessions/sessions-sql.ts:sso_domains':
    'chooses the organisation after a sign-in; identity may not import sso',
  'invoices/invariants.ts:payment_returns': RECONCILES,
  'invoices/invariants.ts:payments': RECONCILES,
  'invoices/invariants.ts:wallet_refunds': RECONCILES,
  'payments/sql/invariants.ts:holds': RECONCILES,
  'payments/sql/invariants.ts:movements': RECONCILES,
  'payments/sql/invariants.ts:wallets': RECONCILES,
  'platform/db/placement/placement-sql.ts:content_places':
    'a transaction looks up its content placement; platform/content imports platform/db',
}
