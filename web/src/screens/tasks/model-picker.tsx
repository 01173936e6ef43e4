// Chooses the model of a turn, with its price.
import type { GatewayModelsReply } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { currencyOf } from '../../ui/money/currencies.ts'

type Model = GatewayModelsReply['data'][number]
type Props = { id: string; value: string; onChoose: (model: string) => void; label?: string }

/** An empty value lets the service choose. */
export function ModelPicker({ id, value, onChoose, label = t('Model') }: Props) {
  const { current } = useResource('models', () => api.gateway.models())
  const models = current.value.state === 'ready' ? current.value.value.data : []
  const isKnown = value === '' || models.some((model) => model.id === value)
  return (
    <select
      id={id}
      class="model-picker"
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{t('Automatic model')}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {models.map((model) => (
        <option key={model.id} value={model.id}>
          {`${model.title} · ${priceOf(model)}`}
        </option>
      ))}
    </select>
  )
}

function priceOf({ price, currency }: Model): string {
  const money = (minor: number) => formatMoney(BigInt(minor), currencyOf(currency))
  return price.input === price.output
    ? t('{price} per million tokens', { price: money(price.input) })
    : t('{input} in, {output} out per million tokens', {
        input: money(price.input),
        output: money(price.output),
      })
}
