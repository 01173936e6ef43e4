// Content rows, digests of them and a second mover, for tests of content placements.

import type { OrgId } from '@cowrie/server/src/kernel/ids.ts'
import type { Content } from '@cowrie/server/src/platform/content/content.ts'
import { createDedicatedDatabases } from '@cowrie/server/src/platform/content/dedicated/dedicated-databases.ts'
import { type ContentOptions, openContent } from '@cowrie/server/src/platform/content/open-content.ts'
import type { Db, Sql } from '@cowrie/server/src/platform/db/tx.ts'
import type { TestServer } from '../harness/harness.ts'

/** A tenth of `rows` are threads, a fifth runs and streams, the rest messages and events. Written by the owner, not the service. */
export async function seedContent(owner: Sql, org: OrgId, user: string, rows: number): Promise<void> {
  const tenth = Math.floor(rows / 10)
  await owner.rows`
    insert into chat_threads (id, org_id, user_id, title, mode, created_at, updated_at)
    select ${org} || 'thr' || n, ${org}, ${user}, 'thread ' || n, 'general', '2026-01-01', '2026-01-01'
    from generate_series(1, ${tenth}::int) n`
  await owner.rows`
    insert into chat_messages (id, org_id, thread_id, role, content, status, cost_minor, created_at, beat_at)
    select ${org} || 'msg' || n, ${org}, ${org} || 'thr' || (n % ${tenth}::int + 1), 'user', 'words, "quoted" \\ and (more) ' || n,
      'complete', 9007199254740993, '2026-01-01', '2026-01-01 00:00:00.123456'
    from generate_series(1, ${tenth * 4}::int) n`
  await owner.rows`
    insert into agent_runs (id, org_id, user_id, kind, intent_id, status, prompt, lane, model, sandbox, max_iterations, edits,
      created_at, beat_at, finished_at)
    select ${org} || 'run' || n, ${org}, ${user}, 'run', ${org} || 'int' || n, 'completed', '', 'open', 'm', 'none', 1,
      '[{"nul": "\\u0000"}, null]', '2026-01-01', '2026-01-01', '2026-01-01'
    from generate_series(1, ${tenth}::int) n`
  await owner.rows`
    insert into streams (id, org_id, last_seq, opened_at)
    select ${org} || 'str' || n, ${org}, 3, '2026-01-01' from generate_series(1, ${tenth}::int) n`
  await owner.rows`
    insert into stream_events (stream_id, seq, org_id, at, size_bytes, event)
    select ${org} || 'str' || n, seq, ${org}, '2026-01-01', 3, '{"text":  "\\u0000 kept as written"}'
    from generate_series(1, ${tenth}::int) n, generate_series(1, 3) seq`
}

/**
 * Makes one change of every kind that a copy can miss: a thread is created, renamed, and deleted with its messages, and the only
 * running answer of a thread passes from one message to the next. Each `n` adds one thread, except the first.
 */
export async function makeEveryChange(db: Db, org: OrgId, user: string, n: number): Promise<void> {
  const [created, answer] = [`${org}created${n}`, `${org}answer${n}`]
  await db.tx(org, async (tx) => {
    await tx.content.rows`
      insert into chat_threads (id, org_id, user_id, mode, created_at, updated_at)
      values (${created}, ${org}, ${user}, 'general', ${tx.now}, ${tx.now})`
    await tx.content.rows`
      update chat_messages set status = 'complete' where thread_id = ${`${org}thr2`} and status = 'running'`
    await tx.content.rows`
      insert into chat_messages (id, org_id, thread_id, role, content, status, created_at, beat_at)
      values (${answer}, ${org}, ${`${org}thr2`}, 'assistant', '', 'running', ${tx.now}, ${tx.now}),
             (${`${answer}again`}, ${org}, ${created}, 'assistant', '', 'running', ${tx.now}, ${tx.now})`
  })
  await db.tx(org, async (tx) => {
    await tx.content.rows`update chat_threads set title = ${`renamed ${n}`} where id = ${`${org}thr3`}`
    await tx.content.rows`delete from chat_threads where id = ${n === 0 ? `${org}thr4` : ''}`
    await tx.content.rows`delete from agent_runs where id = ${`${org}run${n}`}`
    await tx.content.rows`update streams set last_seq = last_seq + 1 where id = ${`${org}str1`}`
    await tx.content.rows`
      insert into stream_events (stream_id, seq, org_id, at, size_bytes, event)
      values (${`${org}str1`}, ${1_000 + n}, ${org}, ${tx.now}, 2, '{}')`
  })
}

export type ContentDigest = Readonly<Record<string, { rows: number; digest: string }>>

/** The number and digest of an organisation's rows in each table of a schema. */
export async function digestContent(owner: Sql, schema: string, org: OrgId): Promise<ContentDigest> {
  const tables = ['agent_runs', 'chat_threads', 'chat_messages', 'streams', 'stream_events']
  const found = await Promise.all(
    tables.map((table) =>
      owner.one<{ rows: number; digest: string }>(
        templateOf(`select count(*)::int as rows, coalesce(md5(string_agg(md5(t::text), '' order by t::text collate "C")), '') as digest
          from "${schema}".${table} t where org_id = '${org}'`),
      ),
    ),
  )
  return Object.fromEntries(tables.map((table, n) => [table, found[n] ?? { rows: 0, digest: '' }]))
}

export const countRows = (found: ContentDigest): number =>
  Object.values(found).reduce((sum, { rows }) => sum + rows, 0)

export const templateOf = (text: string) =>
  Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray

/** Columns, indexes, constraints, policies and triggers of the content tables in a schema, one line each. */
export async function describeSchema(owner: Sql, schema: string): Promise<string[]> {
  const rows = await owner.rows<{ line: string }>`
    with content as (
      select c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity, c.reloptions
      from pg_class c where c.relnamespace = ${schema}::text::regnamespace
        and exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgname = 'content_captured'))
    select replace(replace(line, ${`"${schema}".`}, ''), ${`${schema}.`}, '') as line from (
      select concat_ws(' ', 'table', relname, relrowsecurity, relforcerowsecurity, reloptions) as line from content
      union all
      select concat_ws(' ', 'column', c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                       pg_get_expr(d.adbin, d.adrelid))
      from content c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      union all
      select concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid)) from content c join pg_index i on i.indrelid = c.oid
      union all
      select concat_ws(' ', 'constraint', c.relname, k.conname, pg_get_constraintdef(k.oid))
      from content c join pg_constraint k on k.conrelid = c.oid
      union all
      select concat_ws(' ', 'policy', c.relname, p.polname, p.polcmd, p.polroles::regrole[], pg_get_expr(p.polqual, p.polrelid),
                       pg_get_expr(p.polwithcheck, p.polrelid))
      from content c join pg_policy p on p.polrelid = c.oid
      union all
      select concat_ws(' ', 'trigger', pg_get_triggerdef(g.oid))
      from content c join pg_trigger g on g.tgrelid = c.oid and not g.tgisinternal) lines
    order by 1`
  return rows.map(({ line }) => line)
}

/** A second mover beside that of the server. Tests control where it ends. */
export function openSecondMover(
  { app, url, clock }: TestServer,
  options: Partial<ContentOptions> = {},
  dedicatedUrl: string | null = null,
): Content {
  const { db, log } = app
  const dedicated = createDedicatedDatabases({ url, dedicatedUrl, clock, log })
  return openContent({ url, db, dedicated, clock, log, ...options })
}
