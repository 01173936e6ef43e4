// The organisation itself: who it is, whether it is verified, what is decided about it, and the way out.
import { useEffect } from 'preact/hooks'
import { api } from '../api.ts'
import { Copyable } from '../app/copy.tsx'
import { place } from '../app/place.ts'
import { Receipt } from '../app/receipt.tsx'
import { useResource } from '../app/resource.ts'
import { Part, Sheet } from '../app/sheet.tsx'
import { moment } from '../app/words.ts'
import { msg, t } from '../i18n/t.ts'
import { orgNameFor } from '../identity/org-name.ts'
import { ROLES } from '../identity/roles.ts'
import { type Me, session } from '../identity/session.ts'
import { currencyName } from '../money.ts'
import { Close } from './close.tsx'
import { Rules } from './rules.tsx'
import { TakeAlong } from './take-along.tsx'
import { Verification } from './verification.tsx'

const TYPES: Readonly<Record<string, string>> = { individual: msg('One person'), team: msg('Team') }

export default function Organisation() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const { part } = place.value
  useEffect(() => {
    if (part === 'verification') document.getElementById(part)?.scrollIntoView()
  }, [part])
  return (
    <Sheet title={t('Organisation')} wide>
      {me.orgSuspended && me.role !== 'member' && <WhySuspended />}
      <Receipt
        lines={[
          [t('Name'), orgNameFor(me, me.orgName)],
          [t('Kind'), t(TYPES[me.orgType] ?? me.orgType)],
          [t('Your role'), t(ROLES[me.role] ?? me.role)],
          [t('Plan'), me.plan ?? t('Pay as you go')],
          [t('Currency'), `${currencyName(me.currency)} (${me.currency.code})`],
        ]}
      />
      <div class="reference">
        <span class="small-title">{t('Quote this id when you write to us')}</span>
        <Copyable text={me.orgId} label={t('the id of the organisation')} />
      </div>
      <span id="verification" />
      <Verification me={me} />
      <Rules me={me} />
      <Part title={t('What was done, and who is told')}>
        <div class="choices">
          <a class="button" href="/app/audit">
            {t('Audit log')}
          </a>
          <a class="button" href="/app/webhooks">
            {t('Webhooks')}
          </a>
        </div>
      </Part>
      <TakeAlong me={me} />
      <Close me={me} />
    </Sheet>
  )
}

/** The reason is in the record of the organisation, which its owners and administrators may read. */
function WhySuspended() {
  const entries = useResource('audit.suspension', () => api.audit.list({ action: 'org.suspend', limit: 1 }))
  const current = entries.current.value
  const last = current.state === 'ready' ? current.value.entries[0] : undefined
  const reason = typeof last?.metadata.reason === 'string' ? last.metadata.reason : null
  return (
    <section class="why-suspended" aria-label={t('Suspension')} aria-busy={current.state === 'loading'}>
      <h2>{t('Why it is suspended')}</h2>
      <p dir="auto" data-testid="suspension-reason">
        {current.state === 'loading' ? (
          <span class="blank line" />
        ) : (
          (reason ?? t('No reason was written down.'))
        )}
      </p>
      {last && <p class="help">{moment(last.createdAt)}</p>}
      <a class="button" href="/app/contact">
        {t('Ask us about it')}
      </a>
    </section>
  )
}
