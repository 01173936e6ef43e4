// Checks of the connection, the service and the key.
import { API_VERSION, CowrieError } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { formatMoney } from '../spending/money.ts'
import { bad, type Check, ok, warn } from './check.ts'

const TIMEOUT_MS = 10_000
const SKEW_MS_MAX = 60_000
const SLOW_MS = 2_000
const HINT_NETWORK = 'Check the address (--base-url, COWRIE_URL) and the network.'

export async function checkService(context: Context): Promise<Check[]> {
  const way = await checkConnection(context)
  if (way.some(({ exit }) => exit === EXIT.network)) return way
  return [...way, ...(await checkReady(context)), ...(await checkKey(context))]
}

/** One plain request: its duration, and the clock of the service. */
async function checkConnection({ baseUrl, machine, signal }: Context): Promise<Check[]> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const startedAt = machine.nowMs()
  let reply: Response
  try {
    reply = await fetch(`${baseUrl}/health`, {
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    await reply.arrayBuffer()
  } catch (error) {
    signal?.throwIfAborted()
    const why = timeout.aborted ? 'does not answer' : `cannot be reached (${causeOf(error)})`
    return [bad('service', `${baseUrl} ${why}.`, HINT_NETWORK, EXIT.network)]
  }
  const tookMs = Math.round(machine.nowMs() - startedAt)
  if (!reply.ok)
    return [bad('service', `${baseUrl} answers with status ${reply.status}.`, HINT_NETWORK, EXIT.network)]
  const says = `${baseUrl} answers in ${tookMs} ms.`
  const time = checkClock(reply.headers.get('date'), machine.now())
  return [
    tookMs > SLOW_MS
      ? warn('service', says, 'On a slow network, "cowrie config set dataSaver true" reduces traffic.')
      : ok('service', says),
    ...(time ? [time] : []),
  ]
}

function checkClock(date: string | null, now: Date): Check | null {
  const theirs = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(theirs)) return null
  const skewMs = now.getTime() - theirs
  if (Math.abs(skewMs) <= SKEW_MS_MAX) return ok('clock', 'The clock of this computer matches the service.')
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  return warn(
    'clock',
    `The clock of this computer is ${seconds} s ${skewMs > 0 ? 'ahead' : 'behind'}.`,
    'Turn on network time: certificates and signatures depend on it.',
  )
}

async function checkReady({ client, signal }: Context): Promise<Check[]> {
  const options = { signal, retries: 0 }
  try {
    await client.system.ready(options)
    const { apiVersion, version } = await client.system.version(options)
    const says = `The service is ready: version ${version}, API ${apiVersion}.`
    return [
      apiVersion === API_VERSION
        ? ok('ready', says)
        : warn('ready', says, `This CLI has API ${API_VERSION}. Use a matching version.`),
    ]
  } catch (error) {
    return [bad('ready', `The service is not ready: ${messageOf(error)}`, 'Retry in a minute.', EXIT.network)]
  }
}

async function checkKey({ client, signal, keyFromEnvironment }: Context): Promise<Check[]> {
  try {
    const me = await client.me.get({ signal, retries: 0 })
    const from = keyFromEnvironment ? ' (COWRIE_API_KEY)' : ''
    const checks = [
      me.orgSuspended
        ? bad('key', `${me.orgName} is suspended.`, 'Contact support.', EXIT.notAllowed)
        : ok(
            'key',
            `Signed in as ${me.email}, for ${me.orgName}${from}; scopes: ${me.scopes.join(' ') || 'none'}.`,
          ),
    ]
    const missing = ['agent:run', 'wallet:read'].filter((scope) => !(me.scopes as string[]).includes(scope))
    if (missing.length > 0)
      checks.push(
        warn('scopes', `The key lacks ${missing.join(' and ')}.`, 'Sign in again: cowrie auth login'),
      )
    const balance = formatMoney(me.balanceMinor, me.currency)
    checks.push(
      me.balanceMinor + me.includedRemainingMinor > 0n
        ? ok('wallet', `Your balance is ${balance}.`)
        : warn('wallet', `Your balance is ${balance}.`, 'Top up: cowrie wallet topup <amount>'),
    )
    return checks
  } catch (error) {
    if (error instanceof CowrieError && error.status === 401)
      return [bad('key', 'You are not signed in.', 'Run "cowrie auth login".', EXIT.signIn)]
    return [bad('key', `Your account could not be read: ${messageOf(error)}`, 'Try again.', EXIT.failed)]
  }
}

function messageOf(error: unknown): string {
  if (error instanceof CowrieError) return error.message
  throw error
}

function causeOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code)
  return error instanceof Error ? error.message : String(error)
}
