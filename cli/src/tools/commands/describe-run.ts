// Describes the end of a command and what it changed, for the model and for the terminal.
import { toPlainText } from '@cowrie/workspace/text/plain-text.ts'
import { whySensitive } from '../../apply/files/sensitive.ts'
import { diffOf, patchOf } from '../../diff/unified.ts'
import type { Line } from '../../terminal/line.ts'
import type { ProcessResult } from './run-process.ts'
import type { CommandChanges } from './snapshot.ts'

const PATCHES_MAX = 50
const PATCH_CHARACTERS_MAX = 60_000

export function describeResult(
  { outcome, exitCode, signal, durationMs, reason }: ProcessResult,
  seconds: number,
): string {
  const took = `${(durationMs / 1_000).toFixed(1)} s`
  switch (outcome) {
    case 'exited':
      return exitCode === null
        ? `The command was ended by ${signal ?? 'a signal'} after ${took}.`
        : `The command ended with exit code ${exitCode} after ${took}.`
    case 'timed_out':
      return `The command was stopped: it did not end within ${seconds} s.`
    case 'stopped':
      return 'The user stopped the command.'
    case 'flooded':
      return `The command was stopped after ${took}: it printed too much.`
    case 'failed':
      return `The command did not run: ${toPlainText(reason ?? 'it could not be started').slice(0, 500)}.`
  }
}

const PATHS_NAMED = 20

export function describeChanges(changes: CommandChanges | null, doubt: string | null): string[] {
  if (changes === null)
    return [
      `Which files it changed is not known${doubt === null ? '' : ` (${toPlainText(doubt).slice(0, 200)})`}, so undo does not cover it.`,
    ]
  const { steps, uncovered } = changes
  const named = (paths: readonly string[]) =>
    `${paths.slice(0, PATHS_NAMED).map(toPlainText).join(', ')}${paths.length > PATHS_NAMED ? ` and ${paths.length - PATHS_NAMED} more` : ''}`
  const sensitive = [...steps.map(({ path }) => path), ...uncovered].filter((path) =>
    whySensitive(path)?.startsWith('can run'),
  )
  return [
    ...(steps.length > 0 ? [`It changed: ${named(steps.map(({ path }) => path))}.`] : []),
    ...(uncovered.length > 0 ? [`It also changed files that undo does not cover: ${named(uncovered)}.`] : []),
    ...(sensitive.length > 0
      ? [`Some of these can run automatically on this computer: ${named(sensitive)}.`]
      : []),
  ]
}

export const describeDisarmed = (paths: readonly string[]): string =>
  `Git would have run programs outside of the sandbox that the settings of another repository name, so it was taken out of the index of git: ${paths.map(toPlainText).join(', ')}.`

export function summaryOf(result: ProcessResult, changes: CommandChanges | null): string {
  const took = `${(result.durationMs / 1_000).toFixed(1)} s`
  const count = changes === null ? 0 : changes.steps.length + changes.uncovered.length
  const changed = count === 0 ? '' : `, changed ${count === 1 ? '1 file' : `${count} files`}`
  const open =
    changes !== null && changes.uncovered.length > 0
      ? ` (undo does not cover ${changes.uncovered.length})`
      : ''
  const how =
    result.outcome === 'exited'
      ? result.exitCode === null
        ? `ended by ${result.signal ?? 'a signal'}`
        : `exit code ${result.exitCode}`
      : { timed_out: 'time limit', stopped: 'stopped', flooded: 'printed too much', failed: 'not started' }[
          result.outcome
        ]
  return `${how} after ${took}${changed}${open}`
}

export async function patchesOf(
  changes: CommandChanges | null,
  mask: (text: string) => string | Promise<string>,
): Promise<{ patches: { path: string; patch: string }[]; details: Line[] }> {
  const patches: { path: string; patch: string }[] = []
  const details: Line[] = []
  for (const { path, before, after } of (changes?.steps ?? []).slice(0, PATCHES_MAX)) {
    if (before?.encoding !== undefined || after?.encoding !== undefined) {
      details.push(`B ${path}`)
      continue
    }
    const toText = (state: typeof before) =>
      state && { text: state.text, isExecutable: (state.mode & 0o100) !== 0 }
    const diff = diffOf(path, toText(before), toText(after), 1_000)
    const patch = await mask(patchOf([diff]))
    details.push(
      `${{ create: 'A', update: 'M', delete: 'D' }[diff.action]} ${path}  +${diff.addedLines} -${diff.removedLines}`,
    )
    if (patch.length <= PATCH_CHARACTERS_MAX) patches.push({ path, patch })
  }
  return { patches, details }
}
