// Recognises commands that need the network, so that the user is asked before they fail without it.
import { isAssignment, parseCommand } from './shell-syntax.ts'

/** At the start of a command, it asks for the network. */
export const NETWORK_VARIABLE = 'COWRIE_NETWORK'

const PACKAGES =
  'i|install|ci|add|update|upgrade|up|outdated|audit|publish|view|info|search|dlx|create|init|login|fetch|get|download|sync|lock'
const NEEDS_NETWORK = new RegExp(
  `^(?:${[
    `(?:npm|pnpm|yarn|bun|pip|pip3|pipx|uv|uv pip|poetry|pipenv|composer|gem|bundle|cargo|dotnet|mix|flutter|flutter pub|dart pub|conda|brew|apt|apt-get|dnf|apk) (?:${PACKAGES}|restore|require)`,
    'yarn',
    'bundle',
    '(?:npx|bunx|pnpx) (?:-y|--yes)',
    'go (?:get|install|mod (?:download|tidy))',
    'deno (?:install|add|cache)',
    'git (?:push|pull|fetch|clone|ls-remote|submodule update|remote update)',
    '(?:python|python3) -m pip (?:install|download)',
    'curl|wget|ssh|scp|sftp|rsync|ping|dig|nslookup|host|telnet|nc|ncat',
    'gh|glab|aws|gcloud|az|kubectl|helm|terraform (?:init|plan|apply)|docker (?:pull|push|build|compose|login)',
    '(?:npx )?playwright install',
  ].join('|')})(?: |$)`,
)
/** Not even the first words of these are complete. */
const BARE = /^(?:yarn|bundle)(?: --|$)/
const LOCAL =
  /(?:^| )(?:(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])[:/ ]|(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])$|--offline)/
const TALKS_TO_ADDRESS = /^(?:curl|wget|nc|ncat|telnet|ping) /

/** Also true of a command that begins with COWRIE_NETWORK=1. */
export function needsNetwork(command: string): boolean {
  const parts = parseCommand(command)
  // A text that is too complicated to read is searched for the same words.
  const texts =
    parts?.map(({ words }) => words.map(({ text }) => text)) ??
    command.split(/[;&|\n(){}`]+/).map((part) =>
      part
        .trim()
        .replace(/^(?:do|then|else|!)\s+/, '')
        .split(/\s+/),
    )
  return texts.some(partNeedsNetwork)
}

function partNeedsNetwork(words: readonly string[]): boolean {
  const start = words.findIndex((word) => !isAssignment(word))
  const assignments = start === -1 ? words : words.slice(0, start)
  if (assignments.includes(`${NETWORK_VARIABLE}=1`)) return true
  if (start === -1) return false
  const text = words.slice(start).join(' ')
  if (!NEEDS_NETWORK.test(text)) return false
  if (
    /^(?:yarn|bundle)/.test(text) &&
    !BARE.test(text) &&
    !new RegExp(`^\\w+ (?:${PACKAGES})(?: |$)`).test(text)
  )
    return false
  return !(LOCAL.test(text) && (TALKS_TO_ADDRESS.test(text) || text.includes('--offline')))
}

/** Whether the output looks like that of a program that found no network. */
export const looksOffline = (output: string): boolean =>
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|getaddrinfo|Could not resolve host|Temporary failure in name resolution|Network is unreachable|Name or service not known|no such host|failed to lookup address/i.test(
    output,
  )
