// The material of a prompt: findings, the code around them and related code from the index. Secrets are masked in all of it.
import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'
import { runTask, TaskTimeout, task } from '../../platform/workers/workers.ts'
import type { Excerpt } from '../../repo-index/repo-index.ts'
import type { TrackedFinding } from '../findings/tracked-finding.ts'
import { CONTEXT_LINES_MAX, excerptRanges } from './excerpt.ts'
import { VerificationStopped } from './stop-reasons.ts'

export type NumberedFinding = { readonly id: string; readonly finding: TrackedFinding }

export type PromptMaterial = {
  readonly findings: readonly NumberedFinding[]
  /** The description of each finding, in the same order. */
  readonly descriptions: readonly string[]
  /** Lines of the changed files at their numbers. Lines outside the excerpts are blank. */
  readonly files: ReadonlyMap<string, readonly string[]>
  /** Related code from the index. */
  readonly retrieved: readonly Excerpt[]
}

const MASK_MS = 5_000
const LINE_CHARACTERS = 500
const MASK = task<readonly string[], string[]>(new URL('./mask-task.ts', import.meta.url))

export type MaterialInput = {
  readonly findings: readonly NumberedFinding[]
  readonly files: ReadonlyMap<string, ScannedFile>
  readonly retrieved: readonly Excerpt[]
}

/** Throws `VerificationStopped` if masking times out, so that unmasked text never reaches the model. */
export async function prepareMaterial(
  { findings, files, retrieved }: MaterialInput,
  limits: { readonly signal: AbortSignal; readonly owner: string },
): Promise<PromptMaterial> {
  const shown = [...relevantLines(findings)].flatMap(([path, lineNumbers]) => {
    const file = files.get(path)
    return file ? [{ path, ...cutExcerpt(file.content, lineNumbers) }] : []
  })
  const texts = [
    ...findings.map(({ finding }) => describeFinding(finding)),
    ...shown.map(({ lines }) => lines.join('\n')),
    ...retrieved.map(({ text }) => truncateLines(text)),
  ]
  const masked = await maskTexts(texts, limits)
  const maskedFiles = masked.slice(findings.length, findings.length + shown.length)
  const maskedExcerpts = masked.slice(findings.length + shown.length)
  return {
    findings,
    descriptions: masked.slice(0, findings.length),
    files: new Map(shown.map(({ path, at }, index) => [path, placeLines(maskedFiles[index] ?? '', at)])),
    retrieved: retrieved.map((each, index) => ({ ...each, text: maskedExcerpts[index] ?? '' })),
  }
}

/** The lines of the findings and of their data flows, by path. */
export function relevantLines(findings: readonly NumberedFinding[]): Map<string, number[]> {
  const lineNumbers = new Map<string, number[]>()
  const add = (path: string, line: number) => lineNumbers.set(path, [...(lineNumbers.get(path) ?? []), line])
  for (const { finding } of findings) {
    add(finding.path, finding.line)
    for (const { path, at } of finding.flow) add(path, at.line)
  }
  return lineNumbers
}

/** Throws `VerificationStopped` after a timeout. */
export async function maskTexts(
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

/** The excerpted lines with their numbers. */
function cutExcerpt(content: string, lineNumbers: readonly number[]): ExcerptLines {
  const all = content.split('\n')
  const at = excerptRanges(all, lineNumbers, CONTEXT_LINES_MAX).flatMap(({ from, to }) =>
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
}: TrackedFinding): string {
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
