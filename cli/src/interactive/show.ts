// Shows the prompt of a session at once. Everything else is loaded behind it.
import type { EarlyContext } from '../command.ts'
import { textOf } from '../command.ts'
import { bold, dim, type Line } from '../terminal/line.ts'
import type { Screen, ScreenOptions } from '../terminal/screen-types.ts'
import { chooseTheme } from '../terminal/theme.ts'
import { approveMode } from './approve-mode.ts'
import { findRoot, hashOf, type WorkRoot } from './root.ts'
import { statusParts } from './status-line.ts'

export async function showSession(context: EarlyContext): Promise<Screen> {
  const { paths, env, values, machine, config } = context
  // A wrong option is reported before the screen opens.
  approveMode(context)
  const folder = findRoot(paths, env)
  const history = loadedHistory(context, folder)
  const screen = await machine.openScreen({
    theme: context.out.mode.color ? chooseTheme(env, config.theme) : 'none',
    isPlain: values.plain === true || config.plain === true || env.TERM === 'dumb',
    history,
    complete: loadedCompletion(context, folder),
    env,
  })
  if (isReady(context, folder)) greet(context, screen, folder)
  void history.load()
  return screen
}

/** Whether the session needs no question before its prompt. */
export const isReady = ({ hasKey }: Pick<EarlyContext, 'hasKey'>, { kind }: WorkRoot): boolean =>
  hasKey && kind === 'repository'

export function greet(context: EarlyContext, screen: Screen, { name, root }: WorkRoot): void {
  const { env, values, config } = context
  const home = env.HOME
  const lines: Line[] = [
    [
      bold('cowrie'),
      ` in ${name} `,
      dim(home && root.startsWith(`${home}/`) ? `~${root.slice(home.length)}` : root),
    ],
    [dim('Write what you need. /help shows the commands, Esc stops a turn, Ctrl-D quits.')],
  ]
  const status = statusParts({
    bytes: { up: 0, down: 0 },
    model: chosenModel(context),
    isPlanning: values.plan === true,
    mode: approveMode({ values, config }),
  })
  screen.greet(lines, status)
}

export const chosenModel = ({ values, config }: Pick<EarlyContext, 'values' | 'config'>): string | null =>
  textOf(values, 'model') ?? config.model ?? config.lane ?? null

type History = ScreenOptions['history']

/** Empty until it is loaded. Messages that are sent before wait for it. */
function loadedHistory({ paths }: EarlyContext, { root }: WorkRoot): History & { load(): Promise<History> } {
  let loaded: History | null = null
  const load = async () => {
    const { openHistory } = await import('./message-history.ts')
    loaded ??= openHistory(paths, hashOf(root))
    return loaded
  }
  return {
    load,
    get messages() {
      return loaded?.messages ?? []
    },
    add: (message) => void load().then((history) => history.add(message)),
  }
}

function loadedCompletion(context: EarlyContext, { root }: WorkRoot): ScreenOptions['complete'] {
  let complete: ScreenOptions['complete'] | null = null
  return async (typed) => {
    const { createCompletion } = await import('./complete.ts')
    complete ??= createCompletion(context, root)
    return complete(typed)
  }
}
