// The model catalogue: the list, the editor of one model, and the further routes of the lanes.
import type { AdminModelsListReply, CatalogueModel, Provider } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { useAction } from '../../data/use-action.ts'
import { t, tn } from '../../i18n/t.ts'
import { appLocation, navigate } from '../../router/location.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Section, Sheet } from '../../ui/base/sheet.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'
import { RequiredTier } from '../ops/shared/required-tier.tsx'
import { disabledReasonFor } from '../ops/shared/tiers.ts'
import { LaneSection } from './lane-section.tsx'
import { bodyOf, NEW_MODEL } from './model-body.ts'
import { ModelEditor } from './model-editor.tsx'
import { naira } from './price-fields.tsx'

export type Catalogue = AdminModelsListReply & { providers: readonly Provider[] }

export default function Models() {
  const catalogue = useResource('ops.models', readCatalogue)
  const current = catalogue.current.value
  return (
    <>
      {current.state === 'ready' ? (
        <Loaded catalogue={catalogue} loaded={current.value} />
      ) : (
        <Sheet title={t('Models')} wide>
          {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={catalogue.load} />}
          {current.state === 'loading' && <div class="blank catalogue-place" aria-busy="true" />}
        </Sheet>
      )}
    </>
  )
}

async function readCatalogue(): Promise<Catalogue> {
  const [listing, { providers }] = await Promise.all([api.admin.models.list(), api.admin.providers.list()])
  return { ...listing, providers }
}

const LIST = '/app/ops/models'
const NEW = 'new'

function Loaded({ catalogue, loaded }: { catalogue: Resource<Catalogue>; loaded: Catalogue }) {
  const { query } = appLocation.value
  const chosen = loaded.models.find(({ id }) => id === query.get('model'))
  const isNew = query.has(NEW)
  if (!chosen && !isNew) return <List catalogue={catalogue} loaded={loaded} />
  const title = chosen ? t('Edit {name}', { name: chosen.title }) : t('New model')
  return (
    <Sheet title={title} wide>
      <p class="onward">
        <a href={LIST}>{t('All models')}</a>
      </p>
      <ModelEditor
        key={chosen?.id ?? ''}
        model={chosen ?? NEW_MODEL}
        isNew={!chosen}
        providers={loaded.providers}
        onSaved={async (id) => {
          await catalogue.load()
          navigate(LIST)
          announce(t('{name} is saved.', { name: id }))
        }}
      />
    </Sheet>
  )
}

function List({ catalogue, loaded }: { catalogue: Resource<Catalogue>; loaded: Catalogue }) {
  const reason = disabledReasonFor('modelSecrets')
  return (
    <Sheet title={t('Models')} wide>
      <p class="help">
        {t('Prices are in naira per million tokens. Changes reach every server within seconds.')}
      </p>
      <RequiredTier action="models" />
      <div class="choices question">
        <button
          type="button"
          class="primary"
          disabled={reason !== null}
          aria-describedby={reason === null ? undefined : 'why-new'}
          onClick={() => navigate(`${LIST}?${NEW}=1`)}
        >
          {t('New model')}
        </button>
        {reason !== null && (
          <span class="help" id="why-new">
            {reason}
          </span>
        )}
      </div>
      <Section title={t('Catalogue')}>
        {loaded.models.length === 0 && (
          <p class="help">{t('No models yet. Customers use the lanes open and frontier.')}</p>
        )}
        <ul class="rows">
          {loaded.models.map((model) => (
            <li key={model.id} class="row">
              <Row model={model} reload={catalogue.load} />
            </li>
          ))}
        </ul>
      </Section>
      {loaded.lanes.map((lane) => (
        <LaneSection key={lane.id} lane={lane} providers={loaded.providers} reload={catalogue.load} />
      ))}
    </Sheet>
  )
}

type RowProps = { model: CatalogueModel; reload: () => Promise<void> }

function Row({ model, reload }: RowProps) {
  const { id, title, lane, routes, aliases, price, enabled } = model
  return (
    <>
      <div>
        <p class="row-name">
          <bdi>{title}</bdi> <span class="chip">{lane}</span>{' '}
          {!enabled && <span class="chip warn">{t('Disabled')}</span>}
        </p>
        <p class="help">
          <code dir="ltr">{[id, ...aliases].join(', ')}</code>
        </p>
        <p class="help">
          {tn(routes.length, '{n} route', '{n} routes')} ·{' '}
          {t('{input} input, {output} output', { input: naira(price.input), output: naira(price.output) })}
        </p>
      </div>
      <Actions model={model} reload={reload} />
    </>
  )
}

function Actions({ model, reload }: RowProps) {
  const { id, enabled, title } = model
  const reason = disabledReasonFor('models')
  const { run, busy, failure } = useAction(async () => {
    await api.admin.models.set(id, { ...bodyOf(model), enabled: !enabled })
    await reload()
    announce(enabled ? t('{name} is disabled.', { name: id }) : t('{name} is enabled.', { name: id }))
  })
  const label = enabled ? t('Disable') : t('Enable')
  return (
    <div class="catalogue-acts">
      {failure.value && <ErrorNotice failure={failure.value} />}
      <a class="button" href={`${LIST}?model=${encodeURIComponent(id)}`} aria-label={`${t('Edit')} ${title}`}>
        {t('Edit')}
      </a>
      <button
        type="button"
        aria-label={`${label} ${title}`}
        aria-disabled={busy.value}
        disabled={reason !== null}
        onClick={() => void run()}
      >
        {label}
      </button>
      <DialogButton
        label={t('Delete')}
        name={title}
        question={t('Delete the model {name}?', { name: id })}
        look="grave"
        disabledReason={reason && ''}
        act={async () => {
          await api.admin.models.delete(id)
          await reload()
          announce(t('{name} is deleted.', { name: id }))
          document.getElementById('screen-title')?.focus()
        }}
      >
        <p>{t('Calls with its names are refused from now on. Past prices and charges stay.')}</p>
      </DialogButton>
    </div>
  )
}
