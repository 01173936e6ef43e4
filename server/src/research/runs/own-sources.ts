// Sources that the caller brings: documents, and indexed repositories. Documents are read before the run starts, so that one
// that cannot be read is refused and nothing is charged.
import { invalidFields } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { listRepos } from '../../repo-index/repo-index.ts'
import { binaryKind } from '../reading/binary-kind.ts'
import { DOCX_TYPE, type PageSnapshot, readPage, type UnreadablePage } from '../reading/read-page.ts'
import type { RunKey } from '../runs-sql.ts'
import { insertReadSources } from '../sources-sql.ts'

export type DocumentInput = {
  readonly name: string
  readonly content: string
  readonly encoding: 'text' | 'base64'
}
export type ReadDocument = {
  readonly name: string
  readonly contentType: string
  readonly page: PageSnapshot
}

const READ_MS = 30_000
const REASONS: Readonly<Record<UnreadablePage['reason'], string>> = {
  empty: 'has no text',
  paywall: 'has no text',
  unreadable: 'cannot be read; send it undamaged and without a password, or send its text',
  not_text: 'is not a text, HTML, PDF or DOCX document',
}

/** A document counts as a page of the run. */
export async function readDocuments(
  { orgId }: Pick<Actor, 'orgId'>,
  documents: readonly DocumentInput[],
  pagesMax: number,
  signal = AbortSignal.timeout(READ_MS),
): Promise<ReadDocument[]> {
  if (documents.length > pagesMax)
    throw invalidFields({
      path: 'documents',
      message: `must have at most ${pagesMax} documents at this depth`,
    })
  const read: ReadDocument[] = []
  for (const [at, { name, content, encoding }] of documents.entries()) {
    const contentType = typeOf(name)
    const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8')
    const kind = contentType.startsWith('text/') ? binaryKind(bytes) : null
    if (kind !== null)
      throw invalidFields({
        path: `documents.${at}.content`,
        message: `is a ${kind} file, not a text, HTML, PDF or DOCX document`,
      })
    const page = await readPage(
      { url: urlOf(name), contentType, charset: 'utf-8', bytes },
      { signal, owner: orgId },
    ).catch((error: unknown): UnreadablePage => {
      if (!signal.aborted) throw error
      // All documents together took too long.
      return { reason: 'unreadable' }
    })
    if ('reason' in page)
      throw invalidFields({ path: `documents.${at}.content`, message: REASONS[page.reason] })
    read.push({ name, contentType, page })
  }
  return read
}

const typeOf = (name: string): string => {
  if (/\.pdf$/i.test(name)) return 'application/pdf'
  if (/\.docx$/i.test(name)) return DOCX_TYPE
  return /\.(?:html?|xhtml)$/i.test(name) ? 'text/html' : 'text/plain'
}

const urlOf = (name: string): string => `document:${encodeURIComponent(name)}`

/** They have the first numbers. */
export async function insertOwnSources(
  tx: Tx,
  run: RunKey,
  documents: readonly ReadDocument[],
): Promise<void> {
  if (documents.length === 0) return
  const sources = documents.map(({ name, contentType, page }, at) => ({
    ...page,
    ...{ n: at + 1, pass: 1, title: name, finalUrl: urlOf(name), contentType, characters: page.text.length },
  }))
  await insertReadSources(tx, run, sources)
}

export async function requireRepositories(tx: Tx, org: OrgId, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const known = new Set((await listRepos(tx, org)).map(({ repo }) => repo))
  const fields = names.flatMap((name, at) =>
    known.has(name) ? [] : [{ path: `repositories.${at}`, message: 'is not an indexed repository' }],
  )
  if (fields.length > 0) throw invalidFields(...fields)
}
