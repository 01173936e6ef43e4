// /diff, /undo, /revert and /todo: what the agent changed on this computer.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../errors.ts'
import type { Undone } from '../../session/types.ts'
import { diffLines } from '../../terminal/diff-lines.ts'
import { cyan, dim, green, type Line, yellow } from '../../terminal/line.ts'
import { rowsOf, totalsOf } from '../changes.ts'
import type { TerminalSession } from '../terminal-session.ts'
import { countText } from '../units.ts'
import type { SlashCommand } from './command.ts'

const DIFF_LINES_MAX = 1_000
const NO_CHANGES = 'This session has no changes.'

export const diff: SlashCommand = {
  name: 'diff',
  usage: '[path]',
  summary: 'Show what this session changed.',
  async run({ screen, open }, rest) {
    const all = (await open?.toolbox.changes()) ?? []
    const changes = rest === '' ? all : all.filter(({ path }) => path === rest.replace(/^@/, ''))
    if (changes.length === 0) {
      screen.print([rest === '' ? NO_CHANGES : `This session did not change ${rest}.`])
      return undefined
    }
    const lines = changes.flatMap(({ patch }) => diffLines(patch))
    const left = lines.length - DIFF_LINES_MAX
    screen.print([
      ...lines.slice(0, DIFF_LINES_MAX),
      ...(left > 0 ? [[dim(`… ${left} more lines; "/diff <path>" shows one file`)]] : []),
      ...rowsOf(totalsOf(changes)),
    ])
    return undefined
  },
}

export const undo: SlashCommand = {
  name: 'undo',
  summary: 'Take back the changes of the last turn that changed files.',
  async run(terminal) {
    const { open, screen } = terminal
    if (!open || (await open.toolbox.changes()).length === 0) {
      screen.print([`${NO_CHANGES} /resume opens an earlier one.`])
      return undefined
    }
    report(terminal, await open.toolbox.undo('last'))
    return undefined
  },
}

export const revert: SlashCommand = {
  name: 'revert',
  usage: '[turn]',
  summary: 'Restore the files as they were before a turn.',
  async run(terminal, rest) {
    const { open, screen } = terminal
    const changes = (await open?.toolbox.changes()) ?? []
    const turnIds = [...new Set(changes.map(({ turnId }) => turnId))]
    if (!open || turnIds.length === 0) {
      screen.print([NO_CHANGES])
      return undefined
    }
    const numbered = turnIds.map((turnId, index) => ({
      turnId,
      label: `${promptOf(terminal, turnId) ?? `change ${index + 1}`} (${countText(filesOf(changes, turnId), 'file')})`,
    }))
    const chosen =
      rest === ''
        ? await screen.choose({
            title: 'Restore the files as they were before which turn?',
            choices: numbered.map(({ turnId, label }, index) => ({
              key: String(index + 1),
              label,
              value: turnId,
            })),
          })
        : turnIds[Number(rest) - 1]
    if (chosen === undefined) throw new UsageError(`"${rest}" is no turn. /revert lists them.`)
    if (chosen !== null) report(terminal, await open.toolbox.undo(chosen))
    return undefined
  },
}

const filesOf = (changes: readonly { turnId: string; path: string }[], turnId: string): number =>
  new Set(changes.filter((each) => each.turnId === turnId).map(({ path }) => path)).size

const promptOf = ({ turns }: TerminalSession, turnId: string): string | undefined =>
  turns
    .find(({ outcome }) => outcome.turnId === turnId)
    ?.prompt.replace(/\s+/g, ' ')
    .slice(0, 60)

/** The model reads files again only if it knows that they changed. */
function report(terminal: TerminalSession, { restored, conflicts }: Undone): void {
  const lines: Line[] = []
  if (restored.length > 0) {
    const isThere = (path: string) => existsSync(join(terminal.work.root, path))
    const removed = restored.filter((path) => !isThere(path))
    if (restored.length > removed.length)
      lines.push([green('Restored '), restored.filter(isThere).join(', ')])
    if (removed.length > 0) lines.push([green('Removed '), removed.join(', ')])
    terminal.facts.push(
      `[The user took back changes of yours. These files are as they were before: ${restored.join(', ')}.]`,
    )
  }
  if (conflicts.length > 0)
    lines.push([yellow('Left alone, because they changed since: '), conflicts.join(', ')])
  terminal.screen.print(lines.length > 0 ? lines : [NO_CHANGES])
}

const MARKS = { open: '☐', active: '▸', done: '☑' } as const

export const todo: SlashCommand = {
  name: 'todo',
  summary: 'Show the to-do list of the agent.',
  async run({ screen, open }) {
    const todos = open?.toolbox.todos() ?? []
    screen.print(
      todos.length === 0
        ? ['The agent has no to-do list.']
        : todos.map(
            ({ text, state }): Line => [
              state === 'active' ? cyan(`${MARKS[state]} `) : `${MARKS[state]} `,
              state === 'done' ? dim(text) : text,
            ],
          ),
    )
    return undefined
  },
}
