// The guide of one tool: install, model, key, configuration, start, first call.
import type { KeysCreateReply } from '@cowrie/sdk'
import type { ClientRecipe, ClientValues } from '@cowrie/sdk/clients'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Currency } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Copyable } from '../../ui/base/copyable.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Select } from '../../ui/input/select.tsx'
import { type AvailableModel, exampleModel, priceLine } from './available-models.ts'
import { FirstCall } from './first-call.tsx'
import { needsHttpsHere } from './recipe-facts.ts'
import { RecipeText } from './recipe-text.tsx'
import { ToolConfiguration } from './tool-configuration.tsx'
import { ToolKey } from './tool-key.tsx'

type Props = { recipe: ClientRecipe; models: readonly AvailableModel[]; currency: Currency }

export function ToolGuide({ recipe, models, currency }: Props) {
  const first = exampleModel(models)
  return first ? (
    <Steps recipe={recipe} models={models} currency={currency} first={first} />
  ) : (
    <p class="help">{t('Your organisation can use no model now. Ask its administrator.')}</p>
  )
}

function Steps({ recipe, models, currency, first }: Props & { first: AvailableModel }) {
  const modelId = useSignal(first.id)
  const made = useSignal<KeysCreateReply | null>(null)
  const time = useMemo(() => new Date(), [])
  const model = models.find(({ id }) => id === modelId.value) ?? first
  const values = valuesOf(model, made.value?.key, time)
  return (
    <>
      {needsHttpsHere(recipe) && (
        <p class="tool-warning">
          {t('{tool} refuses addresses without HTTPS, and {address} has none.', {
            tool: recipe.title,
            address: location.origin,
          })}
        </p>
      )}
      <Section title={t('1. Install {tool}', { tool: recipe.title })}>
        <Install recipe={recipe} />
      </Section>
      <Section title={t('2. Choose a model')}>
        <div class="tool-model">
          <Select
            name="model"
            label={t('Model')}
            value={model.id}
            options={models.map(({ id, title }) => [id, title === id ? id : `${title} (${id})`])}
            onChoose={(id) => {
              modelId.value = id
            }}
            help={priceLine(model)}
          />
        </div>
      </Section>
      <Section title={t('3. Create a key for this tool')}>
        <ToolKey recipe={recipe} currency={currency} made={made} />
      </Section>
      <Section title={t('4. Configure {tool}', { tool: recipe.title })}>
        <ToolConfiguration recipe={recipe} values={values} hasKey={made.value !== null} />
      </Section>
      <Section title={t('5. Start')}>
        <Start recipe={recipe} values={values} />
        <FirstCall key={made.value?.id} keyId={made.value?.id ?? null} currency={currency} />
      </Section>
    </>
  )
}

/** Shown until a key exists. Not translated, because it stands in code. */
const NO_KEY = 'YOUR_API_KEY'

const valuesOf = (model: AvailableModel, key: string | undefined, time: Date): ClientValues => ({
  baseUrl: location.origin,
  key: key ?? NO_KEY,
  model: model.id,
  contextTokens: model.context_window,
  outputTokens: Math.min(model.max_output_tokens, model.context_window),
  images: model.capabilities?.includes('images') ?? false,
  time,
})

const Install = ({ recipe: { install, title } }: { recipe: ClientRecipe }) =>
  'command' in install ? (
    <>
      <p>{t('Skip this if you have it.')}</p>
      <Copyable text={install.command} label={t('the command')} />
    </>
  ) : (
    <p>
      <Trans
        text="Get {tool} from {page}, unless you have it."
        tool={title}
        page={
          <a href={install.page} target="_blank" rel="noreferrer" dir="ltr">
            {new URL(install.page).host}
          </a>
        }
      />
    </p>
  )

/** The start of a recipe is a command, or a sentence. */
const Start = ({ recipe, values }: { recipe: ClientRecipe; values: ClientValues }) => {
  const isSentence = recipe.start.endsWith('.')
  return (
    <>
      {isSentence ? (
        <p>
          <RecipeText text={recipe.start} values={values} />
        </p>
      ) : (
        <Copyable text={recipe.start} label={t('the command')} />
      )}
      {recipe.notes.length > 0 && (
        <ul class="tool-notes" aria-label={t('Good to know')}>
          {recipe.notes.map((note) => (
            <li key={note}>
              <RecipeText text={note} values={values} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
