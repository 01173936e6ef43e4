// The limits of a key in a form: budget, models, rates and addresses. All are optional.
import type { ApiKey, KeysCreateBody } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { type ApiFailure, problem } from '../../data/failure.ts'
import { useResource } from '../../data/resource.ts'
import { type Currency, plainAmount } from '../../i18n/money.ts'
import { msg, t } from '../../i18n/t.ts'
import { Field } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { ChipsField, listOf, type Suggestion } from '../../ui/input/chips-field.tsx'
import { Select } from '../../ui/input/select.tsx'
import { parseAmount } from '../../ui/money/parse-amount.ts'

export type KeyLimits = Pick<
  ApiKey,
  'budgetMinor' | 'budgetPeriod' | 'models' | 'requestsPerMinute' | 'tokensPerMinute' | 'allowedAddresses'
>

export const NO_LIMITS: KeyLimits = {
  budgetMinor: null,
  budgetPeriod: 'month',
  models: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  allowedAddresses: null,
}

export const LIMIT_FIELDS = [
  'budgetMinor',
  'budgetPeriod',
  'models',
  'requestsPerMinute',
  'tokensPerMinute',
  'allowedAddresses',
] as const

const PERIODS = [
  ['month', msg('Per month')],
  ['week', msg('Per week')],
  ['day', msg('Per day')],
  ['total', msg('In total')],
] as const

type Props = { limits: KeyLimits; currency: Currency; failure: ApiFailure | null; prefix?: string }

/** `prefix` keeps the ids apart from those of another form on the page. */
export function KeyLimitFields({ limits, currency, failure, prefix = '' }: Props) {
  const idOf = (name: string) => `${prefix}${name}`
  return (
    <div class="fields">
      <BudgetFields limits={limits} currency={currency} failure={failure} prefix={prefix} />
      <ChipsField
        name="models"
        id={idOf('models')}
        label={t('Models')}
        help={t('Empty: all models. An asterisk at the end matches every name that begins so.')}
        values={limits.models ?? []}
        suggestions={useModelNames()}
        placeholder="claude-*"
        failure={failure}
      />
      <div class="pair">
        <Field
          name="requestsPerMinute"
          id={idOf('requestsPerMinute')}
          label={t('Requests per minute')}
          failure={failure}
          defaultValue={limits.requestsPerMinute === null ? '' : String(limits.requestsPerMinute)}
          {...WHOLE_NUMBER}
        />
        <Field
          name="tokensPerMinute"
          id={idOf('tokensPerMinute')}
          label={t('Tokens per minute')}
          failure={failure}
          defaultValue={limits.tokensPerMinute === null ? '' : String(limits.tokensPerMinute)}
          {...WHOLE_NUMBER}
        />
      </div>
      <ChipsField
        name="allowedAddresses"
        id={idOf('allowedAddresses')}
        label={t('Allowed addresses')}
        help={t('Empty: everywhere. IP addresses and ranges such as 10.0.0.0/8.')}
        values={limits.allowedAddresses ?? []}
        placeholder="203.0.113.7"
        failure={failure}
      />
    </div>
  )
}

export const BudgetFields = ({ limits, currency, failure, prefix = '' }: Props) => (
  <div class="pair">
    <Field
      name="budgetMinor"
      id={`${prefix}budgetMinor`}
      label={t('Budget ({currency})', { currency: currency.symbol })}
      help={t('Empty: no budget.')}
      failure={failure}
      defaultValue={limits.budgetMinor === null ? '' : plainAmount(limits.budgetMinor, currency)}
      inputMode="decimal"
      dir="ltr"
      autocomplete="off"
      maxLength={30}
    />
    <Select
      name="budgetPeriod"
      id={`${prefix}budgetPeriod`}
      label={t('Period')}
      defaultValue={limits.budgetPeriod}
      options={PERIODS.map(([period, words]) => [period, t(words)])}
      failure={failure}
    />
  </div>
)

const WHOLE_NUMBER = { inputMode: 'numeric', dir: 'ltr', autocomplete: 'off', maxLength: 20 } as const

/** Without them the names are typed. */
function useModelNames(): Suggestion[] {
  const { value } = useResource('models', () => api.gateway.models()).current
  return value.state === 'ready' ? value.value.data.map(({ id, title }) => [id, title]) : []
}

/** Throws an error at the field that cannot be read. */
export function limitsFrom(
  form: FormData,
  currency: Currency,
): Required<Pick<KeysCreateBody, keyof KeyLimits>> {
  const models = listOf(form, 'models')
  const addresses = listOf(form, 'allowedAddresses')
  return {
    ...budgetFrom(form, currency),
    models: models.length === 0 ? null : models,
    requestsPerMinute: wholeNumberFrom(form, 'requestsPerMinute'),
    tokensPerMinute: wholeNumberFrom(form, 'tokensPerMinute'),
    allowedAddresses: addresses.length === 0 ? null : addresses,
  }
}

export function budgetFrom(
  form: FormData,
  currency: Currency,
): Pick<KeyLimits, 'budgetMinor' | 'budgetPeriod'> {
  const budgetPeriod = textOf(form, 'budgetPeriod') as KeyLimits['budgetPeriod']
  const typed = textOf(form, 'budgetMinor').trim()
  if (typed === '') return { budgetMinor: null, budgetPeriod }
  const amount = parseAmount(typed, currency)
  if ('error' in amount) throw problem(amount.error, { path: 'budgetMinor' })
  return { budgetMinor: amount.minor, budgetPeriod }
}

function wholeNumberFrom(form: FormData, path: 'requestsPerMinute' | 'tokensPerMinute'): number | null {
  const typed = textOf(form, path).trim()
  if (typed === '') return null
  if (!/^\d{1,12}$/.test(typed)) throw problem(t('must be a whole number'), { path })
  return Number(typed)
}
