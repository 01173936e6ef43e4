// Remedies that the user can apply, by error code.
import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { type ApiFailure, asFailure } from '../../../data/failure.ts'
import { useResource } from '../../../data/resource.ts'
import { reloadAfterSwitch, session, signOut } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatMoney, plainAmount } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { errorText } from '../../../ui/base/error-text.ts'
import { ConfirmFactor } from './confirm-factor.tsx'

const REMEDIES: Readonly<Record<string, ComponentType<{ failure: ApiFailure }>>> = {
  reauth_required: SignInAgain,
  step_up_required: () => <ConfirmFactor />,
  second_factor_required: () => <ConfirmFactor />,
  approval_required: () => <LinkButton href="/app/ops/approvals" label={t('See approvals')} />,
  insufficient_funds: TopUpMissing,
  org_address_not_allowed: SwitchOrg,
  org_suspended: () => <LinkButton href="/app/contact" label={t('Contact us')} />,
  kyc_required: () => <LinkButton href="/app/organisation#verification" label={t('Verify your business')} />,
  member_cap_reached: RaiseCap,
}

export default function Remedy({ failure }: { failure: ApiFailure }) {
  const Found = REMEDIES[failure.code]
  return Found ? <Found failure={failure} /> : null
}

/** Signs out and returns to the same screen after the sign-in. */
function SignInAgain() {
  const { run, busy, failure } = useAction(signOut)
  return (
    <>
      {failure.value && <p>{errorText(failure.value)}</p>}
      <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
        {busy.value ? t('Signing out …') : t('Sign in again')}
      </button>
    </>
  )
}

/** The other organisations of the user stay open from this address. */
function SwitchOrg() {
  const orgs = useResource('me.orgs', () => api.me.orgs())
  const { run, busy, failure } = useAction(async (orgId: string) => {
    await api.me.switchOrg({ orgId })
    await reloadAfterSwitch()
  })
  const current = orgs.current.value
  if (current.state !== 'ready') return null
  return (
    <>
      {failure.value && <p>{errorText(failure.value)}</p>}
      <div class="choices">
        {current.value.orgs
          .filter(({ active }) => !active)
          .map(({ orgId, name }) => (
            <button key={orgId} type="button" aria-disabled={busy.value} onClick={() => void run(orgId)}>
              {t('Switch to {name}', { name })}
            </button>
          ))}
      </div>
    </>
  )
}

/** Typed text stays in the form while the user tops up. */
function TopUpMissing({ failure: { detail } }: { failure: ApiFailure }) {
  const { value } = session
  const { requiredMinor, availableMinor } = detail
  if (value.state !== 'in' || typeof requiredMinor !== 'bigint' || typeof availableMinor !== 'bigint')
    return null
  const { currency } = value.me
  const missing = requiredMinor - availableMinor
  // A payment may have arrived since the error.
  if (missing <= 0n) return null
  return (
    <p>
      <a class="button" href={`/app/wallet?amount=${plainAmount(missing, currency)}#top-up`}>
        {t('Top up {amount} or more', { amount: formatMoney(missing, currency) })}
      </a>
    </p>
  )
}

const LinkButton = ({ href, label }: { href: string; label: string }) => (
  <p>
    <a class="button" href={href}>
      {label}
    </a>
  </p>
)

/** Names an owner of the team as soon as the member list is loaded. */
function RaiseCap({ failure: { detail } }: { failure: ApiFailure }) {
  const { value } = session
  const owner = useSignal<string | null>(null)
  const orgId = value.state === 'in' ? value.me.orgId : null
  useEffect(() => {
    if (orgId === null) return
    api.teams.members.list(orgId, { limit: 50 }).then(
      ({ members }) => {
        owner.value = members.find(({ role }) => role === 'owner')?.email ?? null
      },
      // The general sentence stays.
      asFailure,
    )
  }, [orgId])
  const { requiredMinor, availableMinor } = detail
  return (
    <>
      <p>
        {owner.value ? t('Ask {email} to raise it.', { email: owner.value }) : t('Ask an owner to raise it.')}
      </p>
      {value.state === 'in' && typeof requiredMinor === 'bigint' && typeof availableMinor === 'bigint' && (
        <p class="help">
          {t('{left} is left, and this may cost {amount}.', {
            left: formatMoney(availableMinor, value.me.currency),
            amount: formatMoney(requiredMinor, value.me.currency),
          })}
        </p>
      )}
    </>
  )
}
