// Provisioning by a directory service: the base URL, and the SCIM tokens with their last use.
import type { NewScimToken, ScimProvisioning, ScimToken } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Copyable } from '../../ui/base/copyable.tsx'
import { Listing } from '../../ui/base/listing.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
import { ConfirmButton } from '../../ui/input/confirm-button.tsx'

/** Only for owners of a team. */
export function Provisioning({ orgId }: { orgId: Me['orgId'] }) {
  const provisioning = useResource(`orgs.scim.${orgId}`, () => api.orgs.sso.scim.get(orgId))
  const made = useSignal<NewScimToken | null>(null)
  const current = provisioning.current.value
  const known = current.state === 'ready' ? current.value : null
  const action = useAction(async (form: FormData) => {
    made.value = await api.orgs.sso.scim.addToken(orgId, { name: textOf(form, 'directory').trim() })
    await provisioning.load()
  })
  return (
    <Section title={t('User provisioning (SCIM)')}>
      <p>{t('Your directory service, such as Okta or Entra ID, adds and removes members.')}</p>
      {known && <Addresses known={known} />}
      {made.value && (
        <NewToken
          made={made.value}
          onDone={() => {
            made.value = null
          }}
        />
      )}
      <Listing from={provisioning} items={({ tokens }) => tokens} empty={t('No tokens yet')}>
        {(token) => <Token token={token} orgId={orgId} provisioning={provisioning} />}
      </Listing>
      <Form
        action={action}
        submit={t('Create token')}
        busy={t('Please wait …')}
        fields={['directory']}
        back="directory"
      >
        <Field
          name="directory"
          label={t('Name of the directory service')}
          failure={action.failure.value}
          required
          dir="auto"
          maxLength={100}
        />
      </Form>
    </Section>
  )
}

const Addresses = ({ known: { baseUrl, domains } }: { known: ScimProvisioning }) => (
  <>
    <div class="reference">
      <span class="small-title">{t('Base URL')}</span>
      <Copyable text={baseUrl} label={t('the base URL')} />
    </div>
    <p class="help">
      {domains.length > 0
        ? t('Users need an address in {domains}.', { domains: domains.join(', ') })
        : t('Contact us to verify your email domain first.')}
    </p>
  </>
)

function NewToken({ made, onDone }: { made: NewScimToken; onDone: () => void }) {
  useEffect(() => document.getElementById('token-made')?.focus(), [made])
  return (
    <section class="once" aria-labelledby="token-made">
      <h2 id="token-made" tabIndex={-1}>
        {t('Save this token now')}
      </h2>
      <p>{t('It is shown only once. Keep it secret.')}</p>
      <Copyable text={made.token} label={t('the token')} />
      <div class="choices">
        <button type="button" class="primary" onClick={onDone}>
          {t('I saved it')}
        </button>
      </div>
    </section>
  )
}

type TokenProps = { token: ScimToken; orgId: string; provisioning: Resource<ScimProvisioning> }

const Token = ({ token: { id, name, prefix, lastUsedAt }, orgId, provisioning }: TokenProps) => (
  <div class="row">
    <div>
      <p class="row-name">
        <bdi>{name}</bdi>
      </p>
      <p class="help">
        <code dir="ltr">{prefix}…</code> ·{' '}
        {lastUsedAt ? t('used {time}', { time: formatDateTime(lastUsedAt) }) : t('never used')}
      </p>
    </div>
    <ConfirmButton
      label={t('Revoke')}
      name={name}
      question={t('Revoke “{name}”?', { name })}
      act={async () => {
        await api.orgs.sso.scim.revokeToken(orgId, id)
        await provisioning.load()
        announce(t('The token is revoked.'))
        document.getElementById('screen-title')?.focus()
      }}
    >
      <p>{t('The directory service stops working immediately. Members stay members.')}</p>
    </ConfirmButton>
  </div>
)
