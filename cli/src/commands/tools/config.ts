// cowrie config: settings of the user and of the current repository.
import type { Command, Context } from '../../command.ts'
import { Failure, UsageError } from '../../errors.ts'
import {
  type Config,
  type ConfigKey,
  isKey,
  projectFile,
  readSettings,
  SETTINGS,
  userFile,
  writeSetting,
} from '../../system/config.ts'
import { columns } from '../../terminal/wrap.ts'

type Source = 'flag' | 'environment' | 'repository' | 'user' | 'default'
type Effective = { readonly value: NonNullable<Config[ConfigKey]> | null; readonly source: Source }

const KEYS = Object.keys(SETTINGS).filter(isKey)
const PROJECT = {
  project: {
    type: 'boolean',
    summary: 'Use .cowrie.json of this repository, for everyone who works on it.',
  },
} as const

const list: Command = {
  name: 'config list',
  summary: 'Show all settings, their values and sources.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  async run(context) {
    const settings = KEYS.map((key) => ({ key, ...effective(context, key) }))
    context.out.result(
      { settings },
      columns(
        settings.map(({ key, value, source }) => [
          key,
          value === null ? SETTINGS[key].default : `${textOf(value)} (${SOURCE_LABELS[source]})`,
        ]),
        context.out.width,
      ),
    )
  },
}

const get: Command = {
  name: 'config get',
  usage: '<setting>',
  summary: 'Show one setting.',
  args: { min: 1, max: 1 },
  complete: KEYS,
  isKeyless: true,
  async run(context) {
    const key = known(context.args[0])
    const { value, source } = effective(context, key)
    context.out.result({ key, value, source }, [value === null ? '' : textOf(value)])
  },
}

const set: Command = {
  name: 'config set',
  usage: '<setting> <value>',
  summary: 'Change a setting.',
  args: { min: 2, max: 2 },
  options: PROJECT,
  complete: KEYS,
  isKeyless: true,
  async run(context) {
    const [name, text = ''] = context.args
    const key = known(name)
    const value = SETTINGS[key].read(text) as Config[ConfigKey]
    if (value === undefined || text.trim() === '')
      throw new UsageError(`"${text}" is not valid for ${key}: ${SETTINGS[key].summary}`)
    await write(context, key, value)
  },
}

const unset: Command = {
  name: 'config unset',
  usage: '<setting>',
  summary: 'Reset a setting to its default.',
  args: { min: 1, max: 1 },
  options: PROJECT,
  complete: KEYS,
  isKeyless: true,
  run: async (context) => write(context, known(context.args[0]), undefined),
}

async function write(context: Context, key: ConfigKey, value: Config[ConfigKey] | undefined): Promise<void> {
  const { paths, values, out } = context
  const isProject = values.project === true
  if (isProject && !SETTINGS[key].allowedInProject)
    throw new Failure(
      'not_for_repositories',
      `A repository cannot set ${key}. Set it for yourself, without --project.`,
    )
  const path = isProject ? projectFile(paths) : userFile(paths)
  if (path === null)
    throw isProject
      ? new Failure('no_repository', 'There is no repository here to store a setting in.')
      : new Failure('no_home', 'A setting cannot be stored: neither XDG_CONFIG_HOME nor HOME is set.')
  await writeSetting(path, key, value, isProject ? 0o644 : 0o600)
  const note =
    value === undefined ? `Removed ${key} from ${path}.` : `Set ${key} to ${textOf(value)} in ${path}.`
  out.result({ key, value: value ?? null, path }, [note])
}

/** The effective value and its source. */
function effective({ values, env, paths, config }: Context, key: ConfigKey): Effective {
  const flag = key === 'org' ? values.org : key === 'maxCost' ? values['max-cost'] : undefined
  if (typeof flag === 'string') return { value: flag, source: 'flag' }
  if (key === 'dataSaver' && values['data-saver'] === true) return { value: true, source: 'flag' }
  if (key === 'color' && values['no-color'] === true) return { value: 'never', source: 'flag' }
  if (key === 'color' && env.NO_COLOR) return { value: 'never', source: 'environment' }
  const value = config[key]
  if (value === undefined) return { value: null, source: 'default' }
  const project = projectFile(paths)
  const isProjects = project && readSettings(project, (each) => SETTINGS[each].allowedInProject).settings[key]
  return { value, source: isProjects === undefined || isProjects === null ? 'user' : 'repository' }
}

const SOURCE_LABELS: Readonly<Record<Source, string>> = {
  flag: 'from the command line',
  environment: 'from the environment',
  repository: 'from .cowrie.json',
  user: 'yours',
  default: 'default',
}

function known(name: string | undefined): ConfigKey {
  if (name !== undefined && isKey(name)) return name
  throw new UsageError(`Unknown setting "${name}". Settings: ${KEYS.join(', ')}.`)
}

const textOf = (value: NonNullable<Config[ConfigKey]>): string =>
  typeof value === 'object' ? value.join(',') : String(value)

export const config: readonly Command[] = [list, get, set, unset]
