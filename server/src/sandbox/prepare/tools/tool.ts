// A row of the table of package managers.
import { HOME_FOLDER } from '../../bootstrap.ts'

/** A folder of the repository with separate dependencies. */
export type ProjectFolder = {
  /** Empty for the root. */
  readonly folder: string
  readonly names: ReadonlySet<string>
  /** The text of a file in it; null if there is none or it is too large. */
  read(name: string): Promise<string | null>
}

export type PrepareTool = {
  readonly name: string
  /** At most one tool of each kind installs a folder. */
  readonly kind: 'javascript' | 'python' | 'go' | 'jvm' | 'php' | 'rust'
  /** The files that name the dependencies. One of them is enough. */
  readonly lockfiles: RegExp
  /** Other files, in any folder, that the installation may read. Their changes need a new layer. */
  readonly manifests: RegExp
  /** Files that the installation compiles and never runs. They are not part of the result, so they need no new layer. */
  readonly compiledFiles?: RegExp
  /** Whether the installation copies or compiles files of the project itself. Then a change of any file needs a new layer. */
  needsSources?(project: ProjectFolder): Promise<boolean>
  /** Programs of which one must be on this host. */
  readonly programs: readonly string[]
  /** Whether there is anything to install. */
  isNeeded?(project: ProjectFolder): Promise<boolean>
  /** Runs in the folder. Scripts of packages run too: they are as confined as the command. */
  command(project: ProjectFolder): Promise<string>
  /** For the installation and for later runs. */
  readonly environment?: Readonly<Record<string, string>>
  /** For the installation. `url`: the registry to use instead of the usual one. */
  online?(url: string | null): Readonly<Record<string, string>>
  /** For later runs, which have no network. */
  readonly offline: Readonly<Record<string, string>>
  /** Names of folders in the project that the tool installs into. */
  readonly projectOutputs: readonly string[]
  /** Paths below the home folder that later runs need. */
  readonly homeOutputs: readonly string[]
}

/** Of the relay to our registry proxy, inside the sandbox. */
export const RELAY_PORT = 3_128
export const PROXY = `http://127.0.0.1:${RELAY_PORT}`
export const VIRTUAL_ENVIRONMENT = `${HOME_FOLDER}/venv`
/** Programs that the installation adds. */
export const PROGRAM_FOLDER = `${HOME_FOLDER}/bin`

export const isHttp = (url: string | null): url is string => url?.startsWith('http:') === true
