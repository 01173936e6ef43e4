// Builds the command line of bubblewrap for a command of a session: the programs of this computer, the repository, and a home
// folder without anything personal.
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, join, resolve, sep } from 'node:path'
import type { Environment } from './environment.ts'
import { protectedPlaces } from './git-places.ts'

/** The folders that a sandbox shows and hides. */
export type SandboxPlace = {
  /** The only folder of the user that a command may change. */
  readonly root: string
  /** The real home folder, which is hidden. */
  readonly home: string
  /** Ours: shown as the home folder and as /tmp. Kept between commands. */
  readonly homeFolder: string
  readonly temporaryFolder: string
  /** Other folders of ours, such as the one with the keys. */
  readonly hidden: readonly string[]
  readonly env: Environment
}

export type BubblewrapOptions = {
  readonly isOnline: boolean
  /** Of version 0.8: no namespaces inside. */
  readonly isModern: boolean
  /** The command starts in a private network already. */
  readonly hasNetwork: boolean
}

/** Not shown. Files in /run and /tmp may be sockets of services outside, which no missing network keeps away. */
const LEFT_OUT = new Set(
  'proc dev sys run tmp home root mnt media boot srv var lost+found cdrom old_root Volumes'.split(' '),
)
/** Of the folders that are left out. */
const STILL_SHOWN = ['/var/lib/gems', '/run/current-system', join('/home', 'linuxbrew/.linuxbrew')]
/** Programs and their packages in the home folder. They hold no keys, and a command cannot change them. */
const SHOWN_OF_HOME =
  `.nvm .fnm .volta .asdf .pyenv .rbenv .rvm .rubies .goenv .jenv .nodenv .sdkman .rustup .bun/bin .deno/bin .dotnet/dotnet .dotnet/sdk
  .dotnet/shared .dotnet/host .dotnet/packs .dotnet/tools .local/bin .local/lib .local/share/fnm .local/share/mise .local/share/uv/python
  .local/share/uv/tools .local/share/pnpm .local/share/pipx .local/share/virtualenvs .virtualenvs .cargo/bin go/bin .gem/ruby .pub-cache/hosted
  flutter Android/Sdk miniconda3 anaconda3 miniforge3 .conda/envs .opam .ghcup .juliaup .elan .nix-profile .local/state/nix .linuxbrew
  .composer/vendor .config/composer/vendor .gradle/wrapper .m2/wrapper .cache/ms-playwright .cache/puppeteer .cache/Cypress .cache/node-gyp
  .cache/node/corepack .cache/prisma bin`.split(/\s+/)
/** Downloaded packages. Shown until the sandbox has downloaded its own, and never while it can. */
const PACKAGES_OF_HOME =
  `go/pkg .cargo/registry .cargo/git .m2/repository .nuget/packages .julia/packages .julia/artifacts .julia/compiled
  .julia/registries`.split(/\s+/)
/** Variables that name a folder with programs. */
const NAMED_FOLDERS =
  `VIRTUAL_ENV CONDA_PREFIX JAVA_HOME GOROOT NVM_DIR PYENV_ROOT RBENV_ROOT RUSTUP_HOME ANDROID_HOME ANDROID_SDK_ROOT FLUTTER_ROOT
  DOTNET_ROOT VOLTA_HOME`.split(/\s+/)
/** The usual names of folders with programs. Another folder in PATH could hold anything. */
const PROGRAM_FOLDER = /\/(?:bin|sbin|shims|scripts|libexec)$/
/** Folders that hold keys, also if PATH names them. */
const PERSONAL =
  /^(?:\.(?:ssh|gnupg|aws|azure|kube|docker|config|mozilla|thunderbird|password-store|pki|local|cache)$|\.(?:ssh|gnupg|aws|azure|kube|docker|config|mozilla|thunderbird|password-store|pki)\/)/

export function bubblewrapArgs(place: SandboxPlace, options: BubblewrapOptions): string[] {
  const { root, home, homeFolder, temporaryFolder, hidden } = place
  const { pinned, readOnly } = protectedPlaces(root)
  return [
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    ...(options.isModern ? ['--disable-userns'] : []),
    ...(options.isOnline || options.hasNetwork ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    ...systemArgs(),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/run'],
    ...['--bind', temporaryFolder, '/tmp', '--bind', temporaryFolder, '/var/tmp'],
    ...STILL_SHOWN.flatMap(readOnlyIfThere),
    ...(options.isOnline ? resolverArgs() : []),
    ...['--bind', homeFolder, home],
    ...shownOfHome(place, options.isOnline).flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--bind', root, root],
    ...pinned.flatMap((path) => ['--bind', path, path]),
    ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...hidden.filter((path) => isFolder(path) && !isWithin(path, home)).flatMap((path) => ['--tmpfs', path]),
    ...['--chdir', root],
  ]
}

/** The folders of the system, read-only. */
function systemArgs(): string[] {
  const args: string[] = []
  for (const entry of readdirSync('/', { withFileTypes: true })) {
    const path = `/${entry.name}`
    if (LEFT_OUT.has(entry.name)) continue
    if (entry.isSymbolicLink()) args.push('--symlink', readlinkSync(path), path)
    else if (entry.isDirectory()) args.push('--ro-bind', path, path)
  }
  return [...args, '--symlink', '../run', '/var/run', ...(process.getuid?.() === 0 ? rootOnlyArgs() : [])]
}

let rootOnly: string[] | null = null

/** For root, hides the settings that other users cannot read, such as /etc/shadow. */
function rootOnlyArgs(): string[] {
  rootOnly ??= ['/etc', '/opt', '/usr/local/etc'].flatMap((folder) => unreadableIn(folder, 0))
  return rootOnly
}

function unreadableIn(folder: string, depth: number): string[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names.flatMap((name) => {
    const path = join(folder, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined || found.isSymbolicLink()) return []
    if (found.isDirectory()) {
      if ((found.mode & 0o005) !== 0o005) return ['--tmpfs', path]
      return depth < 2 ? unreadableIn(path, depth + 1) : []
    }
    return found.isFile() && (found.mode & 0o004) === 0 ? ['--ro-bind', '/dev/null', path] : []
  })
}

/** The addresses of name servers are often a link into /run. */
function resolverArgs(): string[] {
  try {
    const real = realpathSync('/etc/resolv.conf')
    return real === '/etc/resolv.conf' ? [] : ['--ro-bind', real, real]
  } catch {
    return []
  }
}

function shownOfHome({ home, homeFolder, root, env }: SandboxPlace, isOnline: boolean): string[] {
  const named = NAMED_FOLDERS.flatMap((name) => env[name] ?? [])
  const programs = (env.PATH ?? '').split(delimiter).filter((folder) => PROGRAM_FOLDER.test(folder))
  const others = [...named, ...programs]
    .map((folder) => resolve('/', folder))
    .filter((folder) => folder.startsWith(home + sep) && !PERSONAL.test(folder.slice(home.length + 1)))
  const packages = isOnline ? [] : PACKAGES_OF_HOME.filter((name) => isEmpty(join(homeFolder, name)))
  const paths = [...SHOWN_OF_HOME, ...packages].map((name) => join(home, name))
  return [...new Set([...paths, ...others])].filter(
    (path) => existsSync(path) && !isWithin(root, path) && !isWithin(path, root),
  )
}

const readOnlyIfThere = (path: string): string[] => (isFolder(path) ? ['--ro-bind', path, path] : [])

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder + sep)

/** Also if it does not exist. */
function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch {
    return true
  }
}

/** Why the root cannot be confined: it is a home folder or contains one. */
export function whyNoPlace(root: string, home: string): string | null {
  if (isWithin(home, root)) return 'the folder contains your home folder'
  return dirname(root) === root ? 'the folder is the whole disk' : null
}
