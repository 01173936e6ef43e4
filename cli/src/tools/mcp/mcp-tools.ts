// The MCP servers of the user and of the repository as tools of a session.
import { join } from 'node:path'
import { prefixLines, toPlainOutput, toPlainText } from '@cowrie/workspace/text/plain-text.ts'
import type { ToolCall, ToolGroup, ToolReport } from '../../session/types.ts'
import { bold, type Line, verbatim, yellow } from '../../terminal/line.ts'
import { cutMiddle } from '../commands/bounded-output.ts'
import type { Environment } from '../commands/sandbox/environment.ts'
import type { Sandbox } from '../commands/sandbox/sandbox.ts'
import { isTrusted, readSmallFile, type Trust } from '../trust/trusted-file.ts'
import { McpError } from './connection.ts'
import { createMcpServer, type McpServer } from './mcp-server.ts'
import { type McpConfig, type McpServerConfig, readMcpConfig } from './server-config.ts'
import { type McpTool, readTool, resultText } from './tool-list.ts'

export type McpToolsOptions = {
  readonly root: string
  readonly env: Environment
  readonly home: string | null
  /** mcp.json of the user; null without a home folder. */
  readonly userFile: string | null
  readonly trust: Trust
  readonly sandbox: Sandbox
  readonly isDataSaver?: boolean
  /** A sentence for the user, such as about a server that does not start. */
  readonly onNote: (note: string) => void
  readonly startMs?: number
}

export type McpTools = ToolGroup & {
  running(): readonly { readonly kind: 'mcp'; readonly name: string; readonly state: string }[]
}

/** The service takes 64 tools; some are ours. */
const TOOLS_MAX = 56
const BYTES_MAX = 96_000
const OUTPUT_CHARACTERS_MAX = 24_000
const SAVER_CHARACTERS_MAX = 6_000
const INPUT_SHOWN_MAX = 2_000
const PROJECT_FILE = '.mcp.json'

/** Connects to all servers at once. One that fails is named by a note, and the others work. */
export async function connectMcpServers(options: McpToolsOptions): Promise<McpTools> {
  const configs = await readConfigs(options)
  const servers = configs.map((config) => createMcpServer(config, options))
  const tools = new Map<string, { server: McpServer; tool: McpTool }>()
  const taken = new Set<string>()
  let bytes = 0
  let leftOut = 0
  const lists = await Promise.allSettled(servers.map((server) => server.start()))
  for (const [index, server] of servers.entries()) {
    const list = lists[index]
    if (list === undefined || list.status === 'rejected') {
      options.onNote(
        `The MCP server ${server.config.name} does not work: ${toPlainText(String((list?.reason as Error | undefined)?.message))}.`,
      )
      continue
    }
    for (const entry of list.value) {
      const tool = readTool(server.config.name, entry, { isTrusted: server.config.source === 'user', taken })
      if (tool === null) continue
      const size = Buffer.byteLength(JSON.stringify(tool.definition))
      if (tools.size >= TOOLS_MAX || bytes + size > BYTES_MAX) leftOut += 1
      else {
        bytes += size
        tools.set(tool.definition.name, { server, tool })
      }
    }
  }
  if (leftOut > 0)
    options.onNote(`${leftOut} tools of MCP servers are left out: at most ${TOOLS_MAX} can be used.`)
  const charactersMax = options.isDataSaver ? SAVER_CHARACTERS_MAX : OUTPUT_CHARACTERS_MAX

  return {
    definitions: [...tools.values()].map(({ tool }) => tool.definition),
    names: [...tools.keys()],
    isReadOnly: (name) => tools.get(name)?.tool.definition.isReadOnly ?? false,
    running: () => servers.map((server) => ({ kind: 'mcp', name: server.config.name, state: server.state })),
    async assess(call) {
      const found = tools.get(call.tool)
      if (!found) return { kind: 'refused', reason: `There is no tool ${call.tool}.` }
      if (found.tool.definition.isReadOnly) return { kind: 'free' }
      return {
        kind: 'ask',
        about: 'tool',
        subject: call.tool,
        preview: previewOf(call, found),
        patterns: [call.tool],
      }
    },
    async run(call, { signal }) {
      const found = tools.get(call.tool)
      if (!found) return failure(`There is no tool ${call.tool}.`)
      return runTool(call, found, signal, charactersMax)
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

async function runTool(
  call: ToolCall,
  { server, tool }: { server: McpServer; tool: McpTool },
  signal: AbortSignal,
  charactersMax: number,
): Promise<ToolReport> {
  const { name } = server.config
  try {
    const result = await server.call(tool.original, call.input, signal)
    const text = cutMiddle(toPlainOutput(resultText(result)), charactersMax).trim()
    const ok = result.isError !== true
    const headline = `The MCP server ${name} ${ok ? 'answered' : 'reports an error'}${text === '' ? ' without text.' : ':'}`
    return {
      ok,
      output: text === '' ? headline : `${headline}\n${prefixLines(text)}`,
      summary: `${name}: ${ok ? `${text.length} characters` : 'error'}`,
    }
  } catch (error) {
    const isUnknown = error instanceof McpError && error.isUnknown
    return failure(
      `The MCP server ${name} failed: ${toPlainText((error as Error).message).slice(0, 2_000)}.${isUnknown ? ' It may have done what was asked: check before you call it again.' : ''}`,
    )
  }
}

const failure = (output: string): ToolReport => ({ ok: false, output, summary: output.slice(0, 200) })

function previewOf({ input }: ToolCall, { server, tool }: { server: McpServer; tool: McpTool }): Line[] {
  const { name, source } = server.config
  const shown = JSON.stringify(input, null, 2)
  const cut =
    shown.length > INPUT_SHOWN_MAX
      ? `${shown.slice(0, INPUT_SHOWN_MAX)}\n… ${shown.length - INPUT_SHOWN_MAX} more characters`
      : shown
  return [
    [
      bold(tool.original),
      ` of the MCP server ${name}${source === 'repository' ? ', which the repository names' : ''}. It can do anything that this server can.`,
    ],
    ...cut.split('\n').map((line): Line => [verbatim(line)]),
  ]
}

async function readConfigs(options: McpToolsOptions): Promise<readonly McpServerConfig[]> {
  const own = options.userFile === null ? null : readFileOf(options.userFile, 'user', options)
  const path = join(options.root, PROJECT_FILE)
  const theirs = readFileOf(path, 'repository', options)
  const ownServers = own?.config.servers ?? []
  if (theirs === null) return ownServers
  // A server of the repository cannot take the name of one of the user.
  const servers = theirs.config.servers.filter(({ name }) => !ownServers.some((each) => each.name === name))
  if (servers.length === 0) return ownServers
  const isAllowed = await isTrusted(options.trust, path, theirs.text, () => ({
    title: [
      `This repository wants to start `,
      bold(servers.length === 1 ? 'an MCP server' : `${servers.length} MCP servers`),
      ` (${PROJECT_FILE}).`,
    ],
    body: [
      ...readMcpConfig(theirs.text, 'repository', null).servers.map(describeServer),
      ...(theirs.config.variables.length > 0
        ? [[yellow('They read these variables of yours: '), theirs.config.variables.join(', ')]]
        : []),
      'They get the network. Agree only if you trust this repository. A change of the file asks again.',
    ],
  }))
  if (!isAllowed) options.onNote(`The MCP servers of ${PROJECT_FILE} are not started.`)
  return isAllowed ? [...ownServers, ...servers] : ownServers
}

function readFileOf(
  path: string,
  source: 'user' | 'repository',
  { env, onNote }: McpToolsOptions,
): { text: string; config: McpConfig } | null {
  try {
    const text = readSmallFile(path)
    if (text === null) return null
    const config = readMcpConfig(text, source, env)
    for (const problem of config.problems) onNote(`${path}: ${toPlainText(problem)}`)
    return { text, config }
  } catch (error) {
    onNote((error as Error).message)
    return null
  }
}

const describeServer = ({ name, transport }: McpServerConfig): Line =>
  transport.kind === 'http'
    ? ['  ', bold(name), '  ', verbatim(transport.url)]
    : ['  ', bold(name), '  ', verbatim([transport.command, ...transport.args].join(' ').slice(0, 500))]
