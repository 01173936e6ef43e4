// Validates a stored result: the file may be old, truncated or foreign.
import type { Result } from './result.ts'

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isFlag: Check = (value) => typeof value === 'boolean'
const isMinor: Check = (value) => typeof value === 'bigint'
const isCount: Check = (value) => Number.isInteger(value)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const orLeftOut =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const shape =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null) return false
    const named = new Map<string, unknown>(Object.entries(value))
    return Object.entries(fields).every(([name, check]) => check(named.get(name)))
  }

const isStored = shape({
  id: isText,
  kind: oneOf('run', 'loop'),
  baseUrl: isText,
  payer: shape({ userId: isText, orgId: isText }),
  idempotencyKey: isText,
  runId: orNull(isText),
  root: isText,
  prompt: isText,
  order: shape({
    repo: orLeftOut(isText),
    frontier: orNull(isFlag),
    maxMinor: isMinor,
    loop: orNull(
      shape({
        sandbox: oneOf('none', 'local', 'docker'),
        testCmd: orNull(isText),
        maxIters: isCount,
        allowTestEdits: isFlag,
      }),
    ),
  }),
  createdAt: isText,
  state: oneOf('sent', 'done', 'partial', 'failed'),
  reason: orNull(isText),
  sent: listOf(shape({ path: isText, content: isText })),
  edits: listOf(
    shape({
      path: isText,
      action: oneOf('create', 'update', 'delete'),
      content: isText,
      description: isText,
      baseSha256: orNull(isText),
    }),
  ),
  summary: isText,
  warnings: listOf(isText),
  verified: orNull(isFlag),
  costMinor: orNull(isMinor),
  currency: orNull(shape({ symbol: isText, minorUnit: isCount })),
  appliedAt: orNull(isText),
})

export const isResult = (value: unknown): value is Result => isStored(value)
