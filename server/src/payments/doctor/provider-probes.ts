// The probes that call the provider: keys, an unused reference, the account and the registered webhook host.
import type { App } from '../../platform/app.ts'
import { channels, type ProviderName } from '../channels.ts'
import type { Account } from '../rails/accounts.ts'
import { type HttpClient, NoResponse } from '../rails/http-client.ts'
import { MARKETS } from '../rails/markets.ts'
import { TokenError } from '../rails/oauth-token.ts'
import { unusedReference } from '../rails/probes.ts'
import type { AccountReport, PaybillApi, RailProbes } from '../rails/rail.ts'
import { type Exchange, type Fault, faultOf, type Network, watchedClient } from './exchange.ts'
import { baseUrlOf, type Guide, guideOf, namesOf } from './provider-guides.ts'
import { type Finding, failed, notApplicable, notReadable, ok, skipped, warning } from './result.ts'

/** An account whose calls are watched. */
export type Subject = {
  readonly app: App
  readonly name: ProviderName
  readonly account: Account
  readonly probes: RailProbes
  readonly network: Network
  /** All calls to the provider, for the clock. */
  readonly exchanges: Exchange[]
}

export const probeToken = (subject: Subject): Promise<Finding> =>
  withClient(subject, async (http, fault) => {
    const guide = guideOf(subject)
    const names = namesOf(guide.keys, subject.account.suffix)
    const { keys, detail } = await subject.probes.tryKeys(http)
    if (keys === 'accepted')
      return ok([`${guide.title} accepted ${names}.`, guide.unchecked].filter(Boolean).join(' '))
    const problem = fault()
    if (problem) return problem
    if (keys === 'refused')
      return failed(
        `${guide.title} refused ${names} (${detail}).`,
        `Copy ${names} again from ${guide.keysPage}.`,
      )
    if (keys === 'address_refused')
      return failed(
        `${guide.title} does not accept calls from the address of this service (${detail}).`,
        `Add the outgoing address of this service to the allowed addresses at ${guide.title}.`,
      )
    return unclear(guide, detail)
  })

export const probeUnknownReference = (subject: Subject): Promise<Finding> =>
  withClient(subject, async (http, fault) => {
    const { name, account, probes } = subject
    const guide = guideOf(subject)
    const [currency] = account.currencies
    const channel = channels.find(({ rail }) => rail === name)?.name
    if (!currency || !channel) return skipped('No channel uses this account.')
    const { found, detail } = await probes.lookUp(http, { reference: unusedReference(), channel, currency })
    if (found === 'unknown') return ok(`${guide.title} answered that it does not know an unused reference.`)
    if (found === 'wrong_account')
      return probes.readAccount
        ? skipped('The provider does not accept the account: see "account".')
        : failed(`${guide.title} does not accept the account (${detail}).`, guide.wrongAccount ?? '')
    if (found === 'pending')
      return warning(
        `${guide.title} reports an unused reference as pending (${detail}).`,
        'Run the check again; if it stays, unpaid payments are closed only by their expiry.',
      )
    if (found === 'other')
      return failed(
        `${guide.title} reports an unused reference as ${detail}.`,
        `Start no payments, and ask the support of ${guide.title} why an unused reference has a status.`,
      )
    return fault() ?? unclear(guide, detail)
  })

export function probeAccount(subject: Subject): Promise<Finding> | Finding {
  const { probes } = subject
  const guide = guideOf(subject)
  const { readAccount } = probes
  const elsewhere = `Compare the country and currency in ${guide.accountPage} with this account.`
  if (!readAccount)
    return notReadable(
      `${guide.title} has no call that reports the country or currency of an account.`,
      elsewhere,
    )
  return withClient(subject, async (http, fault) => {
    const report = await readAccount(http)
    if (report.isRefused)
      return failed(
        `${guide.title} does not accept the account (${report.detail}).`,
        guide.wrongAccount ?? '',
      )
    if (report.currencies) return compare(subject, report, report.currencies)
    return (
      fault() ??
      notReadable(`${guide.title} did not report the currency of the account (${report.detail}).`, elsewhere)
    )
  })
}

function compare(subject: Subject, report: AccountReport, currencies: readonly string[]): Finding {
  const { name, account } = subject
  const { title, keys, accountPage } = guideOf(subject)
  const expected = report.expected ?? account.currencies
  const missing = expected.filter((each) => !currencies.includes(each))
  if (missing.length === 0) return ok(`${title} reports ${expected.join(', ')} for this account.`)
  const isOther = account.account === 'all' ? missing.length === expected.length : missing[0] === expected[0]
  const reported = currencies.slice(0, 12).join(', ')
  if (!isOther)
    return warning(
      `${title} does not report ${missing.join(', ')} for this account, only ${reported}.`,
      `Enable ${missing.join(', ')} at ${title} (see ${accountPage}); until then payments in it are refused.`,
    )
  const names = namesOf(keys, account.suffix)
  const home = Object.entries(MARKETS[name].countries).find(([, [first]]) => first === currencies[0])
  return failed(
    `${title} reports ${reported} for this account, which is configured for ${account.account} (${expected.join(', ')}).`,
    home
      ? `Put the keys of an account in ${account.account} into ${names}; these keys are of ${home[0]} and belong in ${namesOf(keys, `_${home[0]}`)}.`
      : `Put the keys of an account in ${account.account} into ${names}.`,
  )
}

export function probeRegistration(subject: Subject): Promise<Finding> | Finding {
  const { app, probes } = subject
  const { title, webhookPage } = guideOf(subject)
  if (subject.account.paybill) return probePaybill(subject.account.paybill)
  if (webhookPage === null) return notApplicable(`${title} gets the webhook URL with each payment.`)
  const { readWebhookHost } = probes
  const ours = new URL(app.config.baseUrl).hostname
  const unread = notReadable(
    `${title} does not report the registered webhook URL.`,
    readWebhookHost
      ? `Compare ${webhookPage} with ${ours}: MTN sends webhooks to this host only.`
      : `Compare ${webhookPage} with the webhook URL that GET /admin/rails shows for this rail.`,
  )
  if (!readWebhookHost) return unread
  return withClient(subject, async (http, fault) => {
    const host = await readWebhookHost(http)
    if (host === null) return fault() ?? unread
    return host === ours
      ? ok(`${title} sends webhooks to ${host}.`)
      : failed(
          `${title} sends webhooks only to ${host}, not to ${ours}.`,
          `Create a new API user with the providerCallbackHost ${ours}, or correct SERVICE_BASE_URL.`,
        )
  })
}

/** Prompts carry their webhook URL; the URLs for payments by hand are registered. */
function probePaybill({ shortcode, inquire }: PaybillApi): Finding {
  if (!inquire)
    return warning(
      `Payments at the paybill ${shortcode} cannot be verified, so each one waits for a decision of staff.`,
      'Set DARAJA_INITIATOR_NAME and DARAJA_SECURITY_CREDENTIAL.',
    )
  return notReadable(
    `Daraja does not report the URLs that are registered for the paybill ${shortcode}.`,
    'Register them with "cowrie admin rails register-urls", look for admin.rails.register_urls in the audit log, and pay 1 shilling to your own account number.',
  )
}

/** Runs a probe with its own deadline. `fault` names the fault of its last call. */
async function withClient(
  subject: Subject,
  probe: (http: HttpClient, fault: () => Finding | null) => Promise<Finding>,
): Promise<Finding> {
  const exchanges: Exchange[] = []
  const http = watchedClient(subject.app, subject.network, exchanges)
  const fault = () => {
    const found = faultOf(exchanges.at(-1))
    return found && failed(found.what, remedyOf(subject, found))
  }
  try {
    return await probe(http, fault)
  } catch (error) {
    if (!(error instanceof NoResponse || error instanceof TokenError)) throw error
    return fault() ?? unclear(guideOf(subject), error.message)
  } finally {
    subject.exchanges.push(...exchanges)
  }
}

const unclear = ({ title }: Guide, detail: string): Finding =>
  failed(
    `${title} gave an answer that we do not understand (${detail}).`,
    `Ask the support of ${title} whether the API is enabled for this account, with this code.`,
  )

function remedyOf(subject: Subject, { kind }: Fault): string {
  const { title } = guideOf(subject)
  const base = baseUrlOf(subject)
  switch (kind) {
    case 'unresolved':
      return `Correct ${base}, or the name server of this machine.`
    case 'not_public':
      return `Correct ${base}: it must name a public host.`
    case 'certificate':
      return `Correct ${base}, or remove the proxy that replaces certificates.`
    case 'redirect':
      return `Set ${base} to the address of the API itself, without a redirect.`
    case 'html':
      return `Correct ${base}; if it is right, a proxy or firewall answers in place of ${title} and must let the calls through.`
    case 'busy':
      return 'Wait a minute and run the check again.'
    case 'error':
      return `Look at the status page of ${title} and run the check again.`
    case 'timeout':
    case 'broken':
      return `Allow outgoing HTTPS from this machine to ${title} in the firewall; if it is allowed, look at the status page of ${title}.`
  }
}
