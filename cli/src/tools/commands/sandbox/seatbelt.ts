// The profile of Seatbelt, the sandbox of macOS: the same rules as with bubblewrap. Later rules win.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxPlace } from './bubblewrap.ts'
import { protectedPlaces } from './git-places.ts'

export const SANDBOX_EXEC = '/usr/bin/sandbox-exec'

/** Folders of the home folder with keys, messages and passwords. */
const PERSONAL = [
  ...`.ssh .gnupg .aws .azure .kube .docker .config .netrc .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf .git-credentials .gitconfig .vault-token
  .terraform.d .oci .fly .heroku .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml .gradle/gradle.properties
  .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history .password-store .mozilla .local/state
  .local/share/keyrings .cache/huggingface .huggingface .claude .claude.json .codex .electrum .bitcoin Documents Desktop Downloads
  Pictures Movies Music`.split(/\s+/),
  ...`Keychains,Cookies,Mail,Messages,Safari,Accounts,Calendars,Application Support,Containers,Group Containers,Mobile Documents,Preferences`
    .split(',')
    .map((name) => `Library/${name}`),
]

/** Of the system, for users, names of hosts and certificates. */
const SERVICES = [
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.logger',
  'com.apple.trustd',
  'com.apple.SystemConfiguration.configd',
  'com.apple.dnssd.service',
]

export function seatbeltProfile(
  place: SandboxPlace,
  isOnline: boolean,
  withheld: readonly string[] = [],
): string {
  const { root, home, temporaryFolder, homeFolder, hidden } = place
  const { pinned, readOnly } = protectedPlaces(root)
  const writable = [root, temporaryFolder, homeFolder, ...pinned].map(real)
  const secret = [...PERSONAL.map((name) => join(home, name)), ...hidden].map(real)
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec*)',
    '(allow process-fork)',
    '(allow process-info* (target same-sandbox))',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow ipc-posix-sem)',
    '(allow ipc-posix-shm)',
    `(allow mach-lookup ${SERVICES.map((name) => `(global-name "${name}")`).join(' ')})`,
    '(allow file-read*)',
    `(deny file-read* file-write* ${secret.map(subpath).join(' ')})`,
    // The repository may be below one of those.
    '(allow file-read-metadata)',
    `(allow file-read* file-write* ${writable.map(subpath).join(' ')})`,
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper") (literal "/dev/tty") (regex #"^/dev/fd/"))',
    ...(readOnly.length === 0 ? [] : [`(deny file-write* ${readOnly.map(real).map(subpath).join(' ')})`]),
    ...(withheld.length === 0 ? [] : [`(deny file-read-data ${withheld.map(real).map(literal).join(' ')})`]),
    // A folder that moves would take its protected parts along.
    ...(pinned.length === 0 ? [] : [`(deny file-write-unlink ${pinned.map(real).map(literal).join(' ')})`]),
    isOnline ? '(allow network*)' : '(allow network* (local ip "localhost:*") (remote ip "localhost:*"))',
    // Sockets of services, such as the agent of ssh or docker.
    `(deny network-outbound (remote unix-socket))`,
    `(allow network* ${[root, temporaryFolder]
      .map(real)
      .map((path) => `(remote unix-socket ${subpath(path)})`)
      .join(' ')})`,
    '',
  ].join('\n')
}

const subpath = (path: string): string => `(subpath ${quote(path)})`
const literal = (path: string): string => `(literal ${quote(path)})`
const quote = (path: string): string => `"${path.replace(/["\\]/g, '\\$&')}"`

/** Seatbelt compares real paths: /tmp is a link on macOS. */
function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
