// Checks every account of a provider with safe calls, and names what to repair. No call can move money.
import { record } from '../../audit/audit.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { ProviderName } from '../channels.ts'
import { type Account, accountsOf } from '../rails/accounts.ts'
import { probeCallback } from './callback.ts'
import { type Network, networkOf } from './exchange.ts'
import { probeClock, probeKeys, probeSignature } from './offline-probes.ts'
import {
  probeAccount,
  probeRegistration,
  probeToken,
  probeUnknownReference,
  type Subject,
} from './provider-probes.ts'
import { type Finding, PROBES, type ProbeName, type ProbeResult, skipped, summarise } from './result.ts'

type AccountDiagnosis = {
  account: string
  keys: Account['keys']
  status: ReturnType<typeof summarise>
  probes: ProbeResult[]
}
export type DoctorReport = {
  rail: ProviderName
  status: ReturnType<typeof summarise>
  checkedAt: Date
  accounts: AccountDiagnosis[]
}

/** Runs the probes and records the run. */
export async function runDoctor(
  app: App,
  name: ProviderName,
  { actor, ip }: { actor: Actor; ip: string },
): Promise<DoctorReport> {
  const report = await diagnose(app, name)
  const failures = report.accounts.flatMap(({ account, probes }) =>
    probes.filter(({ status }) => status === 'failed').map(({ probe }) => `${account}.${probe}`),
  )
  await app.db.tx('platform', (tx) =>
    record(tx, {
      orgId: null,
      actor,
      as: 'operator',
      ip,
      action: 'admin.rails.doctor',
      target: name,
      metadata: { status: report.status, failures },
    }),
  )
  return report
}

/** Takes at most two deadlines of a probe: the second round needs accepted keys. */
export async function diagnose(
  app: App,
  name: ProviderName,
  network: Network = networkOf(app),
): Promise<DoctorReport> {
  const subjects = accountsOf(app, name).flatMap((account): Subject[] =>
    account.probes ? [{ app, name, account, probes: account.probes, network, exchanges: [] }] : [],
  )
  const [first] = subjects
  // All accounts have the same webhook URL.
  const callback = first ? probeCallback(app, name, first.probes, network) : null
  const accounts = await Promise.all(
    subjects.map((subject) => diagnoseAccount(subject, callback ?? Promise.resolve(NOT_TRIED))),
  )
  return { rail: name, status: summarise(accounts), checkedAt: app.clock.now(), accounts }
}

const NOT_TRIED = skipped('Not tried, because the keys were not accepted.')

/** Calls at most three probes at once. */
async function diagnoseAccount(subject: Subject, callback: Promise<Finding>): Promise<AccountDiagnosis> {
  const [token, reachable] = await Promise.all([probeToken(subject), callback])
  const ifAccepted = (probe: (subject: Subject) => Promise<Finding> | Finding) =>
    token.status === 'ok' ? probe(subject) : NOT_TRIED
  const [unknownReference, country, registration] = await Promise.all([
    ifAccepted(probeUnknownReference),
    ifAccepted(probeAccount),
    ifAccepted(probeRegistration),
  ])
  const findings: Record<ProbeName, Finding> = {
    keys: probeKeys(subject),
    token,
    unknown_reference: unknownReference,
    account: country,
    signature: probeSignature(subject),
    callback: reachable,
    registration,
    clock: probeClock(subject),
  }
  const probes = PROBES.map((probe) => ({ probe, ...withoutSecrets(subject.app, findings[probe]) }))
  const { account, keys } = subject.account
  return { account, keys, status: summarise(probes), probes }
}

/** A provider may repeat a key or a token in its message. */
function withoutSecrets({ config }: App, { status, finding, remedy }: Finding): Finding {
  const secrets = Object.entries(config.rails)
    .filter(([name, value]) => SECRET.test(name) && value.length >= 6)
    .map(([, value]) => value)
    // One can be the beginning of another.
    .toSorted((a, b) => b.length - a.length)
  const redacted = secrets
    .reduce(redact, finding)
    .replace(TOKEN, '…')
    .replace(/\p{Cc}+/gu, ' ')
  return { status, remedy, finding: redacted.slice(0, FINDING_CHARACTERS_MAX) }
}

const FINDING_CHARACTERS_MAX = 500
/** Longer than our references and all codes of providers. Commits are no tokens. */
const TOKEN = /(?![\da-f]{40}\b)[\w/=-]{40,}(?:\.[\w/=-]+)*/g
const PREFIX_CHARACTERS = 12

/** Removes a secret, also where a limit of characters has cut it. */
function redact(text: string, secret: string): string {
  const whole = text.replaceAll(secret, '…')
  for (let length = secret.length - 1; length >= PREFIX_CHARACTERS; length--)
    if (whole.includes(secret.slice(0, length))) return whole.replaceAll(secret.slice(0, length), '…')
  return whole
}

const SECRET = /_(KEY|SECRET|PASSKEY|HASH|USER|ID|CODE|CREDENTIAL|PREVIOUS)(_[A-Z]{2})?$/
