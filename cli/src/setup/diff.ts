// The diff of a setup. Keys and other secrets are masked, because terminals are shared and recorded.
import { findSecrets } from '@cowrie/sdk/secrets'
import { diffOf, type FileDiff } from '../diff/unified.ts'
import { viewOf } from '../diff/view.ts'
import type { Output } from '../terminal/output.ts'
import type { FilePlan } from './plan.ts'

const OWN_KEY = /\b(csk_[A-Za-z0-9]{0,12})[A-Za-z0-9_-]+/g
const NAMED_SECRET =
  /((?:api[_-]?key|token|secret|password|bearer)\w*["']?\s*[:=]\s*)(["']?)(?!csk_)[^\s"',]{6,}\2/gi

export function masked(line: string): string {
  const named = line.replace(OWN_KEY, '$1…').replace(NAMED_SECRET, '$1$2…$2')
  return findSecrets(named).reduceRight(
    (text, { start, end }) => `${text.slice(0, start)}…${text.slice(end)}`,
    named,
  )
}

export function showDiff(plans: readonly FilePlan[], out: Output): void {
  for (const { name, present, write } of plans)
    for (const line of viewOf(maskedDiff(name, present.text, write.text))) out.note(line)
}

function maskedDiff(name: string, before: string | null, after: string | null): FileDiff {
  const textOf = (text: string | null) => (text === null ? null : { text, isExecutable: false })
  const diff = diffOf(name.replace(/^\/+/, ''), textOf(before), textOf(after))
  return { ...diff, lines: diff.lines.map(masked) }
}

/** Whether any file would change. */
export const hasChanges = (plans: readonly FilePlan[]): boolean =>
  plans.some(({ present, write }) => present.text !== write.text)
