// Everything that the deployment documents name exists: commands, calls, variables, settings, errors, metrics, jobs, tables and files.
import assert from 'node:assert'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS } from '../server/src/kernel/errors.ts'
import { modules } from '../server/src/modules.ts'
import { housekeeping } from '../server/src/platform/housekeeping.ts'
import { exampleLines } from './test/example.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const DOCUMENTS = readdirSync(join(ROOT, 'deploy'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `deploy/${name}`)

/** Names of PostgreSQL, Docker and the shell that look like names of the service. */
const EXTERNAL_NAMES = new Set(
  `archive_timeout archive_command archive_mode last_archived_time failed_count pg_stat_archiver pg_is_in_recovery pg_promote
  synchronous_commit pg_stat_replication pg_stat_activity pg_ls_waldir pg_replication_slots pg_stat_statements pg_stat_user_tables pg_wal
  max_connections shared_buffers ignore_startup_parameters connect_query pool_mode statement_timeout lock_timeout pg_basebackup max_wal_size
 set_config pg_total_relation_size create_distributed_table create_reference_table idle_in_transaction_session_timeout client_addr`.split(
    /\s+/,
  ),
)

/** Labels of metrics and fields of log lines. */
const LABELS = ['base_backup', 'restore_drill', 'first_token', 'trace_id', 'span_id']

let server: TestServer
let names: Set<string>
beforeAll(async () => {
  server = await startTestServer()
  const columns = await server.sql.rows<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'
    union select column_name from information_schema.columns where table_schema = 'public'
    union select indexname from pg_indexes where schemaname = 'public'
    union select rolname from pg_roles`
  names = new Set([
    ...columns.map(({ name }) => name),
    ...Object.keys(ERRORS),
    ...[...read('docs/reference/settings.md').matchAll(/^\| `(\w+)`/gm)].map(([, key = '']) => key),
    ...[...(await server.app.metrics.exposition()).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name),
    ...EXTERNAL_NAMES,
    ...LABELS,
  ])
})
afterAll(() => server.close())

/** The texts in backticks of a document, without its code blocks. */
const quotedIn = (path: string): string[] =>
  [
    ...read(path)
      .replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, text = '']) => text)

describe.for(DOCUMENTS)('%s', (path) => {
  test('names only existing API calls', () => {
    const known = new Set(
      modules.flatMap(({ routes = [] }) => routes.map(({ method, path: at }) => `${method} ${at}`)),
    )
    for (const own of ['/health', '/readyz', '/version', '/metrics', '/openapi.json']) known.add(`GET ${own}`)
    const named = quotedIn(path).flatMap(
      (text) => text.match(/^(?:GET|POST|PUT|PATCH|DELETE) \/[^?\s]*/)?.[0] ?? [],
    )
    const isKnown = (call: string) =>
      known.has(call) ||
      [...known].some((each) => new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(call))
    expect(named.filter((call) => !isKnown(call))).toEqual([])
  })

  test('names only existing variables', () => {
    const known = new Set(exampleLines.map(({ name }) => name))
    const named = quotedIn(path).flatMap((text) => text.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? [])
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  test('names only existing settings, errors, metrics and tables', () => {
    const named = quotedIn(path).filter((text) => /^[a-z]+(_[a-z0-9]+)+$/.test(text))
    expect(named.filter((name) => !names.has(name))).toEqual([])
  })

  test('names only existing jobs', () => {
    const jobs = new Set(
      [...modules, housekeeping(() => assert.fail('no job runs'))].flatMap(
        ({ jobs: own = [], schedules = [] }) => [...own, ...schedules].map(({ name }) => name),
      ),
    )
    const folders = readdirSync(join(ROOT, 'server/src'))
    const named = quotedIn(path).filter((text) => folders.includes(/^([\w-]+)\.\w+$/.exec(text)?.[1] ?? ''))
    expect(named.filter((name) => !jobs.has(name))).toEqual([])
  })

  test('names only existing commands', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
    const named = [...read(path).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  })

  test('links only to existing files', () => {
    const links = [...read(path).matchAll(/\]\(([^)#:]+)\)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(path), link)))).toEqual([])
  })

  test('names only existing compose services and documents', () => {
    const text = read(path)
    for (const [, name = ''] of text.matchAll(
      /docker compose (?:exec|kill -s \w+|up -d --no-deps) ([\w-]+)/g,
    ))
      expect(read('compose.yaml')).toContain(`\n  ${name}:`)
    for (const [, name = ''] of text.matchAll(/\b([A-Z]+\.md)\b/g))
      expect([join(ROOT, name), join(ROOT, 'deploy', name)].some(existsSync), name).toBe(true)
  })
})

test('every entry of the runbook has a symptom, a check, an action and an end', () => {
  const entries = read('deploy/RUNBOOK.md').split(/^## /m).slice(1)
  expect(entries.length).toBeGreaterThan(14)
  for (const entry of entries) expect(entry, entry.split('\n')[0]).toMatch(/\*\*Resolved when\*\*/)
  for (const entry of entries.filter((each) => !/^(Before|Rotating|Upgrade)/.test(each)))
    for (const word of ['**Symptom:**', '**Check:**', '**Action:**'])
      expect(entry, entry.split('\n')[0]).toContain(word)
})

test('every secret of the example has a row about rotation', () => {
  const rotation =
    read('deploy/RUNBOOK.md')
      .split(/^## /m)
      .find((entry) => entry.startsWith('Rotating')) ?? ''
  const secrets = exampleLines
    .map(({ name }) => name)
    .filter((name) =>
      /SECRET|TOKEN(?!S)|PASSKEY|PRIVATE_KEY|API_KEY|ACCESS_KEY|SECURE_KEY|SMTP_URL|DATABASE_URL$|REDIS_URL/.test(
        name,
      ),
    )
    .filter((name) => !/_PREVIOUS$|^SERVICE_(IMAGE|UPSTREAM|DEDICATED)|SESSION_TOKEN/.test(name))
  expect(secrets.length).toBeGreaterThan(20)
  expect(secrets.filter((name) => !rotation.includes(`\`${name}\``))).toEqual([])
})
