// Shows the diff and asks what to do.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../command.ts'
import { showInPager } from '../diff/pager.ts'
import { diffOf, type FileDiff, patchOf } from '../diff/unified.ts'
import { rowOf, totalsOf, viewOf } from '../diff/view.ts'
import { Failure } from '../errors.ts'
import type { Line } from '../terminal/line.ts'
import { textOf } from './files/undo-records.ts'
import type { Change } from './plan.ts'

/** The changes to apply, or the path of the saved patch. */
export type Decision = { readonly chosen: readonly Change[] } | { readonly savedTo: string }

const NAMES_MAX = 100

export const diffOfChange = ({ path, before, after }: Change): FileDiff =>
  diffOf(path, textOf(before), textOf(after))

/** One line per file, and the totals. */
export function summaryOf(changes: readonly Change[]): Line[] {
  const diffs = changes.map(diffOfChange)
  return [
    ...diffs.map((diff, index) => rowOf(diff, changes[index]?.isMerged ? 'merged with your changes' : '')),
    totalsOf(diffs),
  ]
}

export async function confirmChanges(
  context: Context,
  id: string,
  changes: readonly Change[],
): Promise<Decision> {
  await show(context, [...changes.flatMap((change) => viewOf(diffOfChange(change))), ...summaryOf(changes)])
  const answer = await context.ask.choose(
    'Apply?',
    [
      { key: 'y', label: 'yes' },
      { key: 'n', label: 'no' },
      { key: 'e', label: 'each file' },
      { key: 's', label: 'save patch' },
    ],
    '--yes to apply, or --dry-run to look',
  )
  if (answer === 's') return { savedTo: await savePatch(context, id, changes) }
  if (answer === 'e') return { chosen: await chooseEach(context, changes) }
  return { chosen: answer === 'y' ? changes : [] }
}

async function chooseEach(context: Context, changes: readonly Change[]): Promise<Change[]> {
  const chosen: Change[] = []
  for (const change of changes) {
    await show(context, viewOf(diffOfChange(change)))
    if (await context.ask.yes(`Apply to ${change.path}?`)) chosen.push(change)
  }
  return chosen
}

/** On standard error, with the question. */
async function show(context: Context, lines: readonly Line[]): Promise<void> {
  if (await showInPager(context, lines)) return
  for (const line of lines) context.out.complain(line)
}

/** A new file in the current folder. */
async function savePatch({ paths, out }: Context, id: string, changes: readonly Change[]): Promise<string> {
  const patch = patchOf(changes.map(diffOfChange))
  for (let number = 1; number <= NAMES_MAX; number++) {
    const path = join(paths.cwd, `cowrie-${id}${number === 1 ? '' : `-${number}`}.patch`)
    try {
      await writeFile(path, patch, { flag: 'wx' })
      out.note(`Saved as ${path}. Apply it with "cowrie apply --patch ${path}".`)
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  throw new Failure('not_saved', `There are already ${NAMES_MAX} patches of ${id} here.`)
}
