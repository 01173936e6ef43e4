// Builds the prompts of a coding model: the rules, the material, and last the task.
import { ApiError } from '../../kernel/errors.ts'
import type { Message } from '../../platform/inference/inference.ts'
import type { Excerpt } from '../../repo-index/repo-index.ts'
import {
  type ContextFile,
  type ContextReport,
  estimateMaxTokens,
  measureFiles,
  type Omission,
  type ShownFile,
  selectContext,
} from './context.ts'
import { fence, type Nonce } from './markers.ts'
import { buildRules, FIX_RULES, REPAIR_RULES, REWRITE_RULES } from './rules.ts'

/** A prompt within its token limit, and what was left out. */
export type PromptDraft = {
  readonly messages: readonly Message[]
  /** An upper bound, equal for every nonce: two drafts of one task have the same size. */
  readonly promptTokens: number
  readonly context: ContextReport
}

export type EditTask = {
  readonly prompt: string
  readonly files: readonly ContextFile[]
  /** Excerpts that the index found for the task. */
  readonly retrieved: readonly Excerpt[]
  readonly secretRule?: string
}

/** An edit that could not be applied: the reason, the attempted text, and the closest real lines. */
export type FailedEdit = {
  readonly path: string
  readonly reason: string
  readonly attempt?: string | undefined
  readonly closest?: string | undefined
}

export type RepairTask = {
  readonly prompt: string
  readonly plan: string
  readonly failures: readonly FailedEdit[]
  /** The last answer, if no edit was found in it. */
  readonly unparsedText?: string | null
  /** The current files that the failed edits are about. */
  readonly files: readonly ContextFile[]
  /** All existing paths, for edits of unknown files. */
  readonly paths?: readonly string[]
  readonly secretRule?: string
}

export type FixTask = {
  readonly prompt: string
  /** The current files, changed ones first. */
  readonly files: readonly ContextFile[]
  /** The condensed test output. */
  readonly tests: string
  /** One line per earlier attempt. */
  readonly attempts: readonly string[]
  /** Our hint for the next attempt. */
  readonly hint?: string | undefined
  readonly secretRule?: string
}

/** The first turn: plan, edits and summary. Refuses a task that does not fit. */
export function draftEditPrompt(nonce: Nonce, task: EditTask, roomTokens: number): PromptDraft {
  const excerpts = task.retrieved.map(({ path, lines, text }) =>
    fence(nonce, 'excerpt', text, { path, lines }),
  )
  return buildDraft(
    nonce,
    { ...task, system: buildRules(nonce, task.files), before: excerpts, after: [] },
    roomTokens,
  )
}

/** Asks again only for the edits that failed. */
export function draftRepairPrompt(nonce: Nonce, task: RepairTask, roomTokens: number): PromptDraft {
  const unread = task.unparsedText ?? null
  const system = `${buildRules(nonce, task.files)}\n\n${unread === null ? REPAIR_RULES : REWRITE_RULES}`
  const after = [
    fence(nonce, 'plan', truncate(task.plan, PLAN_CHARACTERS)),
    ...(unread === null ? [] : [fence(nonce, 'unread', truncate(unread, UNREAD_CHARACTERS))]),
    ...task.failures.flatMap((failure) => failureFences(nonce, failure)),
  ]
  const before = task.paths?.length ? [fence(nonce, 'outline', task.paths.join('\n'))] : []
  return buildDraft(nonce, { ...task, system, before, after }, roomTokens)
}

/** A later turn of a loop: the current files, the current failures, and one line per earlier attempt. */
export function draftFixPrompt(nonce: Nonce, task: FixTask, roomTokens: number): PromptDraft {
  const hint = task.hint === undefined ? '' : `\n\n${task.hint}`
  const system = `${buildRules(nonce, task.files)}\n\n${FIX_RULES}${hint}`
  const attempts = task.attempts.slice(-ATTEMPTS_SHOWN).map((line) => truncate(line, ATTEMPT_CHARACTERS))
  const after = [
    ...(attempts.length > 0 ? [fence(nonce, 'attempts', attempts.join('\n'))] : []),
    fence(nonce, 'tests', truncate(task.tests, TESTS_CHARACTERS)),
  ]
  return buildDraft(nonce, { ...task, system, before: [], after }, roomTokens)
}

const PLAN_CHARACTERS = 4_000
const ATTEMPT_CHARACTERS = 400
const ATTEMPTS_SHOWN = 8
const TESTS_CHARACTERS = 8_000
const QUOTE_CHARACTERS = 6_000
const UNREAD_CHARACTERS = 12_000
const OMITTED_NAMED_MAX = 50

type PromptParts = {
  readonly system: string
  /** The rule about secret placeholders, if there are any. */
  readonly secretRule?: string
  readonly prompt: string
  readonly files: readonly ContextFile[]
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Required parts come first; files share the remaining room. */
function buildDraft(nonce: Nonce, parts: PromptParts, roomTokens: number): PromptDraft {
  const task = fence(nonce, 'task', parts.prompt)
  const system = parts.secretRule ? `${parts.system}\n\n${parts.secretRule}` : parts.system
  const fixedTokens = [system, ...parts.before, ...parts.after, task]
    .map((text) => countTokens(text, nonce))
    .reduce((sum, tokens) => sum + tokens, 0)
  const left = roomTokens - fixedTokens
  if (left < 0) throw new ApiError('prompt_too_long', { promptTokens: fixedTokens, maxTokens: roomTokens })
  const { shown, report } = selectContextWithin(parts, left)
  const content = [
    ...parts.before,
    ...shown.map((file) => fileFence(nonce, file)),
    ...omittedFence(nonce, report.omitted),
    ...parts.after,
    task,
  ].join('\n\n')
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content },
    ],
    promptTokens: countTokens(system, nonce) + countTokens(content, nonce),
    context: report,
  }
}

// Upper bound for eight random characters and their separators.
const NONCE_TOKENS = 13

/** Counts the nonce at a fixed size, because its characters are random. */
function countTokens(text: string, nonce: Nonce): number {
  const pieces = text.split(nonce)
  return estimateMaxTokens(pieces.join('')) + NONCE_TOKENS * (pieces.length - 1)
}

/** The list of omitted files needs room only if there are any. */
function selectContextWithin({ files, prompt }: PromptParts, roomTokens: number) {
  const sizes = measureFiles(files)
  const first = selectContext(files, prompt, roomTokens, sizes)
  if (first.report.omitted.length === 0) return first
  const names = files.slice(0, OMITTED_NAMED_MAX).map(({ path }) => path)
  const listTokens = estimateMaxTokens(names.join('\n')) + 20 * names.length
  return selectContext(files, prompt, Math.max(0, roomTokens - listTokens), sizes)
}

function fileFence(nonce: Nonce, { path, text, lines, shownLines }: ShownFile): string {
  return fence(
    nonce,
    'file',
    text,
    shownLines === lines ? { path } : { path, lines: `1-${shownLines} of ${lines}` },
  )
}

function omittedFence(nonce: Nonce, omitted: readonly Omission[]): string[] {
  if (omitted.length === 0) return []
  const lines = omitted
    .slice(0, OMITTED_NAMED_MAX)
    .map(({ path, lines, shownLines }) =>
      shownLines === 0 ? `${path}: not shown` : `${path}: lines 1-${shownLines} of ${lines} shown`,
    )
  const more = omitted.length - lines.length
  return [
    fence(nonce, 'omitted', [...lines, ...(more > 0 ? [`and ${more} more, not shown`] : [])].join('\n')),
  ]
}

function failureFences(nonce: Nonce, { path, reason, attempt, closest }: FailedEdit): string[] {
  return [
    fence(
      nonce,
      'failed',
      attempt === undefined ? reason : `${reason}\n${truncate(attempt, QUOTE_CHARACTERS)}`,
      {
        path,
      },
    ),
    ...(closest === undefined
      ? []
      : [fence(nonce, 'closest', truncate(closest, QUOTE_CHARACTERS), { path })]),
  ]
}

const truncate = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n(cut here)`
