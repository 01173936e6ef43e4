// What a model gets to see of findings: the code around them and what the index has of their like. Nothing else of a file is
// looked at, and secrets are struck out of exactly what is shown.
import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'
import { runTask, TaskTimeout, task } from '../../platform/workers/workers.ts'
import type { Excerpt } from '../../repo-index/repo-index.ts'
import type { LocatedFinding } from '../findings/located-finding.ts'
import { CONTEXT_LINES_MAX, excerptRanges } from './excerpt.ts'
import { VerificationStopped } from './stop-reasons.ts'

export type NumberedFinding = { readonly id: string; readonly finding: LocatedFinding }

export type PromptMaterial = {
  readonly asked: readonly NumberedFinding[]
  /** What is told of each finding, in the order of `asked`. */
  readonly told: readonly string[]
  /** Lines of the change that may be shown, at their numbers; all others are blank. */
  readonly files: ReadonlyMap<string, readonly string[]>
  /** What the index has of the functions that are called. */
  readonly retrieved: readonly Excerpt[]
}

const MASK_MS = 5_000
const LINE_CHARACTERS = 500
const MASK = task<readonly string[], string[]>(new URL('./mask-task.ts', import.meta.url))

export type MaterialInput = {
  readonly asked: readonly NumberedFinding[]
  readonly files: ReadonlyMap<string, ScannedFile>
  readonly retrieved: readonly Excerpt[]
}

/** Throws `Stopped` when secrets cannot be struck out in time: then nothing is shown. */
export async function prepareMaterial(
  { asked, files, retrieved }: MaterialInput,
  limits: { readonly signal: AbortSignal; readonly owner: string },
): Promise<PromptMaterial> {
  const shown = [...relevantLines(asked)].flatMap(([path, about]) => {
    const file = files.get(path)
    return file ? [{ path, ...cutExcerpt(file.content, about) }] : []
  })
  const texts = [
    ...asked.map(({ finding }) => describeFinding(finding)),
    ...shown.map(({ lines }) => lines.join('\n')),
    ...retrieved.map(({ text }) => truncateLines(text)),
  ]
  const masked = await maskTexts(texts, limits)
  const maskedFiles = masked.slice(asked.length, asked.length + shown.length)
  const maskedExcerpts = masked.slice(asked.length + shown.length)
  return {
    asked,
    told: masked.slice(0, asked.length),
    files: new Map(shown.map(({ path, at }, index) => [path, placeLines(maskedFiles[index] ?? '', at)])),
    retrieved: retrieved.map((each, index) => ({ ...each, text: maskedExcerpts[index] ?? '' })),
  }
}

/** By path, the lines that findings are about: where they are, and what leads there. */
export function relevantLines(asked: readonly NumberedFinding[]): Map<string, number[]> {
  const about = new Map<string, number[]>()
  const add = (path: string, line: number) => about.set(path, [...(about.get(path) ?? []), line])
  for (const { finding } of asked) {
    add(finding.path, finding.line)
    for (const { path, at } of finding.flow) add(path, at.line)
  }
  return about
}

async function maskTexts(
  texts: readonly string[],
  limits: { readonly signal: AbortSignal; readonly owner: string },
): Promise<string[]> {
  try {
    return await runTask(MASK, texts, { ...limits, timeoutMs: MASK_MS })
  } catch (error) {
    if (error instanceof TaskTimeout) throw new VerificationStopped('too_slow')
    throw error
  }
}

type ExcerptLines = { readonly lines: readonly string[]; readonly at: readonly number[] }

/** With their numbers, so that they can be put back there. */
function cutExcerpt(content: string, about: readonly number[]): ExcerptLines {
  const all = content.split('\n')
  const at = excerptRanges(all, about, CONTEXT_LINES_MAX).flatMap(({ from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  )
  return { lines: at.map((line) => truncateLine(all[line - 1] ?? '')), at }
}

function placeLines(text: string, at: readonly number[]): string[] {
  const lines = Array<string>(at.at(-1) ?? 0).fill('')
  for (const [index, each] of text.split('\n').entries()) {
    const line = at[index]
    if (line !== undefined) lines[line - 1] = each
  }
  return lines
}

function describeFinding({
  ruleId,
  title,
  cwe,
  severity,
  path,
  line,
  message,
  snippet,
  flow,
}: LocatedFinding): string {
  const steps = flow.slice(0, STEPS_MAX).map((step) => `- ${step.path}:${step.at.line} ${step.what}`)
  const text = [
    `rule: ${ruleId} ${title} (CWE-${cwe}, ${severity})`,
    `what can happen: ${message}`,
    `place: ${path}:${line}`,
    `line: ${snippet}`,
    ...(steps.length > 0 ? ['flow:', ...steps] : []),
  ]
  return truncateLines(text.join('\n'))
}

const STEPS_MAX = 20

const truncateLines = (text: string): string => text.split('\n').map(truncateLine).join('\n')

const truncateLine = (text: string): string =>
  text.length > LINE_CHARACTERS ? `${text.slice(0, LINE_CHARACTERS)}…` : text
