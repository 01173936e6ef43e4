// The models of the organisation, with their prices in its currency.
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { locale } from '../../i18n/language.ts'
import { msg, t } from '../../i18n/t.ts'
import { Listing } from '../../ui/base/listing.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { type AvailableModel, hasOnePrice, priceOf } from './available-models.ts'

const CAPABILITIES = {
  tools: msg('tools'),
  images: msg('images'),
  reasoning: msg('reasoning'),
  cache: msg('prompt cache'),
}

const CLASSES = [
  ['input', msg('Input')],
  ['cached_input', msg('Cached input')],
  ['cache_write', msg('Cache write')],
  ['output', msg('Output')],
] as const

export default function Models() {
  const models = useResource('models', () => api.gateway.models())
  return (
    <Page
      title={t('Models and prices')}
      note={t('The models that your organisation can use. Prices are per million tokens.')}
    >
      <Listing
        from={models}
        items={({ data }) => data}
        empty={t('Your organisation can use no model now. Ask its administrator.')}
      >
        {(model) => <Model model={model} />}
      </Listing>
      <p class="onward">
        <a href="/app/tools">{t('Use your tools')}</a>
      </p>
    </Page>
  )
}

const Model = ({ model }: { model: AvailableModel }) => (
  <div class="model">
    <div class="model-name">
      <p class="row-name">
        <bdi>{model.title}</bdi>
      </p>
      <p class="help">
        <code dir="ltr">{model.id}</code>
      </p>
      <p class="help">
        {t('{window} tokens window, {output} output', {
          window: formatCount(model.context_window),
          output: formatCount(model.max_output_tokens),
        })}
      </p>
      {model.capabilities && model.capabilities.length > 0 && (
        <ul class="chips" aria-label={t('Capabilities')}>
          {model.capabilities.map((each) => (
            <li key={each} class="chip">
              {t(CAPABILITIES[each])}
            </li>
          ))}
        </ul>
      )}
    </div>
    <dl class="model-prices">
      {hasOnePrice(model) ? (
        <Price name={t('All tokens')} price={priceOf(model, model.price.input)} />
      ) : (
        CLASSES.map(([name, words]) => (
          <Price key={name} name={t(words)} price={priceOf(model, model.price[name])} />
        ))
      )}
    </dl>
  </div>
)

const Price = ({ name, price }: { name: string; price: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <bdi dir="ltr">{price}</bdi>
    </dd>
  </div>
)

const formatCount = (value: number): string => new Intl.NumberFormat(locale()).format(value)
