// SQL of sources, their page texts and findings.
import type { Tx } from '../platform/db/tx.ts'
import type { RunKey } from './runs-sql.ts'
import type { FindingKind, ReportSource, ResearchFinding, SourcePage } from './types.ts'

export type SourceStatus = 'queued' | 'read' | 'failed' | 'skipped'

export type ResearchSource = {
  n: number
  pass: number
  url: string
  canonical: string
  title: string
  snippet: string
  subs: number[]
  status: SourceStatus
  reason: string | null
  finalUrl: string | null
  contentType: string | null
  language: string | null
  publishedOn: string | null
  sha256: string | null
  fingerprint: string | null
  characters: number | null
  isCut: boolean
  fetchedAt: Date | null
}

export function listSources(tx: Tx, { id, orgId }: RunKey) {
  return tx.content.rows<ResearchSource>`
    select n, pass, url, canonical, title, snippet, subs, status, reason, final_url as "finalUrl",
           content_type as "contentType", language, published_on as "publishedOn", sha256, fingerprint, characters,
           is_cut as "isCut", fetched_at as "fetchedAt"
    from research_sources where run_id = ${id} and org_id = ${orgId} order by n`
}

export type NewSource = Pick<
  ResearchSource,
  'n' | 'pass' | 'url' | 'canonical' | 'title' | 'snippet' | 'subs' | 'reason'
> & { status: 'queued' | 'skipped' }

export async function insertSources(
  tx: Tx,
  { id, orgId }: RunKey,
  sources: readonly NewSource[],
): Promise<void> {
  await tx.content.rows`
    insert into research_sources (run_id, n, org_id, pass, url, canonical, title, snippet, subs, status, reason)
    select ${id}, n, ${orgId}, pass, url, canonical, title, snippet,
           array(select json_array_elements_text(subs)::int), status, reason
    from json_to_recordset(${JSON.stringify(sources)}::text::json)
      as added (n int, pass int, url text, canonical text, title text, snippet text, subs json, status text, reason text)
    on conflict (run_id, n) do nothing`
}

/** Queues low-relevance sources after all. */
export async function requeueSources(
  tx: Tx,
  { id, orgId }: RunKey,
  numbers: readonly number[],
  pass: number,
): Promise<void> {
  await tx.content.rows`
    update research_sources set status = 'queued', reason = null, pass = ${pass}
    where run_id = ${id} and org_id = ${orgId} and n = any(${numbers}::int[]) and status = 'skipped'`
}

/** Copies the read pages of a run as the first pages of another: those with findings first. */
export async function copyPages(tx: Tx, to: RunKey, from: RunKey, most: number): Promise<void> {
  await tx.content.rows`
    with known as (select coalesce(max(n), 0) as n from research_sources where run_id = ${to.id} and org_id = ${to.orgId}),
    chosen as (
      select s.n, row_number() over (
        order by exists (select 1 from research_findings f where f.run_id = s.run_id and s.n = any(f.sources)) desc, s.n
      )::int as place
      from research_sources s
      where s.run_id = ${from.id} and s.org_id = ${from.orgId} and s.status = 'read' order by place limit ${Math.max(0, most)}),
    added as (
      insert into research_sources (run_id, n, org_id, pass, url, canonical, title, snippet, subs, status, final_url,
                                    content_type, language, published_on, sha256, fingerprint, characters, is_cut, fetched_at)
      select ${to.id}, known.n + place, ${to.orgId}, 1, url, canonical, title, snippet, '{}', status, final_url, content_type,
             language, published_on, sha256, fingerprint, characters, is_cut, fetched_at
      from chosen join research_sources s on s.run_id = ${from.id} and s.n = chosen.n, known)
    insert into research_pages (run_id, n, org_id, text)
    select ${to.id}, known.n + place, ${to.orgId}, p.text
    from chosen join research_pages p on p.run_id = ${from.id} and p.n = chosen.n, known`
}

/** Inserts sources whose text is known, in one transaction with their numbers. */
export async function insertReadSources(
  tx: Tx,
  run: RunKey,
  sources: readonly (SourceContent & { readonly pass: number })[],
): Promise<void> {
  const rows = sources.map(({ n, pass, finalUrl: url, title }) => ({
    ...{
      n,
      pass,
      url,
      canonical: url,
      title,
      snippet: '',
      subs: [],
      status: 'queued' as const,
      reason: null,
    },
  }))
  await insertSources(tx, run, rows)
  for (const source of sources) await saveReadSource(tx, run, source)
}

export type SourceContent = {
  n: number
  title: string
  finalUrl: string
  contentType: string
  language: string | null
  publishedOn: string | null
  sha256: string
  fingerprint: string
  characters: number
  isCut: boolean
  text: string
}

/** Saves the page if the source is still queued. */
export async function saveReadSource(tx: Tx, { id, orgId }: RunKey, read: SourceContent): Promise<boolean> {
  const row = await tx.content.maybe<{ n: number }>`
    update research_sources
    set status = 'read', title = ${read.title}, final_url = ${read.finalUrl}, content_type = ${read.contentType},
        language = ${read.language}, published_on = ${read.publishedOn}, sha256 = ${read.sha256},
        fingerprint = ${read.fingerprint}, characters = ${read.characters}, is_cut = ${read.isCut}, fetched_at = ${tx.now}
    where run_id = ${id} and org_id = ${orgId} and n = ${read.n} and status = 'queued' returning n`
  if (!row) return false
  await tx.content.rows`
    insert into research_pages (run_id, n, org_id, text) values (${id}, ${read.n}, ${orgId}, ${read.text})`
  return true
}

export async function saveUnreadSource(
  tx: Tx,
  { id, orgId }: RunKey,
  n: number,
  { status, reason }: { status: 'failed' | 'skipped'; reason: string },
): Promise<boolean> {
  const row = await tx.content.maybe<{ n: number }>`
    update research_sources set status = ${status}, reason = ${reason}, fetched_at = ${tx.now}
    where run_id = ${id} and org_id = ${orgId} and n = ${n} and status = 'queued' returning n`
  return row !== undefined
}

/** Skips all queued sources. */
export function skipQueuedSources(tx: Tx, { id, orgId }: RunKey, reason: string) {
  return tx.content.rows<Pick<ResearchSource, 'n' | 'url' | 'title'>>`
    update research_sources set status = 'skipped', reason = ${reason}
    where run_id = ${id} and org_id = ${orgId} and status = 'queued' returning n, url, title`
}

/** Pages by number, in order. */
export function listPages(tx: Tx, { id, orgId }: RunKey, numbers: readonly number[]) {
  return tx.content.rows<SourcePage>`
    select p.n, s.title, s.url, p.text
    from research_pages p join research_sources s on s.run_id = p.run_id and s.n = p.n
    where p.run_id = ${id} and p.org_id = ${orgId} and p.n = any(${numbers}::int[]) order by p.n`
}

type FindingRow = {
  ordinal: number
  sub: number
  claim: string
  quote: string
  kind: FindingKind
  sources: number[]
}

export async function listFindings(tx: Tx, { id, orgId }: RunKey): Promise<ResearchFinding[]> {
  const rows = await tx.content.rows<FindingRow>`
    select ordinal, sub, claim, quote, kind, sources from research_findings
    where run_id = ${id} and org_id = ${orgId} order by ordinal`
  return rows.map(({ ordinal, ...rest }) => ({ id: `F${ordinal}`, ...rest }))
}

/** Inserts new findings, and updates the sources of known ones. */
export async function saveFindings(
  tx: Tx,
  { id, orgId }: RunKey,
  findings: readonly ResearchFinding[],
): Promise<void> {
  const rows = findings.map(({ id: name, ...rest }) => ({ ordinal: Number(name.slice(1)), ...rest }))
  await tx.content.rows`
    insert into research_findings (run_id, ordinal, org_id, sub, claim, quote, kind, sources)
    select ${id}, ordinal, ${orgId}, sub, claim, quote, kind, array(select json_array_elements_text(sources)::int)
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as found (ordinal int, sub int, claim text, quote text, kind text, sources json)
    on conflict (run_id, ordinal) do update set sources = excluded.sources`
}

export const toReportSources = (sources: readonly ResearchSource[]): ReportSource[] =>
  sources.flatMap(({ n, url, title, status, reason, sha256, fetchedAt }) =>
    status === 'queued' ? [] : [{ n, url, title, status, reason, sha256, fetchedAt }],
  )
