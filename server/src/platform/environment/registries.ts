// The package registries that sandboxes may reach while they install dependencies.
import { isIP } from 'node:net'

export type Registry = {
  /** The tool that uses it; null: all tools. */
  readonly tool: string | null
  /** A name in lower case, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** The address for the settings of the tool; null: the tool knows it. */
  readonly url: string | null
}

export const REGISTRY_TOOLS = [
  'npm',
  'pnpm',
  'yarn',
  'pip',
  'uv',
  'poetry',
  'go',
  'maven',
  'gradle',
  'composer',
  'cargo',
] as const

/** Names of hosts below a domain. */
const below = (domain: string, ...names: readonly string[]): string[] =>
  names.map((name) => `${name}.${domain}`)

const NPM = below('npmjs.org', 'registry')
const PYPI = ['pypi.org', 'files.pythonhosted.org']
const MAVEN = ['repo.maven.apache.org', 'repo1.maven.org']
const PUBLIC_HOSTS: Readonly<Record<(typeof REGISTRY_TOOLS)[number], readonly string[]>> = {
  npm: NPM,
  pnpm: NPM,
  yarn: [...NPM, ...below('yarnpkg.com', 'registry', 'repo')],
  pip: PYPI,
  uv: PYPI,
  poetry: PYPI,
  go: below('golang.org', 'proxy', 'sum'),
  maven: MAVEN,
  gradle: [...MAVEN, ...below('gradle.org', 'plugins', 'plugins-artifacts', 'services', 'downloads')],
  // The archives of PHP packages come from GitHub.
  composer: ['repo.packagist.org', 'packagist.org', ...below('github.com', 'api', 'codeload')],
  cargo: ['crates.io', ...below('crates.io', 'index', 'static')],
}

const PUBLIC_REGISTRIES: readonly Registry[] = REGISTRY_TOOLS.flatMap((tool) =>
  PUBLIC_HOSTS[tool].map((host) => ({ tool, host, port: 443, url: null })),
)

/**
 * A list of `[tool=]url` or `[tool=]host[:port]`, separated by commas. Unset: the public registries of all tools.
 * Null for `off`. Throws with a sentence about the first bad entry.
 */
export function parseRegistries(text: string | undefined): readonly Registry[] | null {
  if (text === undefined) return PUBLIC_REGISTRIES
  if (text.trim() === 'off') return null
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseEntry)
}

function parseEntry(entry: string): Registry {
  const [, tool = null, address = ''] = /^(?:([a-z]+)=)?(.*)$/.exec(entry) ?? []
  if (tool !== null && !REGISTRY_TOOLS.some((known) => known === tool))
    throw new Error(`has the unknown tool ${tool}. The tools are ${REGISTRY_TOOLS.join(', ')}.`)
  const isUrl = /^https?:\/\//.test(address)
  // An address of version 6 needs brackets before a port only.
  const bare = isIP(address) === 6 ? `[${address}]` : address
  const text = isUrl ? address : `https://${bare}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.username || url.password || url.search || url.hash)
    throw new Error(`must have entries such as npm=https://registry.example or registry.example:443.`)
  if (!isUrl && url.pathname !== '/') throw new Error('must have https:// or http:// in entries with a path.')
  return {
    tool,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'http:' ? 80 : 443),
    url: isUrl ? address.replace(/\/+$/, '') : null,
  }
}
