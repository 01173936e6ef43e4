// The MCP servers of the user and of the repository: `{"mcpServers": {"name": {"command", "args", "env"} or {"url", "headers"}}}`, as
// other programs write it.
import { isRecord } from '../../system/state-file.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type McpServerConfig = {
  readonly name: string
  readonly source: 'user' | 'repository'
  readonly transport:
    | {
        readonly kind: 'stdio'
        readonly command: string
        readonly args: readonly string[]
        readonly env: Readonly<Record<string, string>>
      }
    | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  readonly callMs: number
}

export type McpConfig = {
  readonly servers: readonly McpServerConfig[]
  /** Sentences about entries that are not used. */
  readonly problems: readonly string[]
  /** Variables of this computer that the entries read. */
  readonly variables: readonly string[]
}

const SERVERS_MAX = 16
const CALL_SECONDS_USUAL = 120
const CALL_SECONDS_MAX = 600
const NAME = /^[A-Za-z0-9][\w.-]{0,39}$/

/** `env: null` leaves variables as they are written, to show the entries. */
export function readMcpConfig(
  text: string,
  source: 'user' | 'repository',
  env: Environment | null,
): McpConfig {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    return { servers: [], problems: [`It is not JSON (${(error as Error).message}).`], variables: [] }
  }
  const listed = isRecord(read) && isRecord(read.mcpServers) ? read.mcpServers : null
  if (listed === null) return { servers: [], problems: ['It has no "mcpServers".'], variables: [] }
  const servers: McpServerConfig[] = []
  const problems: string[] = []
  const variables = new Set<string>()
  for (const [name, entry] of Object.entries(listed)) {
    if (isRecord(entry) && entry.disabled === true) continue
    const expand = (value: string) => (env === null ? value : expandVariables(value, env, variables))
    const found = NAME.test(name)
      ? readServer(entry, expand)
      : 'has a name with other characters than letters, digits, dots and dashes'
    if (typeof found === 'string') problems.push(`The server "${name.slice(0, 60)}" ${found}.`)
    else if (servers.length >= SERVERS_MAX)
      problems.push(`The server "${name}" is one too many: at most ${SERVERS_MAX} are started.`)
    else servers.push({ name, source, transport: found, callMs: callMsOf(entry) })
  }
  return { servers, problems, variables: [...variables] }
}

function readServer(
  entry: unknown,
  expand: (value: string) => string,
): McpServerConfig['transport'] | string {
  if (!isRecord(entry)) return 'is not an object'
  if (typeof entry.url === 'string') {
    if (entry.type === 'sse') return 'uses the old transport "sse", which is not supported'
    const headers = readTexts(entry.headers, expand)
    const url = expand(entry.url)
    if (headers === null) return 'has headers that are not texts'
    return isAllowedAddress(url)
      ? { kind: 'http', url, headers }
      : 'must have an https address, or an http address of this computer'
  }
  if (typeof entry.command !== 'string' || entry.command === '') return 'has neither a command nor a url'
  const { args = [] } = entry
  if (!Array.isArray(args) || !args.every((each) => typeof each === 'string'))
    return 'has args that are not a list of texts'
  const env = readTexts(entry.env, expand)
  if (env === null) return 'has an env that is not texts'
  return { kind: 'stdio', command: expand(entry.command), args: args.map(expand), env }
}

function readTexts(given: unknown, expand: (value: string) => string): Record<string, string> | null {
  if (given === undefined) return {}
  if (!isRecord(given)) return null
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') return null
    texts[name] = expand(value)
  }
  return texts
}

/** `${NAME}` and `${NAME:-default}`. Our own key is never passed on. */
function expandVariables(value: string, env: Environment, used: Set<string>): string {
  return value.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, name: string, usual = '') => {
    used.add(name)
    return (name.startsWith('COWRIE_') ? undefined : env[name]) ?? usual
  })
}

function isAllowedAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname))
  )
}

function callMsOf(entry: unknown): number {
  const seconds = isRecord(entry) ? entry.timeoutSeconds : undefined
  const wanted = typeof seconds === 'number' && seconds >= 1 ? seconds : CALL_SECONDS_USUAL
  return Math.min(wanted, CALL_SECONDS_MAX) * 1_000
}
