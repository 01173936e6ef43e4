// The command and the variables of an installation, and the variables of later runs.
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Registry } from '../../platform/environment/registries.ts'
import { HOME_FOLDER, PROJECT_FOLDER } from '../bootstrap.ts'
import { ENVIRONMENT } from '../local/bubblewrap.ts'
import type { PrepareStep } from './detect.ts'
import { relayScript } from './relay.ts'
import { PROGRAM_FOLDER, PROXY, VIRTUAL_ENVIRONMENT } from './tools/tool.ts'

const PROXY_VARIABLES = {
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  http_proxy: PROXY,
  https_proxy: PROXY,
  NO_PROXY: '',
  no_proxy: '',
}
/** Of the host: registries inside a company often have certificates that only its machines trust. */
const CERTIFICATES = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt'].find((path) =>
  existsSync(path),
)
const CERTIFICATE_VARIABLES = Object.fromEntries(
  CERTIFICATES === undefined
    ? []
    : ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'PIP_CERT', 'CARGO_HTTP_CAINFO'].map(
        (name) => [name, CERTIFICATES],
      ),
)
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

/** Errors of a registry inside an encrypted connection, which our proxy cannot see. */
const REGISTRY_ERRORS =
  /\b(E|FETCH_|got |Code:? |code |status:? |HTTP(\/[\d.]+)? (error )?|")50[0234]\b|\b50[0234] (Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out)|\b(SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)|CERT_HAS_EXPIRED|CERTIFICATE_VERIFY_FAILED)|SSL certificate problem|x509: certificate|PKIX path building failed/

/** Whether a failed tool says that the registry is at fault. Packages can print this too: it is only a reason. */
export const blamesRegistry = (output: string): boolean => REGISTRY_ERRORS.test(output)

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
    { ...PROXY_VARIABLES, ...CERTIFICATE_VARIABLES, ...HOME_VARIABLES, TMPDIR: `${HOME_FOLDER}/.tmp` },
    ...steps.map(({ tool }) => ({ ...tool.environment, ...tool.online?.(urlFor(tool.name)) })),
  )
}

export const offlineVariables = (steps: readonly PrepareStep[]): Readonly<Record<string, string>> =>
  Object.assign({ ...HOME_VARIABLES }, ...steps.map(({ tool }) => ({ ...tool.environment, ...tool.offline })))
