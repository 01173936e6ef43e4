// Rules about TLS and SSH verification.
import { isCall } from '../../../engine/name-patterns.ts'
import type { EventContext, Rule } from '../../../rule.ts'

export const certificates: Rule = {
  id: 'PY-TLS-01',
  title: 'TLS certificates are not verified',
  cwe: 295,
  severity: 'warn',
  confidence: 'high',
  languages: ['python'],
  message: 'Anyone on the network path can impersonate the server, and read and change the traffic.',
  fix: 'Leave verification on. For your own certificate pass its authority: `verify="/path/ca.pem"` or `cafile=`.',
  on: {
    call(event) {
      if (isCall(event, 'ssl._create_unverified_context', 'ssl._https_verify_certificates'))
        return isChosen(event) ? undefined : { at: event.expr.at }
      if (event.args.every(({ name }) => name === null) || isChosen(event)) return undefined
      const isClient = event.imports(
        /^(?:requests|httpx|aiohttp|urllib3|boto3|elasticsearch|hvac|websockets|pymongo)\b/,
      )
      const option = ['verify', 'verify_ssl', 'verify_certs', 'ssl_verify', 'check_hostname'].find((name) =>
        event.args.some((arg) => arg.name === name && arg.value.known === false),
      )
      if (isClient && option) return { at: event.expr.at }
      const requirement = event.args.find(({ name }) => name === 'cert_reqs')?.value
      const isNone = requirement?.name === 'ssl.CERT_NONE' || requirement?.known === 'CERT_NONE'
      return isNone ? { at: event.expr.at } : undefined
    },
    assign(event) {
      if (!VERIFICATION.has(event.name) || event.isEntry || isChosen(event)) return undefined
      const isOwn =
        event.target.kind === 'member' &&
        event.target.object.kind === 'name' &&
        event.target.object.name === 'self'
      if (event.name === 'verify_mode' && !isOwn && event.value.name === 'ssl.CERT_NONE')
        return { at: event.target.at }
      if (
        event.name === '_create_default_https_context' &&
        event.value.name === 'ssl._create_unverified_context'
      )
        return { at: event.target.at }
      const isSession =
        event.name === 'verify' && event.target.kind === 'member' && event.value.known === false
      return isSession && /[sS]ession\(\)$|Client\(\)$/.test(event.object?.name ?? '')
        ? { at: event.target.at }
        : undefined
    },
  },
}

const VERIFICATION: ReadonlySet<string> = new Set(['verify_mode', '_create_default_https_context', 'verify'])

/** An explicit option turns it off, such as a flag named insecure. */
const isChosen = ({ conditions, functions, source }: EventContext): boolean =>
  functions.some(({ name }) => /verif|insecure|unsafe|self_?signed/i.test(name)) ||
  conditions.some(({ at }) => /verif|valid|insecure|cert|ssl|tls|trust|check|unsafe/i.test(source(at)))

export const hostKeys: Rule = {
  id: 'PY-SSH-01',
  title: 'Any SSH host key is accepted',
  cwe: 295,
  severity: 'warn',
  confidence: 'high',
  languages: ['python'],
  message:
    'An unknown host key is accepted without confirmation. An impostor gets the password or the session.',
  fix: 'Load known hosts and keep `paramiko.RejectPolicy()`.',
  on: {
    call(event) {
      if (event.method !== 'set_missing_host_key_policy') return undefined
      const given = event.arg(0)
      const policy = given ? (given.value.name ?? event.source(given.expr.at)) : ''
      return /(?:AutoAdd|Warning)Policy/.test(policy) ? { at: event.expr.at } : undefined
    },
  },
}
