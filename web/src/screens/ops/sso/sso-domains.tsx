// The email domains of an organisation, verified by a TXT record.
import type { SsoDomain } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { msg, t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { announce } from '../../../ui/base/announcer.tsx'
import { Copyable } from '../../../ui/base/copyable.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { disabledReasonFor } from '../orgs/org-texts.ts'

type Props = { orgId: string; orgName: string; domains: readonly SsoDomain[]; onChanged: () => Promise<void> }

export function Domains({ orgId, orgName, domains, onChanged }: Props) {
  const disabledReason = disabledReasonFor('sso')
  const typed = useSignal('')
  const action = useAction(async (form: FormData) => {
    const { domain } = await api.orgs.sso.domains.add(orgId, { domain: textOf(form, 'domain').trim() })
    await onChanged()
    typed.value = ''
    announce(t('{domain} added. Set its TXT record.', { domain }))
  })
  return (
    <Section title={t('Email domains')}>
      <p>
        {t('Users with a verified domain sign in at the provider and join {name}.', {
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
      <fieldset disabled={disabledReason !== null}>
        <Form action={action} submit={t('Add domain')} busy={t('Adding …')} fields={['domain']} back="domain">
          <Field
            name="domain"
            label={t('Domain')}
            failure={action.failure.value}
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
      {disabledReason !== null && <p class="help needs">{disabledReason}</p>}
    </Section>
  )
}

const PROBLEMS: Readonly<Record<string, string>> = {
  record_missing: msg('The record was not found yet. New records can take an hour.'),
  dns_unreachable: msg('The name servers of this domain do not respond.'),
}

type DomainProps = Pick<Props, 'orgId' | 'onChanged'> & { domain: SsoDomain }

function Domain({
  orgId,
  domain: { domain, verified, txtRecord, txtNames, verifiedAt },
  onChanged,
}: DomainProps) {
  const problem = useSignal<string | null>(null)
  const disabledReason = disabledReasonFor('sso')
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
          <p class="help">{verifiedAt && formatDateTime(verifiedAt)}</p>
        ) : (
          <>
            <p class="help">
              <Trans
                text="Add a TXT record with this text at {first} or {second}."
                first={<code dir="ltr">{txtNames[0]}</code>}
                second={<code dir="ltr">{txtNames[1]}</code>}
              />
            </p>
            <Copyable text={txtRecord} label={t('the TXT record of {domain}', { domain })} />
          </>
        )}
        {problem.value && <p class="bad">{t(PROBLEMS[problem.value] ?? problem.value)}</p>}
        {look.failure.value && <ErrorNotice failure={look.failure.value} />}
      </div>
      <div class="choices">
        {!verified && (
          <button
            type="button"
            aria-label={t('Verify {domain}', { domain })}
            disabled={disabledReason !== null}
            aria-disabled={look.busy.value}
            onClick={() => void look.run()}
          >
            {look.busy.value ? t('Checking …') : t('Verify')}
          </button>
        )}
        <DialogButton
          label={t('Remove')}
          name={domain}
          question={t('Remove {domain}?', { domain })}
          look="grave"
          disabledReason={disabledReason}
          act={async () => {
            await api.orgs.sso.domains.remove(orgId, domain)
            await onChanged()
            announce(t('{domain} removed.', { domain }))
          }}
        >
          <p>{t('Its addresses no longer use the provider, and its users must sign in again.')}</p>
        </DialogButton>
      </div>
    </div>
  )
}
