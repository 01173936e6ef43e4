// The form of one model.
import type { Provider } from '@cowrie/sdk'
import { useAction } from '../../data/use-action.ts'
import { msg, t } from '../../i18n/t.ts'
import { Field } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { ChipsField } from '../../ui/input/chips-field.tsx'
import { Select } from '../../ui/input/select.tsx'
import { RequiredTier } from '../ops/shared/required-tier.tsx'
import { api } from '../ops/shared/staff-api.ts'
import { isAllowed } from '../ops/shared/tiers.ts'
import { bodyOf, CAPABILITIES, type EditedModel, modelFrom } from './model-body.ts'
import { PriceFields } from './price-fields.tsx'
import { RouteFields } from './route-fields.tsx'

const FIELDS = ['id', 'title', 'lane', 'routes', 'contextTokens', 'outputTokens', 'price', 'aliases']
const CODE = { dir: 'ltr', autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const

const CAPABILITY_TEXTS: Readonly<Record<(typeof CAPABILITIES)[number], string>> = {
  tools: msg('Tools'),
  images: msg('Images'),
  reasoning: msg('Reasoning'),
  cache: msg('Prompt cache'),
}

type Props = {
  model: EditedModel
  isNew: boolean
  providers: readonly Provider[]
  onSaved: (id: string) => Promise<void>
}

export function ModelEditor({ model, isNew, providers, onSaved }: Props) {
  const action = useAction(async (form: FormData) => {
    const edited = modelFrom(form, model, isAllowed('modelSecrets'))
    await api.admin.models.set(edited.id, bodyOf(edited))
    await onSaved(edited.id)
  })
  const failure = action.failure.value
  return (
    <>
      <RequiredTier action="models" />
      <fieldset class="model-form" disabled={!isAllowed('models')}>
        <Form action={action} submit={t('Save model')} busy={t('Saving …')} fields={FIELDS} back="title">
          {isNew && (
            <Field
              name="id"
              label={t('ID')}
              help={t('The name that customers send, such as claude-sonnet. It cannot be changed.')}
              failure={failure}
              required
              maxLength={100}
              {...CODE}
            />
          )}
          <div class="pair">
            <Field
              name="title"
              label={t('Title')}
              help={t('Optional. Default: the ID.')}
              defaultValue={model.title}
              failure={failure}
              maxLength={100}
              dir="auto"
              autocomplete="off"
            />
            <Select
              name="lane"
              label={t('Lane')}
              defaultValue={model.lane}
              options={[
                ['open', 'open'],
                ['frontier', 'frontier'],
              ]}
              help={t('Policies allow or deny lanes.')}
              failure={failure}
            />
          </div>
          <div class="pair">
            <Field
              name="contextTokens"
              label={t('Context window (tokens)')}
              defaultValue={String(model.contextTokens)}
              failure={failure}
              required
              inputMode="numeric"
              maxLength={12}
              {...CODE}
            />
            <Field
              name="outputTokens"
              label={t('Maximum output (tokens)')}
              defaultValue={String(model.outputTokens)}
              failure={failure}
              required
              inputMode="numeric"
              maxLength={12}
              {...CODE}
            />
          </div>
          <Capabilities chosen={model.capabilities} />
          <PriceFields price={model.price} isNew={isNew} failure={failure} />
          <RouteFields routes={model.routes} providers={providers} failure={failure} prefix="" />
          <ChipsField
            name="aliases"
            label={t('Aliases')}
            help={t('Other names. A * at the end matches any ending.')}
            values={model.aliases}
            placeholder="claude-sonnet-*"
            failure={failure}
          />
          <label class="tick">
            <input type="checkbox" name="enabled" defaultChecked={model.enabled} />
            <span>{t('Enabled')}</span>
          </label>
        </Form>
      </fieldset>
    </>
  )
}

const Capabilities = ({ chosen }: { chosen: EditedModel['capabilities'] }) => (
  <fieldset>
    <legend>{t('Capabilities')}</legend>
    <div class="capabilities">
      {CAPABILITIES.map((each) => (
        <label key={each} class="tick">
          <input type="checkbox" name="capabilities" value={each} defaultChecked={chosen.includes(each)} />
          <span>{t(CAPABILITY_TEXTS[each])}</span>
        </label>
      ))}
    </div>
  </fieldset>
)
