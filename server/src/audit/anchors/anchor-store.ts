// Stores anchors: the head of each chain, sealed and kept in object storage outside the database. An attacker who can
// rewrite the database cannot rewrite anchors, so a truncated chain is detected.
import { z } from 'zod'
import { toJson } from '../../kernel/json.ts'
import type { App } from '../../platform/app.ts'
import { UnsealError } from '../../platform/secrets.ts'

export type Anchor = {
  readonly chain: string
  readonly seq: bigint
  readonly hash: string
  readonly at: Date
}

const BYTES_MAX = 4_096

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

async function readFile(app: App, chain: string): Promise<string> {
  const found = await app.storage.get(keyOf(chain))
  if (!found) return 'none'
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

const keyOf = (chain: string): string => `audit/anchors/${chain}`
// Binds the seal to its chain, so that a file copied from another chain does not open.
const contextOf = (chain: string): string => `audit anchor of ${chain}`
