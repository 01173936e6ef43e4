// Whatever somebody does is on the record, or there is a reason why not.
import { describe, expect, test } from 'vitest'
import { modules } from '../modules.ts'
import { isRail, isUnsafe } from '../platform/http/route.ts'

const MAIL_ONLY = 'changes nothing but sends a mail; the use of its link is recorded'
const ASKS = 'only asks; what is done with the answer is recorded'
const CONTENT = 'the content itself says who wrote what and when, and the ledger what it cost'

/** What is not recorded by the call itself, and why. A reason that nothing needs any more fails as well. */
const UNRECORDED: Readonly<Record<string, string>> = {
  'auth.verifyResend': MAIL_ONLY,
  'auth.password.forgot': MAIL_ONLY,
  'auth.magic.request': MAIL_ONLY,
  'auth.mfa.enroll': 'a secret counts for nothing until it is confirmed, which is recorded',
  'auth.passkeys.options': ASKS,
  'auth.passkeys.signInOptions': ASKS,
  'index.search': 'a search changes nothing',
  'review.scan': 'a scan changes nothing and costs nothing',
  'auth.device.start': 'nobody is known yet; the approval and the key are recorded',
  'wallet.topup': 'a wish to pay moves nothing; what is paid is recorded when it is settled',
  'wallet.topupOtp': 'a code for the provider; what is paid is recorded when it is settled',
  'wallet.verify': 'looks at a payment, which is recorded when it is settled',
  'payments.mock.decide': 'pays or declines in play; what is paid is recorded when it is settled',
  'subscription.preview': ASKS,
  'billing.runRenewals': 'each renewal is recorded by itself',
  'contact.lead': 'a stranger’s letter, kept as such',
  'agent.quote': ASKS,
  'chat.threads.create': CONTENT,
  'chat.threads.change': CONTENT,
  'chat.threads.delete': CONTENT,
  'chat.messages.quote': ASKS,
  'chat.messages.stop': CONTENT,
  'mcp.exchange': 'each tool is recorded as the operation that it calls',
}

const unsafe = modules.flatMap((module) => module.routes ?? []).filter(({ method }) => isUnsafe(method))
const unrecorded = unsafe.filter(({ audit }) => !audit)

describe('every call that may change something', () => {
  test.for(unrecorded)('$name has a reason not to be recorded', (route) => {
    // The provider is not who pays; and what work costs is in the ledger, entry by entry.
    if (isRail(route.access) || route.paid) return
    expect(Object.keys(UNRECORDED), `give ${route.name} an audit entry, or a reason here`).toContain(
      route.name,
    )
  })

  test('by staff or by an owner or admin is recorded, unless it only asks', () => {
    const silent = unrecorded.filter(
      ({ access, name }) =>
        typeof access === 'object' &&
        ('staff' in access || 'role' in access || 'roleOrStaff' in access) &&
        UNRECORDED[name] !== ASKS,
    )
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  test('is recorded where no reason is needed any more', () => {
    const names = unrecorded.filter(({ paid }) => !paid).map(({ name }) => name)
    expect(Object.keys(UNRECORDED).filter((name) => !names.includes(name))).toEqual([])
  })
})
