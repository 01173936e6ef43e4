// The models that the organisation can use, as the list of the service has them.
import type { GatewayModelsReply } from '@cowrie/sdk'
import { formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { currencyOf } from '../../ui/money/currencies.ts'

export type AvailableModel = GatewayModelsReply['data'][number]

const PREFERRED = ['frontier', 'open']

/** The model that a tool starts with, as `cowrie setup` chooses it. */
export const exampleModel = (models: readonly AvailableModel[]): AvailableModel | undefined =>
  PREFERRED.map((name) => models.find(({ id }) => id === name)).find((model) => model) ?? models[0]

export const priceOf = ({ currency }: AvailableModel, minor: number): string =>
  formatMoney(BigInt(minor), currencyOf(currency))

/** A lane has one price for all tokens. */
export const hasOnePrice = ({ capabilities, price }: AvailableModel): boolean =>
  capabilities === null && new Set(Object.values(price)).size === 1

export const priceLine = (model: AvailableModel): string =>
  hasOnePrice(model)
    ? t('{price} per million tokens.', { price: priceOf(model, model.price.input) })
    : t('{input} input and {output} output per million tokens.', {
        input: priceOf(model, model.price.input),
        output: priceOf(model, model.price.output),
      })
