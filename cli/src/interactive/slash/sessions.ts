// /resume, /tasks, /clear, /web and /compact: the conversation itself.
import { bold, dim, type Line } from '../../terminal/line.ts'
import { table } from '../../terminal/table.ts'
import { showError } from '../show-error.ts'
import { continueTurn, run as follow, takeMessage } from '../take-turn.ts'
import type { TerminalSession } from '../terminal-session.ts'
import { type ListedSession, pageOf } from '../work.ts'
import type { SlashCommand } from './command.ts'

const LISTED_MAX = 20

export const resume: SlashCommand = {
  name: 'resume',
  usage: '[id]',
  summary: 'Continue an earlier session of this folder.',
  async run(terminal, rest) {
    const { screen, work, open } = terminal
    if (rest !== '') await switchTo(terminal, rest)
    else if (open?.session.openTurnId != null) await continueTurn(terminal, open.session)
    else {
      await terminal.currency()
      const others = (await work.stored())
        .filter(
          ({ taskId, account = terminal.account }) =>
            taskId !== open?.session.taskId && account === terminal.account,
        )
        .slice(0, LISTED_MAX)
      if (others.length === 0) {
        screen.print(['There are no other sessions of this folder.'])
        return undefined
      }
      const chosen = await screen.choose({
        title: 'Which session?',
        choices: others.map((each, index) => ({
          key: String(index + 1),
          label: rowOf(terminal, each),
          value: each.taskId,
        })),
        ...(others[0] && { usual: others[0].taskId }),
      })
      if (chosen !== null) await switchTo(terminal, chosen)
    }
    return undefined
  },
}

const rowOf = (
  terminal: TerminalSession,
  { title, usedAt, spentMinor, isOpen, isBusy }: ListedSession,
): string =>
  [
    usedAt.slice(0, 16).replace('T', ' '),
    title || '(no title)',
    terminal.money(spentMinor),
    ...(isBusy ? ['in another terminal'] : isOpen ? ['open'] : []),
  ].join('  ')

/** Opens a stored session and continues its open turn. */
export async function switchTo(
  terminal: TerminalSession,
  taskId: string,
  notes: readonly Line[] = [],
): Promise<void> {
  const { screen } = terminal
  screen.setActivity('Opening the session')
  try {
    await terminal.currency()
    const { session } = await terminal.switchTo(taskId)
    screen.setActivity(null)
    terminal.showStatus()
    screen.print([...notes, ['Continuing "', bold(session.title || taskId), '".'], ...session.notices])
    if (session.openTurnId !== null) await continueTurn(terminal, session)
  } finally {
    screen.setActivity(null)
  }
}

export const tasks: SlashCommand = {
  name: 'tasks',
  summary: 'List your tasks, also those of the web.',
  async run(terminal) {
    const { screen, work, open } = terminal
    const currency = terminal.currency()
    const { tasks: found } = await work.client.tasks.list({ mine: true, limit: LISTED_MAX })
    await currency
    // The service lists the searches of a session apart. Sessions of this folder know what they cost together.
    const known = new Map((await work.stored()).map(({ taskId, spentMinor }) => [taskId, spentMinor]))
    if (open) known.set(open.session.taskId, open.session.meter.spentMinor)
    const rows = found.map(({ title, status, workspace, spentMinor, updatedAt, id }) => [
      title || '(no title)',
      workspace.kind === 'client'
        ? workspace.name
        : workspace.kind === 'repository'
          ? workspace.repository
          : 'files',
      status,
      terminal.money(max(spentMinor, known.get(id) ?? 0n)),
      updatedAt.slice(0, 16).replace('T', ' '),
      id,
    ])
    screen.print(rows.length > 0 ? table(TASK_COLUMNS, rows, screen.columns() - 1) : ['You have no tasks.'])
    screen.print([[dim(`${work.baseUrl}/app/tasks`)]])
    return undefined
  },
}

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)

const TASK_COLUMNS = [
  { title: 'task' },
  { title: 'where' },
  { title: 'status' },
  { title: 'cost', right: true },
  { title: 'updated' },
  { title: 'id' },
]

export const clear: SlashCommand = {
  name: 'clear',
  summary: 'Start a new session. The old one stays for /resume.',
  async run(terminal) {
    await terminal.leave()
    terminal.screen.print(['A new session starts with your next message.'])
    return undefined
  },
}

export const compact: SlashCommand = {
  name: 'compact',
  usage: '[message]',
  summary: 'Replace the conversation by a summary before the next turn, which then costs less.',
  async run(terminal, rest) {
    terminal.isCompacting = true
    if (rest !== '') await takeMessage(terminal, rest, terminal.isPlanning ? 'plan' : 'work')
    else terminal.screen.print(['A summary replaces the conversation before your next message.'])
    return undefined
  },
}

/** Between two looks at the task, while nothing runs. */
const POLL_MS = 3_000
const POLL_MS_SAVER = 15_000

export const web: SlashCommand = {
  name: 'web',
  summary: 'Show the page of this session in the app, and work on what is sent from there.',
  async run(terminal) {
    const { screen, work, open, context } = terminal
    if (!open) {
      screen.print(['The session starts with your first message.', `${work.baseUrl}/app/tasks`])
      return undefined
    }
    const { session } = open
    screen.print([
      pageOf(work.baseUrl, session.taskId),
      [dim('Messages from there run on this computer. Press Esc to write here again.')],
    ])
    await screen.during(async (signal) => {
      const pauseMs = work.isDataSaver ? POLL_MS_SAVER : POLL_MS
      while (!signal.aborted) {
        screen.setActivity('Waiting for a message from the web')
        try {
          await session.refresh()
          if (session.openTurnId !== null) await follow(terminal, session, null, signal)
          else await context.machine.sleep(pauseMs, signal)
        } catch (error) {
          if (signal.aborted) break
          showError(terminal, error)
          await context.machine.sleep(pauseMs, signal).catch(() => undefined)
        }
      }
      screen.setActivity(null)
    })
    return undefined
  },
}
