// Parses the verdicts in a model's answer. Invalid verdicts are dropped one by one.
import { z } from 'zod'
import { findJsonValues, stripReasoning } from '../../platform/inference/completion/json-values.ts'

const REASON_MAX = 1_000
const QUOTE_MAX = 2_000
const EVIDENCE_MAX = 12

const lowerCase = (text: unknown) => (typeof text === 'string' ? text.trim().toLowerCase() : text)
/** PostgreSQL rejects text with NUL characters. */
const truncatedTo = (most: number) =>
  z.string().transform((text) => text.slice(0, most).toWellFormed().replaceAll('\0', ''))

const VerdictEvidence = z.object({
  path: z.string().max(4_096),
  line: z.coerce.number().int().min(1).max(10_000_000),
  quote: truncatedTo(QUOTE_MAX),
  /** Where data enters, where it does harm, or what prevents that. */
  role: z
    .preprocess(lowerCase, z.enum(['source', 'sink', 'guard', 'constant', 'unreachable']).nullish())
    .catch(null),
})
export type VerdictEvidence = z.output<typeof VerdictEvidence>

const VerdictItem = z.object({
  id: z.coerce.string().max(20),
  verdict: z.preprocess(lowerCase, z.enum(['confirmed', 'refuted', 'unproven'])),
  evidence: z.preprocess(toList, z.array(z.unknown())).transform((items) =>
    items.slice(0, EVIDENCE_MAX).flatMap((item) => {
      const read = VerdictEvidence.safeParse(item)
      return read.success ? [read.data] : []
    }),
  ),
  reason: truncatedTo(REASON_MAX).catch(''),
})
export type ModelVerdict = z.output<typeof VerdictItem>

/** The verdicts of the last list in the answer, by id, or all single verdicts if there is no list. Null when there are none. */
export function parseVerdicts(text: string, ids: ReadonlySet<string>): Map<string, ModelVerdict> | null {
  const values = findJsonValues(stripReasoning(text))
  const lists = values.map((value) => parseItems(value).filter(({ id }) => ids.has(id)))
  const whole = lists.findLast((items, at) => items.length > 0 && isList(values[at]))
  const items = whole ?? lists.flat()
  return items.length === 0 ? null : new Map(items.map((item) => [item.id, item]))
}

function parseItems(value: unknown): ModelVerdict[] {
  return (isList(value) ? listOf(value) : [value]).flatMap((item) => {
    const read = VerdictItem.safeParse(item)
    return read.success ? [read.data] : []
  })
}

const isList = (value: unknown): boolean =>
  Array.isArray(value) || (typeof value === 'object' && value !== null && 'verdicts' in value)

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : [(value as { verdicts: unknown }).verdicts].flat()

/** Accepts a single value in place of a list. */
function toList(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
