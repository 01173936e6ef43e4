// The price of each class of tokens: kobo per million tokens, with the same in naira.
import { useSignal } from '@preact/signals'
import type { ApiFailure } from '../../data/failure.ts'
import { msg, t } from '../../i18n/t.ts'
import { Field } from '../../ui/form/field.tsx'
import { moneyIn } from '../../ui/money/currencies.ts'
import { RequiredTier } from '../ops/shared/required-tier.tsx'
import { isAllowed } from '../ops/shared/tiers.ts'
import { type EditedModel, PRICES } from './model-body.ts'

const NAMES: Readonly<Record<(typeof PRICES)[number], string>> = {
  input: msg('Input'),
  output: msg('Output'),
  cachedInput: msg('Cached input'),
  cacheWrite: msg('Cache write'),
}

export const naira = (kobo: number): string => moneyIn(BigInt(kobo), 'NGN')

type Props = { price: EditedModel['price']; isNew: boolean; failure: ApiFailure | null }

export const PriceFields = ({ price, isNew, failure }: Props) => (
  <fieldset disabled={!isAllowed('modelSecrets')}>
    <legend>{t('Price in kobo per million tokens')}</legend>
    <RequiredTier action="modelSecrets" />
    <div class="prices">
      {PRICES.map((name) => (
        <PriceField key={name} name={name} kobo={isNew ? '' : String(price[name])} failure={failure} />
      ))}
    </div>
    <p class="help">{t('Empty cache prices default to the input price. Changes apply to new calls.')}</p>
  </fieldset>
)

type FieldProps = { name: (typeof PRICES)[number]; kobo: string; failure: ApiFailure | null }

function PriceField({ name, kobo, failure }: FieldProps) {
  const typed = useSignal(kobo)
  const digits = typed.value.replaceAll(/\s/g, '')
  return (
    <Field
      name={`price.${name}`}
      label={t(NAMES[name])}
      help={/^\d{1,12}$/.test(digits) ? naira(Number(digits)) : '\u00a0'}
      value={typed.value}
      onInput={(event) => {
        typed.value = event.currentTarget.value
      }}
      failure={failure}
      required={name === 'input' || name === 'output'}
      inputMode="numeric"
      dir="ltr"
      autocomplete="off"
      maxLength={20}
    />
  )
}
