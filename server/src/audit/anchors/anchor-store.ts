// Anchors: the end of each chain, noted down outside the database. Whoever can rewrite the database cannot rewrite them,
// so a chain that was cut and whose end was set back still shows.
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

/** What was noted last about a chain. A note that we did not write, or not for this chain, is unreadable. */
export async function readAnchor(app: App, chain: string): Promise<Anchor | 'none' | 'unreadable'> {
  const found = await app.storage.get(keyOf(chain))
  if (!found) return 'none'
  if (found.bytes > BYTES_MAX) {
    await found.stream.cancel()
    return 'unreadable'
  }
  const parts: Uint8Array[] = []
  for await (const part of found.stream) parts.push(part)
  return open(app, chain, Buffer.concat(parts).toString('utf8'))
}

/** Replaces the note: whole or not at all. */
export async function writeAnchor(app: App, { chain, seq, hash, at }: Anchor): Promise<void> {
  const noted = { chain, seq: String(seq), hash, at: at.toISOString() }
  const seal = app.secrets.seal(toJson(noted), contextOf(chain))
  const text = `${toJson({ ...noted, seal })}\n`
  await app.storage.put(keyOf(chain), Buffer.from(text), {
    contentType: 'application/json',
    maxBytes: BYTES_MAX,
  })
}

// What is in the open is for people; what is believed is inside the seal.
const Note = z.object({ seal: z.string() })
const Sealed = z.object({
  seq: z.string().regex(/^\d{1,18}$/),
  hash: z.string(),
  at: z.iso.datetime(),
})

function open(app: App, chain: string, text: string): Anchor | 'unreadable' {
  try {
    const { seal } = Note.parse(JSON.parse(text))
    const { seq, hash, at } = Sealed.parse(JSON.parse(app.secrets.open(seal, contextOf(chain))))
    return { chain, seq: BigInt(seq), hash, at: new Date(at) }
  } catch (error) {
    if (error instanceof UnsealError || error instanceof SyntaxError || error instanceof z.ZodError)
      return 'unreadable'
    throw error
  }
}

const keyOf = (chain: string): string => `audit/anchors/${chain}`
// A note that is copied over that of another chain does not open there.
const contextOf = (chain: string): string => `audit anchor of ${chain}`
