// Results that the service has. A result that resembles one of them is sent as the difference from it.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fromJson, type LineDelta, lineDelta } from '@cowrie/sdk'
import { isRecord } from '../system/state-file.ts'
import type { SentResult } from './service.ts'
import type { ToolCall, ToolReport } from './types.ts'

export type KnownResults = {
  /** The result as it is sent: whole, or as the difference from an earlier one if that is smaller. */
  encode(call: ToolCall, report: ToolReport): SentResult
  /** The service has this result now. */
  remember(call: ToolCall, report: ToolReport): Promise<void>
  /** The service cannot use this one as a base. */
  forget(callId: string): void
}

type Known = { readonly callId: string; readonly subject: string; readonly text: string }

const BYTES_MAX = 8 * 1024 * 1024
/** The names of a difference and its digest take about this many bytes compressed. */
const DELTA_OVERHEAD = 110
const TEXT_MIN = 300
const TEXT_MAX = 1_000_000
/** The service accepts no more. */
const OUTPUT_CHARACTERS_MAX = 1_000_000
/** A longer text is compared with its latest base only. */
const COMPARED_MAX = 100_000
const CANDIDATES_MAX = 2

export function openKnownResults(folder: string): KnownResults {
  let all: Known[] | null = null
  const known = () => {
    all ??= readKnown(folder)
    return all
  }

  function forget(callId: string): void {
    const list = known()
    const at = list.findIndex((each) => each.callId === callId)
    if (at >= 0) list.splice(at, 1)
    rmSync(pathOf(folder, callId), { force: true })
  }

  function makeRoom(): void {
    const list = known()
    for (let bytes = sizeOf(list); bytes > BYTES_MAX; bytes = sizeOf(list)) {
      const oldest = list[0]
      if (!oldest) return
      forget(oldest.callId)
    }
  }

  return {
    forget,
    encode(call, { ok, output, changes }) {
      const text = toSent(output)
      const head = {
        callId: call.callId,
        ok,
        ...(changes && changes.length > 0 && { changes: [...changes] }),
      }
      const delta = text.length < TEXT_MIN ? null : smallestDelta(known(), call, text)
      if (!delta) return { ...head, output: text }
      return { ...head, base: delta.base, sha256: digestOf(text), delta: delta.parts }
    },
    async remember(call, { output }) {
      const text = toSent(output)
      if (text.length < TEXT_MIN || text.length > TEXT_MAX) return
      const list = known()
      if (list.some(({ callId }) => callId === call.callId)) return
      const entry = { callId: call.callId, subject: subjectOf(call), text }
      list.push(entry)
      makeRoom()
      await write(folder, entry)
    },
  }
}

/** As the service stores it. */
export function toSent(output: string): string {
  const text = toWellFormed(output).replaceAll('\0', '')
  if (text.length <= OUTPUT_CHARACTERS_MAX) return text
  return `${toWellFormed(text.slice(0, OUTPUT_CHARACTERS_MAX - 100))}\n… the rest of the output is left out`
}

/** `String.prototype.toWellFormed`, which is in Node.js 20. */
const toWellFormed = (text: string): string => text.toWellFormed()

type SmallestDelta = { readonly base: string; readonly parts: LineDelta }

function smallestDelta(known: readonly Known[], call: ToolCall, text: string): SmallestDelta | null {
  const subject = subjectOf(call)
  const candidates = known
    .filter((each) => each.subject === subject)
    .slice(text.length > COMPARED_MAX ? -1 : -CANDIDATES_MAX)
  let best: SmallestDelta | null = null
  let bestBytes = candidates.length > 0 ? compressedBytes(JSON.stringify(text)) : 0
  for (const { callId, text: base } of candidates.reverse()) {
    const parts = lineDelta(base, text)
    const bytes = compressedBytes(JSON.stringify(parts)) + DELTA_OVERHEAD
    if (bytes < bestBytes) [best, bestBytes] = [{ base: callId, parts }, bytes]
    if (parts.length === 0) break
  }
  return best
}

const compressedBytes = (text: string): number => gzipSync(text, { level: 4 }).length

/** Results about the same file, command or search resemble each other. */
function subjectOf({ tool, input }: ToolCall): string {
  const about = tool === 'read' ? input.path : tool === 'run' ? input.command : sorted(input)
  return `${tool} ${JSON.stringify(about)}`
}

const sorted = (input: Readonly<Record<string, unknown>>): unknown =>
  Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))

const sizeOf = (list: readonly Known[]): number => list.reduce((sum, { text }) => sum + text.length, 0)

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const pathOf = (folder: string, callId: string): string =>
  join(folder, `${callId.replace(/[^\w-]/g, '_')}.txt`)

/** Not durable: a lost text only means that a later result is sent whole. */
async function write(folder: string, { callId, subject, text }: Known): Promise<void> {
  const head = JSON.stringify({ callId, subject, sha256: digestOf(text) })
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(pathOf(folder, callId), `${head}\n${text}`, { mode: 0o600 })
  } catch {
    // As above.
  }
}

/** In the order of the calls. A damaged text is left out. */
function readKnown(folder: string): Known[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  const list = names.flatMap((name) => readOne(join(folder, name)) ?? [])
  return list.sort((a, b) => compareCalls(a.callId, b.callId))
}

function readOne(path: string): Known | null {
  try {
    const content = readFileSync(path, 'utf8')
    const end = content.indexOf('\n')
    const head: unknown = fromJson(content.slice(0, end))
    const text = content.slice(end + 1)
    if (!isRecord(head) || typeof head.callId !== 'string' || typeof head.subject !== 'string') return null
    return digestOf(text) === head.sha256 ? { callId: head.callId, subject: head.subject, text } : null
  } catch {
    return null
  }
}

/** `call_2_10` is after `call_2_9`. */
export function compareCalls(a: string, b: string): number {
  const [first, second] = [a, b].map((id) => id.split('_').map(Number))
  for (let i = 1; i < 3; i++) {
    const difference = (first?.[i] ?? 0) - (second?.[i] ?? 0)
    if (difference !== 0 && !Number.isNaN(difference)) return difference
  }
  return a < b ? -1 : a > b ? 1 : 0
}
