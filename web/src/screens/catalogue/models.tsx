// The model catalogue: the list, the editor of one model, and the further routes of the lanes.
import type { AdminModelsListReply, CatalogueModel, Provider } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { type Resource, useResource } from '../../data/resource.ts'
import { useAction } from '../../data/use-action.ts'
import { t, tn } from '../../i18n/t.ts'
import { appLocation, navigate } from '../../router/location.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page, Section } from '../../ui/base/sheet.tsx'
import { Dialog } from '../../ui/input/dialog-button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { Menu } from '../../ui/layout/menu.tsx'
import { RequiredTier } from '../ops/shared/required-tier.tsx'
import { api } from '../ops/shared/staff-api.ts'
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
        <Page title={t('Models')} width="work">
          {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={catalogue.load} />}
          {current.state === 'loading' && <div class="blank catalogue-place" aria-busy="true" />}
        </Page>
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
    <Page
      title={title}
      width="work"
      action={
        <a class="button" href={LIST}>
          {t('All models')}
        </a>
      }
    >
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
    </Page>
  )
}

function List({ catalogue, loaded }: { catalogue: Resource<Catalogue>; loaded: Catalogue }) {
  const reason = disabledReasonFor('modelSecrets')
  return (
    <Page
      title={t('Models')}
      width="work"
      note={t('Prices are in naira per million tokens. Changes reach every server within seconds.')}
      action={
        <button
          type="button"
          class="primary"
          disabled={reason !== null}
          aria-describedby={reason === null ? undefined : 'why-new'}
          onClick={() => navigate(`${LIST}?${NEW}=1`)}
        >
          {t('New model')}
        </button>
      }
    >
      <RequiredTier action="models" />
      {reason !== null && (
        <p class="help" id="why-new">
          {reason}
        </p>
      )}
      <Section title={t('Catalogue')}>
        {loaded.models.length === 0 ? (
          <EmptyState
            picture="list"
            title={t('No models yet')}
            text={t('Customers use the lanes open and frontier.')}
          />
        ) : (
          <>
            <div class="model-line model-heads" aria-hidden="true">
              <span>{t('Model')}</span>
              <span>{t('Lane')}</span>
              <span>{t('Routes')}</span>
              <span>{t('Input')}</span>
              <span>{t('Output')}</span>
            </div>
            <ul class="rows">
              {loaded.models.map((model) => (
                <li key={model.id} class="model-line">
                  <Row model={model} reload={catalogue.load} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Section>
      {loaded.lanes.map((lane) => (
        <LaneSection key={lane.id} lane={lane} providers={loaded.providers} reload={catalogue.load} />
      ))}
    </Page>
  )
}

type RowProps = { model: CatalogueModel; reload: () => Promise<void> }

function Row({ model, reload }: RowProps) {
  const { id, title, lane, routes, aliases, price, enabled } = model
  return (
    <>
      <div>
        <p class="row-name">
          <bdi>{title}</bdi> {!enabled && <span class="chip warn">{t('Disabled')}</span>}
        </p>
        <p class="help">
          <code dir="ltr">{[id, ...aliases].join(', ')}</code>
        </p>
      </div>
      <span>
        <span class="chip">{lane}</span>
      </span>
      <span>{tn(routes.length, '{n} route', '{n} routes')}</span>
      <span>
        <span class="head-word">{t('Input')} </span>
        <bdi dir="ltr">{naira(price.input)}</bdi>
      </span>
      <span>
        <span class="head-word">{t('Output')} </span>
        <bdi dir="ltr">{naira(price.output)}</bdi>
      </span>
      <Actions model={model} reload={reload} />
    </>
  )
}

function Actions({ model, reload }: RowProps) {
  const { id, enabled, title } = model
  const isDeleting = useSignal(false)
  const isBarred = disabledReasonFor('models') !== null
  const { run, busy, failure } = useAction(async () => {
    await api.admin.models.set(id, { ...bodyOf(model), enabled: !enabled })
    await reload()
    announce(enabled ? t('{name} is disabled.', { name: id }) : t('{name} is enabled.', { name: id }))
  })
  return (
    <div class="catalogue-acts">
      {failure.value && <ErrorNotice failure={failure.value} />}
      <a class="button" href={`${LIST}?model=${encodeURIComponent(id)}`} aria-label={`${t('Edit')} ${title}`}>
        {t('Edit')}
      </a>
      <Menu label={t('Actions for {name}', { name: title })}>
        <button type="button" aria-disabled={busy.value} disabled={isBarred} onClick={() => void run()}>
          {enabled ? t('Disable') : t('Enable')}
        </button>
        <button
          type="button"
          class="grave"
          disabled={isBarred}
          onClick={() => {
            isDeleting.value = true
          }}
        >
          {t('Delete')}
        </button>
      </Menu>
      {isDeleting.value && (
        <Dialog
          label={t('Delete')}
          question={t('Delete the model {name}?', { name: id })}
          look="grave"
          onClose={() => {
            isDeleting.value = false
          }}
          act={async () => {
            await api.admin.models.delete(id)
            await reload()
            announce(t('{name} is deleted.', { name: id }))
            document.getElementById('screen-title')?.focus()
          }}
        >
          <p>{t('Calls to it fail from now on. Past charges stay.')}</p>
        </Dialog>
      )}
    </div>
  )
}
