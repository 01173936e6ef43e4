// The command and the variables of an installation, and the variables of later runs.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Registry } from '../../platform/environment/registries.ts'
import { HOME_FOLDER, PROJECT_FOLDER } from '../bootstrap.ts'
import { ENVIRONMENT } from '../local/bubblewrap.ts'
import type { PrepareStep } from './detect.ts'
import { RELAY_PORT, relayScript } from './relay.ts'
import { PROGRAM_FOLDER, VIRTUAL_ENVIRONMENT } from './tools/tool.ts'

const PROXY = `http://127.0.0.1:${RELAY_PORT}`
const PROXY_VARIABLES = {
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  http_proxy: PROXY,
  https_proxy: PROXY,
  NO_PROXY: '',
  no_proxy: '',
}
const HOME_VARIABLES = {
  HOME: HOME_FOLDER,
  PATH: [PROGRAM_FOLDER, `${VIRTUAL_ENVIRONMENT}/bin`, ENVIRONMENT.PATH].join(':'),
}
const MISSING = 'tool_missing:'
const MISSING_CODE = 126

/** The registries that the steps may use. */
export const registriesFor = (all: readonly Registry[], steps: readonly PrepareStep[]): readonly Registry[] =>
  all.filter(({ tool }) => tool === null || steps.some((step) => step.tool.name === tool))

/** Runs the steps in order. A tool that is missing is passed over, unless it is the only one. */
export function prepareScript(steps: readonly PrepareStep[], registries: readonly Registry[]): string {
  const loopback = registries.filter(isLoopback).map(({ host, port }) => `${bracketed(host)}:${port}`)
  return [
    `command -v node >/dev/null || { echo '${MISSING} node'; exit ${MISSING_CODE}; }`,
    relayScript([...new Set(loopback)]),
    'mkdir -p "$TMPDIR"; ran=',
    ...steps.map(stepScript),
    `[ -n "$ran" ] || exit ${MISSING_CODE}`,
  ].join('\n')
}

const stepScript = ({ tool, project, command }: PrepareStep): string => `
if ${tool.programs.map((program) => `command -v ${program} >/dev/null`).join(' || ')}; then
  ran=1
  (
    cd ${quote(`${PROJECT_FOLDER}/${project.folder}`)} || exit 125
    ${command}
  ) || exit
else echo '${MISSING} ${tool.programs[0]}'; fi`

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** Whether the script ended because of a missing tool. */
export const endedForMissingTool = (exitCode: number | null, output: string): boolean =>
  exitCode === MISSING_CODE && output.includes(MISSING)

const isLoopback = ({ host }: Registry): boolean =>
  isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback'

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

export function installVariables(
  steps: readonly PrepareStep[],
  registries: readonly Registry[],
): Readonly<Record<string, string>> {
  const urlFor = (name: string) =>
    registries.find(({ tool, url }) => tool === name && url !== null)?.url ?? null
  return Object.assign(
    { ...PROXY_VARIABLES, ...HOME_VARIABLES, TMPDIR: `${HOME_FOLDER}/.tmp` },
    ...steps.map(({ tool }) => ({ ...tool.environment, ...tool.online?.(urlFor(tool.name)) })),
  )
}

export const offlineVariables = (steps: readonly PrepareStep[]): Readonly<Record<string, string>> =>
  Object.assign({ ...HOME_VARIABLES }, ...steps.map(({ tool }) => ({ ...tool.environment, ...tool.offline })))
