// The connection to the identity provider of an organisation. Its secret is write-only.
import type { OrgsSsoAddBody, OrgsSsoGetReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import type { ApiFailure } from '../../../data/failure.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Copyable } from '../../../ui/base/copyable.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Form, textOf } from '../../../ui/form/form.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { LongField } from '../../../ui/input/long-field.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { disabledReasonFor } from '../orgs/org-texts.ts'

type ConnectionFacts = OrgsSsoGetReply['connection']
type Props = { orgId: string; connection: ConnectionFacts; onChanged: () => Promise<void> }
const FIELDS = ['issuer', 'clientId', 'clientSecret', 'entityId', 'ssoUrl', 'certificate']

export function Connection({ orgId, connection, onChanged }: Props) {
  const type = useSignal<'oidc' | 'saml'>(connection?.type ?? 'oidc')
  const disabledReason = disabledReasonFor('sso')
  const action = useAction(async (form: FormData) => {
    const given = Object.fromEntries(
      FIELDS.map((name) => [name, textOf(form, name).trim()]).filter(([, value]) => value !== ''),
    )
    const enabled = form.has('enabled')
    if (connection) await api.orgs.sso.change(orgId, { ...given, enabled })
    else await api.orgs.sso.add(orgId, { ...given, type: type.value, enabled } as OrgsSsoAddBody)
    await onChanged()
    announce(t('The connection is saved.'))
  })
  const failure = action.failure.value
  return (
    <Section title={t('Identity provider')}>
      <p data-testid="sso-connection">
        {connection === null ? (
          t('No connection yet.')
        ) : (
          <>
            <span class={connection.enabled ? 'chip ok' : 'chip warn'}>
              {connection.enabled ? t('Connected') : t('Off')}
            </span>{' '}
            {t('Changed {time}.', { time: formatDateTime(connection.updatedAt) })}
          </>
        )}
      </p>
      <fieldset disabled={disabledReason !== null}>
        <Form
          action={action}
          submit={connection ? t('Save') : t('Connect')}
          busy={t('Checking …')}
          fields={FIELDS}
          back={type.value === 'oidc' ? 'issuer' : 'entityId'}
        >
          {connection === null && (
            <Select
              name="type"
              label={t('Kind')}
              value={type.value}
              onChoose={(value) => {
                type.value = value === 'saml' ? 'saml' : 'oidc'
                action.reset()
              }}
              options={[
                ['oidc', 'OpenID Connect'],
                ['saml', 'SAML 2.0'],
              ]}
            />
          )}
          {type.value === 'oidc' ? (
            <Oidc connection={connection} failure={failure} />
          ) : (
            <Saml connection={connection} failure={failure} />
          )}
          <label class="tick">
            <input type="checkbox" name="enabled" defaultChecked={connection?.enabled ?? true} />
            <span>{t('Enabled for sign-in')}</span>
          </label>
        </Form>
      </fieldset>
      {disabledReason !== null && <p class="help needs">{disabledReason}</p>}
      {connection && (
        <>
          <div class="reference">
            <span class="small-title">{t('Register with the provider')}</span>
            <Copyable text={connection.redirectUri} label={t('the address to register')} />
          </div>
          <div class="choices">
            <DialogButton
              label={t('Remove connection')}
              question={t('Remove the connection?')}
              look="grave"
              disabledReason={disabledReason}
              act={async () => {
                await api.orgs.sso.remove(orgId)
                await onChanged()
                announce(t('The connection is removed.'))
              }}
            >
              <p>
                {t(
                  'Sign-in through this provider stops and its identities are deleted. If single sign-on is required, no member can sign in.',
                )}
              </p>
            </DialogButton>
          </div>
        </>
      )}
    </Section>
  )
}

type ConnectionFields = { connection: ConnectionFacts; failure: ApiFailure | null }
const PLAIN = { dir: 'ltr', autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const

const Oidc = ({ connection, failure }: ConnectionFields) => (
  <>
    <Field
      name="issuer"
      label={t('Issuer')}
      failure={failure}
      value={connection?.issuer ?? ''}
      placeholder="https://login.example.com"
      required
      {...PLAIN}
    />
    <Field
      name="clientId"
      label={t('Client id')}
      failure={failure}
      value={connection?.clientId ?? ''}
      required
      {...PLAIN}
    />
    <Field
      name="clientSecret"
      label={t('Client secret')}
      type="password"
      help={
        connection?.hasClientSecret
          ? t('A secret is stored. Leave empty to keep it.')
          : t('Stored encrypted and never shown again.')
      }
      failure={failure}
      {...PLAIN}
      autocomplete="new-password"
    />
  </>
)

const Saml = ({ connection, failure }: ConnectionFields) => (
  <>
    <Field
      name="entityId"
      label={t('Entity id of the provider')}
      failure={failure}
      value={connection?.entityId ?? ''}
      required
      {...PLAIN}
    />
    <Field
      name="ssoUrl"
      label={t('Sign-in address')}
      failure={failure}
      value={connection?.ssoUrl ?? ''}
      required
      {...PLAIN}
    />
    <LongField
      name="certificate"
      label={t('Certificates, as PEM')}
      failure={failure}
      value={connection?.certificate ?? ''}
      rows={6}
      dir="ltr"
      required
    />
    <p class="help">
      <a href="/auth/sso/saml/metadata" download="cowrie-saml.xml">
        {t('Our metadata for the provider')}
      </a>
    </p>
  </>
)
