// Stores anchors: the head of each chain, sealed and kept in object storage outside the database. An attacker who can
// rewrite the database cannot rewrite anchors, so a truncated chain is detected.
import { z } from 'zod'
import { toJson } from '../../kernel/json.ts'
import type { App } from '../../platform/app.ts'
import { UnsealError } from '../../platform/secrets.ts'
import type { StoredObject } from '../../platform/storage/storage.ts'
import type { StoredObjects } from '../../platform/storage/stored-objects.ts'
import { listAnchoredChains } from './anchors-sql.ts'

export type Anchor = {
  readonly chain: string
  readonly seq: bigint
  readonly hash: string
  readonly at: Date
}

const BYTES_MAX = 4_096
const PAGE_CHAINS = 500
const PREFIX = 'audit/anchors/'

/** The last anchor of a chain. A file that we did not seal, or sealed for another chain, is unreadable. */
export async function readAnchor(app: App, chain: string): Promise<Anchor | 'none' | 'unreadable'> {
  const text = await readFile(app, chain)
  return text === 'none' || text === 'unreadable' ? text : open(app, chain, text)
}

/** Whether the anchor is sealed with the current service secret. */
export async function anchorSeal(
  app: App,
  chain: string,
): Promise<'none' | 'unreadable' | 'current' | 'older'> {
  const text = await readFile(app, chain)
  if (text === 'none' || text === 'unreadable') return text
  if (open(app, chain, text) === 'unreadable') return 'unreadable'
  return AnchorFile.parse(JSON.parse(text)).seal.startsWith(app.secrets.keyId) ? 'current' : 'older'
}

/** The anchors that must exist: those of the chains that have an anchor row. */
export const anchorObjects: StoredObjects<App> = {
  prefixes: [PREFIX],
  remedies: {
    missing:
      'Restore the last version of this object from the versions of the bucket. Without one, verify the chain (RUNBOOK.md, "Audit chain verification fails"); the job audit.anchor then writes it again.',
    changed:
      'No current secret opens the seal. Set SERVICE_SECRET and SERVICE_SECRET_PREVIOUS as before the restore; otherwise restore the last version that opens, and find out who wrote this one.',
    unreadable:
      'Read the object with the credentials of the service. Correct its access rights, or restore an earlier version if it is damaged.',
    orphaned:
      'The chain began after the restored instant. Keep the object with the files of the damaged server: it proves the state of that chain.',
  },
  async *references(app) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const begin: string = after
      const chains = await app.db.tx('platform', (tx) => listAnchoredChains(tx, begin, PAGE_CHAINS))
      for (const chain of chains)
        yield {
          key: keyOf(chain),
          row: `audit anchor of ${chain}`,
          matches: async (object) => open(app, chain, await readText(object)) !== 'unreadable',
        }
      after = chains.length < PAGE_CHAINS ? undefined : chains.at(-1)
    }
  },
}

async function readFile(app: App, chain: string): Promise<string> {
  const found = await app.storage.get(keyOf(chain))
  return found ? readText(found) : 'none'
}

async function readText(found: StoredObject): Promise<string> {
  if (found.bytes > BYTES_MAX) {
    await found.stream.cancel()
    return 'unreadable'
  }
  const parts: Uint8Array[] = []
  for await (const part of found.stream) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** Replaces the anchor atomically. */
export async function writeAnchor(app: App, { chain, seq, hash, at }: Anchor): Promise<void> {
  const content = { chain, seq: String(seq), hash, at: at.toISOString() }
  const seal = app.secrets.seal(toJson(content), contextOf(chain))
  const text = `${toJson({ ...content, seal })}\n`
  await app.storage.put(keyOf(chain), Buffer.from(text), {
    contentType: 'application/json',
    maxBytes: BYTES_MAX,
  })
}

// The plain fields are for humans. Only the sealed content is trusted.
const AnchorFile = z.object({ seal: z.string() })
const SealedContent = z.object({
  seq: z.string().regex(/^\d{1,18}$/),
  hash: z.string(),
  at: z.iso.datetime(),
})

function open(app: App, chain: string, text: string): Anchor | 'unreadable' {
  try {
    const { seal } = AnchorFile.parse(JSON.parse(text))
    const { seq, hash, at } = SealedContent.parse(JSON.parse(app.secrets.open(seal, contextOf(chain))))
    return { chain, seq: BigInt(seq), hash, at: new Date(at) }
  } catch (error) {
    if (error instanceof UnsealError || error instanceof SyntaxError || error instanceof z.ZodError)
      return 'unreadable'
    throw error
  }
}

const keyOf = (chain: string): string => `${PREFIX}${chain}`
// Binds the seal to its chain, so that a file copied from another chain does not open.
const contextOf = (chain: string): string => `audit anchor of ${chain}`
