// Opens what a session works with: the transport, the tools of this computer, and the session itself. Each part is loaded when it
// is needed, so that the prompt appears at once.
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import type { SessionTransport } from '../session/transport.ts'
import type { Session, TurnOutcome } from '../session/types.ts'
import type { Line } from '../terminal/line.ts'
import type { Hooks } from '../tools/hooks/hooks.ts'
import type { WorkRoot } from './root.ts'
import type { OpenSession, SessionWish, Work } from './work.ts'

export type WorkOptions = {
  readonly folder: WorkRoot
  /** The key of a sign-in just now; null for the key of the context. */
  readonly key: string | null
  /** Whether the user agrees, such as to a file of the repository that starts programs. */
  readonly ask: (title: Line, body: readonly Line[]) => Promise<boolean>
  readonly print: (lines: readonly Line[]) => void
}

export function openWork(context: Context, options: WorkOptions): Work {
  const { folder, key } = options
  const transport = createLazyTransport()
  const client = context.connectOver(transport.fetch, key ?? undefined)
  const isDataSaver = context.values['data-saver'] === true || context.config.dataSaver === true
  /** Stored sessions that the service does not know for this account. */
  const gone = new Set<string>()
  return {
    root: folder.root,
    name: folder.name,
    baseUrl: context.baseUrl,
    client,
    isDataSaver,
    bytes: () => transport.bytes(),
    async stored() {
      const { listSessions } = await import('../session/stored.ts')
      const { sessions, damaged } = await listSessions(context.paths, folder.root)
      if (damaged.length > 0)
        options.print(damaged.map((path) => `The state of a session cannot be read: ${path}`))
      return sessions.filter(
        ({ taskId, baseUrl }) => !gone.has(taskId) && (baseUrl === undefined || baseUrl === context.baseUrl),
      )
    },
    async open(wish) {
      try {
        return await openParts(context, options, { wish, client, transport, isDataSaver })
      } catch (error) {
        if (wish.taskId !== null && error instanceof Failure && error.code === 'session_gone')
          gone.add(wish.taskId)
        throw error
      }
    },
    close: () => transport.close(),
  }
}

/** Loaded with the first call: HTTP takes longer to load than everything before the prompt. */
function createLazyTransport() {
  let loaded: Promise<SessionTransport> | null = null
  let transport: SessionTransport | null = null
  const load = (): Promise<SessionTransport> => {
    loaded ??= import('../session/transport.ts').then(({ createTransport }) => {
      transport = createTransport()
      return transport
    })
    return loaded
  }
  const send: typeof fetch = async (input, init) => (await load()).fetch(input, init)
  return {
    fetch: send,
    bytes: () => transport?.bytes() ?? { up: 0, down: 0 },
    close: async () => (await loaded)?.close(),
  }
}

type Parts = {
  readonly wish: SessionWish
  readonly client: Work['client']
  readonly transport: { bytes(): { readonly up: number; readonly down: number } }
  readonly isDataSaver: boolean
}

async function openParts(
  context: Context,
  { folder, ask, print }: WorkOptions,
  { wish, client, transport, isDataSaver }: Parts,
): Promise<OpenSession> {
  const { paths } = context
  const { root } = folder
  const [{ openSession }, { createExploreTool }, { listSessions, newToolsFolder }, { openTools }] =
    await Promise.all([
      import('../session/open-session.ts'),
      import('../session/explore.ts'),
      import('../session/stored.ts'),
      import('./open-tools.ts'),
    ])
  const { sessions } = await listSessions(paths, root)
  const stored = sessions.find(({ taskId }) => taskId === wish.taskId)
  const toolsFolder = stored?.toolsFolder ?? newToolsFolder(paths, root)
  const explore = createExploreTool()
  const { toolbox, hooks } = await openTools(context, {
    root,
    folder: toolsFolder,
    client,
    isDataSaver,
    ask,
    print,
    explore,
  })
  let session: Session | null = null
  try {
    session = await openSession({
      client,
      toolbox,
      root,
      baseUrl: context.baseUrl,
      account: wish.account,
      paths,
      ...(wish.taskId !== null && { taskId: wish.taskId }),
      model: wish.model,
      budgetMinor: wish.budgetMinor,
      workspaceName: folder.name,
      isDataSaver,
      bytes: () => transport.bytes(),
      currency: wish.currency,
      explore,
      toolsFolder,
    })
    const { output } = await hooks.run('session_start', { taskId: session.taskId })
    return { session, toolbox, startOutput: output, afterTurn: (outcome) => runAfterTurn(hooks, outcome) }
  } catch (error) {
    await session?.close()
    await toolbox.close()
    throw error
  }
}

/** The words of a hook that objects, for the model. */
async function runAfterTurn(hooks: Hooks, { turnId, stopReason }: TurnOutcome): Promise<string | null> {
  return (await hooks.run('after_turn', { turnId, stopReason })).blocked
}
