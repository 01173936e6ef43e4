// The routes of a model: provider, name of the model there, priority and weight.
import type { Provider } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import type { ApiFailure } from '../../data/failure.ts'
import { t } from '../../i18n/t.ts'
import { Field, fieldError } from '../../ui/form/field.tsx'
import { Select } from '../../ui/input/select.tsx'
import type { EditedRoute } from './model-body.ts'

const ROUTES_MAX = 20

type Props = {
  routes: readonly EditedRoute[]
  providers: readonly Provider[]
  failure: ApiFailure | null
  /** Keeps the ids of several lists on one page apart. */
  prefix: string
}

export function RouteFields({ routes, providers, failure, prefix }: Props) {
  const rows = useSignal(routes.map((route, index) => ({ key: index, route })))
  const add = () => {
    const key = Math.max(-1, ...rows.value.map((row) => row.key)) + 1
    const providerId = providers[0]?.id ?? ''
    rows.value = [...rows.value, { key, route: { providerId, upstreamModel: '', priority: 0, weight: 100 } }]
  }
  return (
    <fieldset>
      <legend>{t('Routes')}</legend>
      <p class="help">
        {t('The lowest priority number is tried first. Weights split the calls within a priority.')}
      </p>
      <ul class="routes">
        {rows.value.map(({ key, route }, index) => (
          <li key={key} class="route">
            <RouteRow
              route={route}
              index={index}
              id={`${prefix}route-${key}`}
              providers={providers}
              failure={failure}
              onRemove={() => {
                rows.value = rows.value.filter((row) => row.key !== key)
              }}
            />
          </li>
        ))}
      </ul>
      <button type="button" disabled={rows.value.length >= ROUTES_MAX} onClick={add}>
        {t('Add route')}
      </button>
    </fieldset>
  )
}

type RowProps = {
  route: EditedRoute
  index: number
  id: string
  providers: readonly Provider[]
  failure: ApiFailure | null
  onRemove: () => void
}

function RouteRow({ route, index, id, providers, failure, onRemove }: RowProps) {
  const wrong = fieldError(failure, `routes.${index}`)
  return (
    <>
      <Select
        name="route.providerId"
        id={`${id}-provider`}
        label={t('Provider')}
        defaultValue={route.providerId}
        options={providers.map((each) => [each.id, each.name])}
      />
      <Field
        name="route.upstreamModel"
        id={`${id}-model`}
        label={t('Model at the provider')}
        defaultValue={route.upstreamModel}
        required
        maxLength={200}
        {...CODE}
      />
      <Field
        name="route.priority"
        id={`${id}-priority`}
        label={t('Priority')}
        defaultValue={String(route.priority)}
        inputMode="numeric"
        required
        maxLength={4}
        {...CODE}
      />
      <Field
        name="route.weight"
        id={`${id}-weight`}
        label={t('Weight')}
        defaultValue={String(route.weight)}
        inputMode="numeric"
        required
        maxLength={4}
        {...CODE}
      />
      <button type="button" aria-label={t('Remove route {n}', { n: index + 1 })} onClick={onRemove}>
        {t('Remove')}
      </button>
      {wrong !== null && <p class="bad">{wrong}</p>}
    </>
  )
}

const CODE = { dir: 'ltr', autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const
