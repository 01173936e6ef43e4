// `cowrie` in a terminal, after its prompt is shown.
import type { Context } from '../command.ts'
import { textOf } from '../command.ts'
import { UsageError } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { dim, type Line } from '../terminal/line.ts'
import type { Screen } from '../terminal/screen-types.ts'
import { matchesPatterns } from '../tools/commands/command-rules.ts'
import { openApprovals } from './approvals.ts'
import { approveMode } from './approve-mode.ts'
import { openFirstKnown, openTurnsFirst } from './first-known.ts'
import { converse } from './loop.ts'
import { openWork } from './open-work.ts'
import { findRoot, hashOf, type WorkRoot } from './root.ts'
import { chosenModel, greet, isReady } from './show.ts'
import { outputTo, showError } from './show-error.ts'
import { switchTo } from './slash/sessions.ts'
import { TerminalSession } from './terminal-session.ts'

/** `taskId` names a stored session; `last` is the last used one; null starts a new one, after an open turn was continued. */
export async function startInteractive(context: Context, wanted: string | 'last' | null): Promise<void> {
  const { paths, env, values, config, screen } = context
  if (!screen) throw new Error('The screen of a session is opened before it.')
  const folder = findRoot(paths, env)
  let terminal: TerminalSession | null = null
  try {
    if (!(await confirmFolder(screen, folder))) return context.endWith(EXIT.cancelled)
    const key = context.hasKey ? null : await offerSignIn(context, screen)
    if (key === undefined) return context.endWith(EXIT.signIn)
    if (!isReady(context, folder)) greet(context, screen, folder)
    const work = openWork(context, {
      folder,
      key,
      ask: (title, body) => agrees(screen, title, body),
      print: (lines) => screen.print(lines),
    })
    terminal = new TerminalSession({
      context,
      screen,
      work,
      approvals: openApprovals({
        paths,
        rootHash: hashOf(folder.root),
        mode: approveMode(context),
        allowed: [],
        matches: matchesPatterns,
      }),
      model: chosenModel(context),
      budget:
        textOf(values, 'budget') ?? textOf(values, 'max-cost') ?? config.budget ?? config.maxCost ?? null,
      isPlanning: values.plan === true,
    })
    await openFirst(terminal, wanted)
    setImmediate(showBalance, terminal)
    await converse(terminal)
  } finally {
    await terminal?.leave().catch(() => undefined)
    await terminal?.work.close()
    screen.close()
  }
}

/** After the prompt is shown. Without a connection, the first message names the problem. */
function showBalance(terminal: TerminalSession): void {
  terminal.currency().then(
    () => terminal.showStatus(),
    () => undefined,
  )
}

const HOW_TO_LEAVE = 'Esc stops it, /clear starts another session.'

/** Continues what the user asked for, or a turn that a crash left open. */
async function openFirst(terminal: TerminalSession, wanted: string | 'last' | null): Promise<void> {
  const { screen, work } = terminal
  try {
    if (wanted !== null && wanted !== 'last') return await switchTo(terminal, wanted)
    const stored = await work.stored()
    const open = stored.filter(({ isOpen, isBusy }) => isOpen && !isBusy)
    const candidates = wanted === 'last' ? openTurnsFirst(stored) : open
    const opened = await openFirstKnown(
      work,
      candidates.map(({ taskId }) => taskId),
      async (taskId) => {
        const left = wanted === null && open.find((each) => each.taskId === taskId)
        const note = left && [`The last turn of "${left.title}" did not end. `, dim(HOW_TO_LEAVE)]
        await switchTo(terminal, taskId, note ? [note] : [])
        return taskId
      },
    )
    if (opened !== null) return
    if (wanted === 'last') screen.print(['There is no earlier session of this folder.'])
    const last = stored.find((each) => !candidates.includes(each))
    if (wanted === null && last) screen.print([[dim(`"/resume" continues "${last.title}".`)]])
  } catch (error) {
    showError(terminal, error)
  }
}

async function confirmFolder(screen: Screen, { root, kind }: WorkRoot): Promise<boolean> {
  if (kind === 'repository') return true
  const title: Line =
    kind === 'broad'
      ? `${root} is not a project: it contains your home folder. Work in it anyway?`
      : `${root} is not a git repository. Work in this folder?`
  const body: Line[] = [[dim('The agent can read its files. Changes can be taken back with /undo.')]]
  return agrees(screen, title, body)
}

async function agrees(screen: Screen, title: Line, body: readonly Line[]): Promise<boolean> {
  const chosen = await screen.choose({
    title,
    body,
    choices: [
      { key: 'y', label: 'yes', value: true },
      { key: 'n', label: 'no', value: false },
    ],
    usual: false,
  })
  return chosen === true
}

/** The key of a new sign-in; undefined when the user declines or it fails. */
async function offerSignIn(context: Context, screen: Screen): Promise<string | undefined> {
  const chosen = await screen.choose<'open' | 'code'>({
    title: `You are not signed in to ${context.baseUrl}. Sign in now?`,
    choices: [
      { key: 'y', label: 'yes, open the browser', value: 'open' },
      { key: 'c', label: 'yes, show only the address and the code', value: 'code' },
    ],
    usual: 'open',
  })
  if (chosen === null) {
    screen.print(['Sign in later with "cowrie auth login".'])
    return undefined
  }
  return screen.during(async (signal) => {
    const out = outputTo(screen)
    try {
      const { signInByBrowser } = await import('../auth/sign-in.ts')
      const { credential, me } = await signInByBrowser(
        { ...context, out, signal, ask: NO_QUESTIONS },
        { scopes: undefined, isOpened: chosen === 'open' },
      )
      screen.print([`Signed in as ${me?.email ?? credential.userId}.`])
      return credential.key
    } catch (error) {
      if (!signal.aborted) showError({ screen, context }, error)
      return undefined
    }
  })
}

/** The screen reads the keyboard, so a command must not. */
const NO_QUESTIONS: Context['ask'] = {
  isPossible: false,
  yes: async () => false,
  choose: async () => {
    throw new UsageError('No question is possible here.')
  },
  line: async () => null,
}
