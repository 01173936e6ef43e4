// The dialogs that create and change a provider. Only super admins set its address, format and key.
import type { AdminProvidersChangeBody, Provider } from '@cowrie/sdk'
import { type ApiFailure, problem } from '../../data/failure.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Field } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'
import { Select } from '../../ui/input/select.tsx'
import { RequiredTier } from '../ops/shared/required-tier.tsx'
import { api } from '../ops/shared/staff-api.ts'
import { disabledReasonFor, isAllowed } from '../ops/shared/tiers.ts'
import { WIRES } from './provider-texts.ts'

const FIELDS = ['name', 'wire', 'baseUrl', 'apiKey', 'region', 'weight']
const CODE = { dir: 'ltr', autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const

export const NewProvider = ({ reload }: { reload: () => Promise<void> }) => (
  <DialogButton
    label={t('New provider')}
    submit={t('Add provider')}
    question={t('Add a provider')}
    fields={FIELDS}
    look="primary"
    disabledReason={disabledReasonFor('modelSecrets')}
    act={async (form) => {
      const { name } = await api.admin.providers.create({
        ...commonFrom(form),
        wire: wireFrom(form),
        baseUrl: textOf(form, 'baseUrl').trim(),
        apiKey: textOf(form, 'apiKey').trim() || null,
      })
      await reload()
      announce(t('{name} is added.', { name }))
    }}
  >
    {(failure) => <ProviderFields provider={null} failure={failure} />}
  </DialogButton>
)

type EditProps = { provider: Provider; reload: () => Promise<void> }

export const EditProvider = ({ provider, reload }: EditProps) => (
  <DialogButton
    label={t('Edit')}
    submit={t('Save')}
    name={provider.name}
    question={t('Edit {name}', { name: provider.name })}
    fields={FIELDS}
    disabledReason={disabledReasonFor('models') && ''}
    act={async (form) => {
      await api.admin.providers.change(provider.id, {
        ...commonFrom(form),
        ...(isAllowed('modelSecrets') ? targetFrom(form) : {}),
      })
      await reload()
      announce(t('{name} is saved.', { name: provider.name }))
    }}
  >
    {(failure) => <ProviderFields provider={provider} failure={failure} />}
  </DialogButton>
)

const wireFrom = (form: FormData) => textOf(form, 'wire') as Provider['wire']

function commonFrom(form: FormData) {
  const weight = textOf(form, 'weight').trim()
  if (!/^\d{1,6}$/.test(weight)) throw problem(t('must be a whole number'), { path: 'weight' })
  return {
    name: textOf(form, 'name').trim(),
    region: textOf(form, 'region').trim() || null,
    weight: Number(weight),
  }
}

/** An empty key stays as it is unless it is to be removed. */
function targetFrom(form: FormData): AdminProvidersChangeBody {
  const apiKey = textOf(form, 'apiKey').trim()
  return {
    wire: wireFrom(form),
    baseUrl: textOf(form, 'baseUrl').trim(),
    ...(apiKey !== '' && { apiKey }),
    ...(form.has('removeKey') && { apiKey: null }),
  }
}

function ProviderFields({ provider, failure }: { provider: Provider | null; failure: ApiFailure | null }) {
  return (
    <>
      <Field
        name="name"
        label={t('Name')}
        defaultValue={provider?.name ?? ''}
        failure={failure}
        required
        maxLength={60}
        dir="auto"
        autocomplete="off"
      />
      <Target provider={provider} failure={failure} />
      <div class="pair">
        <Field
          name="region"
          label={t('Region')}
          help={t('Optional.')}
          defaultValue={provider?.region ?? ''}
          failure={failure}
          maxLength={40}
          {...CODE}
        />
        <Field
          name="weight"
          label={t('Weight')}
          help={t('Share of the calls. 0: used last.')}
          defaultValue={String(provider?.weight ?? 100)}
          failure={failure}
          required
          inputMode="numeric"
          maxLength={6}
          {...CODE}
        />
      </div>
    </>
  )
}

function Target({ provider, failure }: { provider: Provider | null; failure: ApiFailure | null }) {
  const hasKey = provider !== null && provider.keyLast4 !== null
  return (
    <fieldset class="fields" disabled={!isAllowed('modelSecrets')}>
      <legend class="unseen">{t('Address and key')}</legend>
      <RequiredTier action="modelSecrets" />
      <Select
        name="wire"
        label={t('Format')}
        defaultValue={provider?.wire ?? 'openai'}
        options={Object.entries(WIRES)}
        failure={failure}
      />
      <Field
        name="baseUrl"
        label={t('Address')}
        help={t('OpenAI: with the version, such as https://api.openai.com/v1. Others: without it.')}
        defaultValue={provider?.baseUrl ?? ''}
        placeholder="https://api.openai.com/v1"
        failure={failure}
        required
        maxLength={2_000}
        {...CODE}
      />
      <Field
        name="apiKey"
        label={t('Key')}
        type="password"
        help={
          hasKey
            ? t('Leave empty to keep the key ending in {last4}. A new host without a key clears it.', {
                last4: provider.keyLast4 ?? '',
              })
            : t('Stored encrypted and never shown again.')
        }
        failure={failure}
        maxLength={4_096}
        {...CODE}
        autocomplete="new-password"
      />
      {hasKey && (
        <label class="tick">
          <input type="checkbox" name="removeKey" />
          <span>{t('Remove the key')}</span>
        </label>
      )}
    </fieldset>
  )
}
