// Every unsafe route records an audit entry or is listed here with a reason.
import { describe, expect, test } from 'vitest'
import { modules } from '../modules.ts'
import { isRail, isUnsafe } from '../platform/http/route.ts'

const MAIL_ONLY = 'only sends a mail; the use of its link is recorded'
const READ_ONLY = 'only reads; the following change is recorded'
const CONTENT = 'the content has author and time, and the ledger has the cost'

/** Routes without an audit entry, with the reason. An unused entry fails the test. */
const UNRECORDED: Readonly<Record<string, string>> = {
  'auth.verifyResend': MAIL_ONLY,
  'auth.password.forgot': MAIL_ONLY,
  'auth.magic.request': MAIL_ONLY,
  'auth.mfa.enroll': 'the secret has no effect until it is confirmed, which is recorded',
  'auth.passkeys.options': READ_ONLY,
  'auth.stepUp.options': READ_ONLY,
  'auth.passkeys.signInOptions': READ_ONLY,
  'push.subscriptions.save': 'a choice of one browser about its own notifications',
  'push.subscriptions.remove': 'a choice of one browser about its own notifications',
  'index.search': 'a search changes nothing',
  'gateway.countMessageTokens': 'a count changes nothing',
  'gateway.countTokens': 'a count changes nothing',
  'gateway.deleteResponse': CONTENT,
  'review.scan': 'a scan changes nothing and costs nothing',
  'review.customRules.test': 'a dry run stores nothing and costs nothing',
  'auth.github.link': 'the callback records the link',
  'auth.device.start': 'the user is not known yet; the approval and the key are recorded',
  'wallet.topup': 'starting a payment moves no money; the settlement is recorded',
  'wallet.topupOtp': 'passes a code to the provider; the settlement is recorded',
  'wallet.verify': 'checks a payment; the settlement is recorded',
  'payments.mock.decide': 'decides a mock payment; the settlement is recorded',
  'subscription.preview': READ_ONLY,
  'billing.runRenewals': 'each renewal is recorded',
  'contact.lead': 'a message of an anonymous visitor, which is stored',
  'agent.quote': READ_ONLY,
  'chat.threads.create': CONTENT,
  'chat.threads.change': CONTENT,
  'chat.threads.delete': CONTENT,
  'chat.messages.quote': READ_ONLY,
  'chat.messages.stop': CONTENT,
  'tasks.create': CONTENT,
  'tasks.patch': CONTENT,
  'tasks.quote': READ_ONLY,
  'tasks.quoteNew': READ_ONLY,
  'tasks.stop': CONTENT,
  'tasks.toolResults': CONTENT,
  'tasks.approve': CONTENT,
  'tasks.revert': CONTENT,
  'tasks.reject': CONTENT,
  'mcp.exchange': 'each tool is recorded as the operation that it calls',
}

const unsafe = modules.flatMap((module) => module.routes ?? []).filter(({ method }) => isUnsafe(method))
const unrecorded = unsafe.filter(({ audit }) => !audit)

describe('every unsafe route', () => {
  test.for(unrecorded)('$name has a reason not to be recorded', (route) => {
    // Providers are not users, and paid work is recorded in the ledger.
    if (isRail(route.access) || route.paid) return
    expect(Object.keys(UNRECORDED), `give ${route.name} an audit entry, or a reason here`).toContain(
      route.name,
    )
  })

  test('for staff, owners or admins is recorded, unless it only reads', () => {
    const missing = unrecorded.filter(
      ({ access, name }) =>
        typeof access === 'object' &&
        ('staff' in access || 'role' in access || 'roleOrStaff' in access) &&
        UNRECORDED[name] !== READ_ONLY,
    )
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  test('that is recorded has no entry in the list of reasons', () => {
    const names = unrecorded.filter(({ paid }) => !paid).map(({ name }) => name)
    expect(Object.keys(UNRECORDED).filter((name) => !names.includes(name))).toEqual([])
  })
})
