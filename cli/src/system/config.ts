// Settings of the user and of the current repository. Precedence: command line, environment, repository, user file. A
// repository can come from strangers, so it cannot change costs or confirmations.
import { readFileSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../errors.ts'
import { writeAtomically } from './atomic-write.ts'
import type { Paths } from './paths.ts'

export type Config = {
  readonly org?: string
  readonly lane?: 'open' | 'frontier'
  /** In major units of the currency, such as `500` or `12.50`. */
  readonly maxCost?: string
  readonly test?: string
  readonly sandbox?: 'none' | 'local' | 'docker'
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly apply?: 'ask' | 'never' | 'auto'
  readonly color?: 'auto' | 'always' | 'never'
  readonly dataSaver?: boolean
  /** Of a session, in major units of the currency. */
  readonly budget?: string
  readonly approve?: 'ask' | 'edits' | 'full'
  readonly model?: string
  readonly theme?: 'dark' | 'light'
  readonly plain?: boolean
}
export type ConfigKey = keyof Config

type Setting = {
  readonly summary: string
  /** Parses the text; undefined when it is invalid. */
  readonly read: (text: string) => string | boolean | readonly string[] | undefined
  /** Whether the repository's file may set it. */
  readonly allowedInProject: boolean
  /** The default, as shown to the user. */
  readonly default: string
}

const oneOf =
  (...values: string[]) =>
  (text: string) =>
    values.includes(text) ? text : undefined
const globs = (text: string) => text.split(',').flatMap((glob) => glob.trim() || [])
const isTrue = (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined)
const isAmount = (text: string) => (/^\d{1,12}(\.\d{1,3})?$/.test(text) ? text : undefined)

export const SETTINGS: Readonly<Record<ConfigKey, Setting>> = {
  org: {
    summary: 'The organisation that commands use.',
    read: (text) => text,
    allowedInProject: false,
    default: 'the organisation of the last sign-in',
  },
  lane: {
    summary: 'open or frontier.',
    read: oneOf('open', 'frontier'),
    allowedInProject: false,
    default: "the service's default",
  },
  maxCost: {
    summary: 'The maximum cost of one command, such as 500.',
    read: isAmount,
    allowedInProject: false,
    default: 'no limit besides the quote',
  },
  test: {
    summary: 'The test command of a loop, such as "npm test".',
    read: (text) => text,
    allowedInProject: true,
    default: 'none',
  },
  sandbox: {
    summary: 'none, local or docker.',
    read: oneOf('none', 'local', 'docker'),
    allowedInProject: true,
    default: "the service's default",
  },
  include: {
    summary: 'Files to always send, as comma-separated patterns.',
    read: globs,
    allowedInProject: true,
    default: 'none',
  },
  exclude: {
    summary: 'Files to never send, as comma-separated patterns.',
    read: globs,
    allowedInProject: true,
    default: 'none',
  },
  apply: {
    summary: 'ask, never or auto.',
    read: oneOf('ask', 'never', 'auto'),
    allowedInProject: false,
    default: 'ask',
  },
  color: {
    summary: 'auto, always or never.',
    read: oneOf('auto', 'always', 'never'),
    allowedInProject: false,
    default: 'auto',
  },
  dataSaver: {
    summary: 'true to send and download as little as possible.',
    read: isTrue,
    allowedInProject: true,
    default: 'false',
  },
  budget: {
    summary: 'The maximum cost of a session, such as 500.',
    read: isAmount,
    allowedInProject: false,
    default: 'maxCost; otherwise a session asks',
  },
  approve: {
    summary: 'ask, edits or full: what a session does without a question.',
    read: oneOf('ask', 'edits', 'full'),
    allowedInProject: false,
    default: 'ask',
  },
  model: {
    summary: 'The model of a session: open, frontier or one of "cowrie models".',
    read: (text) => text,
    allowedInProject: false,
    default: 'lane; otherwise chosen for each turn',
  },
  theme: {
    summary: 'dark or light: the background of your terminal.',
    read: oneOf('dark', 'light'),
    allowedInProject: false,
    default: 'dark',
  },
  plain: {
    summary: 'true for screen readers: a session moves no cursor and uses words instead of colours.',
    read: isTrue,
    allowedInProject: false,
    default: 'false',
  },
}

const BYTES_MAX = 64 * 1024
const PROJECT_FILE = '.cowrie.json'

export const userFile = ({ config }: Paths): string | null => config && join(config, 'config.json')
export const projectFile = ({ repository }: Paths): string | null =>
  repository && join(repository.root, PROJECT_FILE)

/** The settings of both files. `ignored` lists keys that the repository may not set. */
export function readConfig(paths: Paths): { config: Config; ignored: string[] } {
  const [user, project] = [userFile(paths), projectFile(paths)]
  const own = user ? readSettings(user, () => true) : { settings: {}, ignored: [] }
  const theirs = project
    ? readSettings(project, (key) => SETTINGS[key].allowedInProject)
    : { settings: {}, ignored: [] }
  const exclude = [...(own.settings.exclude ?? []), ...(theirs.settings.exclude ?? [])]
  return {
    // A file excluded by either is not sent.
    config: { ...own.settings, ...theirs.settings, ...(exclude.length > 0 ? { exclude } : {}) },
    ignored: theirs.ignored,
  }
}

/** The settings of a file; empty when the file does not exist. */
export function readSettings(
  path: string,
  isAllowed: (key: ConfigKey) => boolean,
): { settings: Config; ignored: string[] } {
  const text = textAt(path)
  if (text === null) return { settings: {}, ignored: [] }
  const settings: Record<string, unknown> = {}
  const ignored: string[] = []
  for (const [key, value] of Object.entries(parse(path, text))) {
    if (!isKey(key) || !isAllowed(key)) {
      ignored.push(key)
      continue
    }
    const read = SETTINGS[key].read(Array.isArray(value) ? value.join(',') : String(value))
    if (read === undefined)
      throw unusable(path, `has an invalid value for "${key}": ${SETTINGS[key].summary}`)
    settings[key] = read
  }
  return { settings, ignored }
}

/** Sets or removes one key of a file and keeps the others. */
export async function writeSetting(
  path: string,
  key: ConfigKey,
  value: Config[ConfigKey] | undefined,
  mode: number,
): Promise<void> {
  const text = textAt(path)
  const { [key]: _, ...others } = { ...(text === null ? {} : parse(path, text)) } as Record<string, unknown>
  const settings = value === undefined ? others : { ...others, [key]: value }
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeAtomically(path, `${JSON.stringify(settings, null, 2)}\n`, mode)
  } catch (error) {
    throw unusable(path, `cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Null when the file does not exist. */
function textAt(path: string): string | null {
  let text: string
  try {
    // A repository may contain a link to an endless device file.
    if (!statSync(path).isFile()) throw unusable(path, 'is not a file')
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Failure) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw unusable(path, `cannot be read (${code})`)
  }
  if (text.length > BYTES_MAX) throw unusable(path, 'is larger than 64 KiB')
  return text
}

function parse(path: string, text: string): object {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    throw unusable(path, `is not JSON (${(error as Error).message})`)
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw unusable(path, 'is not a JSON object')
  return read
}

export const isKey = (key: string): key is ConfigKey => Object.hasOwn(SETTINGS, key)
const unusable = (path: string, what: string) => new Failure('config_unusable', `${path} ${what}.`)
