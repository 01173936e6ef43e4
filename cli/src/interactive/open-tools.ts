// The tools of a session on this computer: files, commands, the to-do list, MCP servers and hooks.
import { join } from 'node:path'
import type { Client } from '@cowrie/sdk'
import { prefixLines, showPath, toPlainText } from '@cowrie/workspace/text/plain-text.ts'
import { repoOf } from '../code-index/repo-name.ts'
import type { Context } from '../command.ts'
import type { Toolbox, ToolGroup } from '../session/types.ts'
import { type Line, yellow } from '../terminal/line.ts'
import { createCommandTools, sandboxFolderIn } from '../tools/commands/command-tools.ts'
import { type Hooks, openHooks } from '../tools/hooks/hooks.ts'
import { withHooks } from '../tools/hooks/with-hooks.ts'
import { connectMcpServers } from '../tools/mcp/mcp-tools.ts'
import { openToolbox } from '../tools/open-toolbox.ts'
import { createTodoTools } from '../tools/todo/todo-tools.ts'
import type { LocalGroup } from '../tools/tool-group.ts'
import { trustFileIn } from '../tools/trust/trusted-file.ts'
import { hashOf } from './root.ts'

type Options = {
  readonly root: string
  /** The state folder of the session. */
  readonly folder: string
  readonly client: Client
  readonly isDataSaver: boolean
  /** Whether the user agrees to start what a file of the repository names. */
  readonly ask: (title: Line, body: readonly Line[]) => Promise<boolean>
  readonly print: (lines: readonly Line[]) => void
  readonly explore: ToolGroup
}

export type OpenTools = { readonly toolbox: Toolbox; readonly hooks: Hooks }

export async function openTools(context: Context, options: Options): Promise<OpenTools> {
  const { root, folder, client, isDataSaver, ask, print } = options
  const { env, paths, machine, values, config } = context
  const home = env.HOME ?? env.USERPROFILE ?? null
  const rootHash = hashOf(root)
  const commands = createCommandTools({
    root,
    gitFolder: paths.repository?.gitFolder ?? null,
    folder: join(folder, 'commands'),
    env,
    home,
    platform: machine.platform,
    sandboxFolder: sandboxFolderIn(paths.cache ?? folder, rootHash),
    hidden: [paths.config, paths.state].filter((path) => path !== null),
    isNetworkAllowed: () => values.network === true,
    isDataSaver,
  })
  const around = {
    root,
    env,
    home,
    sandbox: commands.sandbox,
    trust: { stateFile: paths.state && trustFileIn(paths.state, rootHash), ask },
    onNote: (note: string) => print([[yellow(note)]]),
  }
  const own = (name: string) => paths.config && join(paths.config, name)
  const hooks = await openHooks({ ...around, userFile: own('hooks.json') })
  const mcp = await connectMcpServers({ ...around, userFile: own('mcp.json'), isDataSaver })
  const groups: LocalGroup[] = [withHooks(commands, hooks), createTodoTools(folder), options.explore, mcp]
  const toolbox = await openToolbox({
    root,
    folder,
    env,
    home,
    isDataSaver,
    exclude: config.exclude ?? [],
    meaning: (query) => searchIndex(context, client, query),
    groups,
    wrapFiles: (files) => withHooks(files, hooks),
    onNote: around.onNote,
  })
  return { toolbox, hooks }
}

const HITS = 8
const NOTE =
  'From the index of the repository, which may be older than the files: read a file before you edit it.'

/** The index of the organisation, which only knows what was pushed. Empty without a match. */
async function searchIndex(context: Context, client: Client, query: string): Promise<string> {
  const repo = await repoOf(context)
  const { hits } = await client.index.search({ ...(repo !== undefined && { repo }), query, limit: HITS })
  const blocks = hits.map(
    ({ path, startLine, content }) =>
      `${showPath(path)}:${startLine}\n${prefixLines(toPlainText(content.trimEnd()), '  | ')}`,
  )
  return blocks.length === 0 ? '' : [NOTE, ...blocks].join('\n')
}
