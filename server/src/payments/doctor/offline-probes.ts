// The probes without additional calls: the kind of keys, the signature of webhooks and the clock.
import { unusedReference } from '../rails/probes.ts'
import { guideOf, namesOf } from './provider-guides.ts'
import type { Subject } from './provider-probes.ts'
import { type Finding, failed, notApplicable, ok, skipped, warning } from './result.ts'

export function probeKeys(subject: Subject): Finding {
  const { app, account } = subject
  const { title, goLive } = guideOf(subject)
  const isProduction = app.config.environment === 'production'
  if (isProduction && account.keys === 'test')
    return failed('Test keys in production: their payments are never credited.', `For ${title}, ${goLive}.`)
  if (!isProduction && account.keys === 'live')
    return warning(
      'Live keys outside production: payments here move real money.',
      `Use test keys of ${title} here.`,
    )
  return ok(isProduction ? 'Live keys in production.' : 'Test keys outside production.')
}

/** A webhook that we signed ourselves proves our side. Only a real webhook proves the secret of the provider. */
export function probeSignature(subject: Subject): Finding {
  const { account, probes } = subject
  const { title, unsigned, signatureKeys, keys } = guideOf(subject)
  if (!probes.sampleWebhook) return notApplicable(unsigned ?? `${title} does not sign its webhooks.`)
  const names = namesOf(signatureKeys ?? keys, account.suffix)
  const reference = unusedReference()
  const sample = probes.sampleWebhook(reference)
  if (!sample)
    return warning(
      `${names} is not set, so every webhook is refused and payments are found by status checks alone.`,
      `Set ${names} to the secret hash in Settings > Webhooks of ${title}.`,
    )
  const event = account.parseWebhook(sample.genuine)
  const isRead =
    typeof event === 'object' && 'reference' in event.about && event.about.reference === reference
  if (!isRead)
    return failed(
      'A webhook with a valid signature was not accepted.',
      `Check ${names} for spaces or missing characters, and report a bug if they are right.`,
    )
  if (account.parseWebhook(sample.changed) !== 'forged')
    return failed(
      'A changed webhook was accepted.',
      `Remove the keys of ${title} until this is repaired, and report a bug.`,
    )
  return ok('A signed sample was accepted, and a changed one was refused.')
}

const WARN_MS = 60_000
const FAIL_MS = 300_000

/** From the Date headers of the other probes. The smallest difference counts, because a proxy may cache an old one. */
export function probeClock(subject: Subject): Finding {
  const { exchanges } = subject
  const { title } = guideOf(subject)
  const skews = exchanges.flatMap((each) => ('skewMs' in each && each.skewMs !== null ? [each.skewMs] : []))
  const [skew] = skews.toSorted((a, b) => Math.abs(a) - Math.abs(b))
  if (skew === undefined) return skipped(`${title} sent no time.`)
  const seconds = Math.round(Math.abs(skew) / 1000)
  if (seconds <= WARN_MS / 1000) return ok('Our clock agrees with the provider within a minute.')
  const finding = `Our clock is ${seconds} seconds ${skew > 0 ? 'behind' : 'ahead of'} ${title}.`
  const remedy = 'Switch on NTP on the database server, whose clock all replicas follow.'
  return seconds > FAIL_MS / 1000 ? failed(finding, remedy) : warning(finding, remedy)
}
