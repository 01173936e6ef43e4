// The email domains of an organisation, verified by a TXT record.
import type { SsoDomain } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { moment } from '../../../i18n/format.ts'
import { Say } from '../../../i18n/message.tsx'
import { msg, t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Copyable } from '../../../ui/base/copyable.tsx'
import { Refusal } from '../../../ui/base/error-notice.tsx'
import { Part } from '../../../ui/base/sheet.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'
import { Question } from '../../../ui/input/dialog-button.tsx'
import { barredFrom } from '../orgs/org-texts.ts'

type Props = { orgId: string; orgName: string; domains: readonly SsoDomain[]; onChanged: () => Promise<void> }

export function Domains({ orgId, orgName, domains, onChanged }: Props) {
  const barred = barredFrom('sso')
  const typed = useSignal('')
  const action = useAction(async (form: FormData) => {
    const { domain } = await api.orgs.sso.domains.add(orgId, { domain: textOf(form, 'domain').trim() })
    await onChanged()
    typed.value = ''
    announce(t('{domain} is claimed. Its TXT record is shown.', { domain }))
  })
  return (
    <Part title={t('Mail domains')}>
      <p>
        {t('Who has an address of a verified domain is led to the provider, and joins {name} there.', {
          name: orgName,
        })}
      </p>
      {domains.length > 0 && (
        <ul class="rows">
          {domains.map((domain) => (
            <li key={domain.domain}>
              <Domain orgId={orgId} domain={domain} onChanged={onChanged} />
            </li>
          ))}
        </ul>
      )}
      <fieldset disabled={barred !== null}>
        <Form
          action={action}
          submit={t('Add the domain')}
          busy={t('Adding …')}
          fields={['domain']}
          back="domain"
        >
          <Field
            name="domain"
            label={t('Domain')}
            refused={action.failure.value}
            placeholder="example.com"
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value
            }}
            required
            dir="ltr"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        </Form>
      </fieldset>
      {barred !== null && <p class="help needs">{barred}</p>}
    </Part>
  )
}

const PROBLEMS: Readonly<Record<string, string>> = {
  record_missing: msg('The record is not there yet. New records can take an hour to be seen.'),
  dns_unreachable: msg('The name servers of this domain do not answer right now.'),
}

type DomainProps = Pick<Props, 'orgId' | 'onChanged'> & { domain: SsoDomain }

function Domain({
  orgId,
  domain: { domain, verified, txtRecord, txtNames, verifiedAt },
  onChanged,
}: DomainProps) {
  const problem = useSignal<string | null>(null)
  const barred = barredFrom('sso')
  const look = useAction(async () => {
    const found = await api.orgs.sso.domains.add(orgId, { domain })
    problem.value = found.problem
    announce(found.verified ? t('{domain} is verified.', { domain }) : t(PROBLEMS[found.problem ?? ''] ?? ''))
    if (found.verified) await onChanged()
  })
  return (
    <div class="row">
      <div>
        <p class="row-name">
          <bdi dir="ltr">{domain}</bdi>{' '}
          <span class={verified ? 'chip ok' : 'chip warn'}>
            {verified ? t('Verified') : t('Not verified')}
          </span>
        </p>
        {verified ? (
          <p class="help">{verifiedAt && moment(verifiedAt)}</p>
        ) : (
          <>
            <p class="help">
              <Say
                text="Add a TXT record with this text at {first} or {second}."
                first={<code dir="ltr">{txtNames[0]}</code>}
                second={<code dir="ltr">{txtNames[1]}</code>}
              />
            </p>
            <Copyable text={txtRecord} label={t('the TXT record of {domain}', { domain })} />
          </>
        )}
        {problem.value && <p class="bad">{t(PROBLEMS[problem.value] ?? problem.value)}</p>}
        {look.failure.value && <Refusal failure={look.failure.value} />}
      </div>
      <div class="choices">
        {!verified && (
          <button
            type="button"
            aria-label={t('Verify {domain}', { domain })}
            disabled={barred !== null}
            aria-disabled={look.busy.value}
            onClick={() => void look.run()}
          >
            {look.busy.value ? t('Looking …') : t('Verify')}
          </button>
        )}
        <Question
          label={t('Remove')}
          name={domain}
          question={t('Give up {domain}?', { domain })}
          look="grave"
          barred={barred}
          act={async () => {
            await api.orgs.sso.domains.remove(orgId, domain)
            await onChanged()
            announce(t('{domain} is given up.', { domain }))
          }}
        >
          <p>
            {t(
              'Its addresses no longer lead to the provider, and whoever signed in through it signs in again.',
            )}
          </p>
        </Question>
      </div>
    </div>
  )
}
