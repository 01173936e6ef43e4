// The providers of models: health, address, and the models that use them.
import type { CatalogueModel, LaneRoutes, Provider } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useResource } from '../../data/resource.ts'
import { useAction } from '../../data/use-action.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { locale } from '../../i18n/language.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { Dialog } from '../../ui/input/dialog-button.tsx'
import { Menu } from '../../ui/layout/menu.tsx'
import { RequiredTier } from '../ops/shared/required-tier.tsx'
import { api } from '../ops/shared/staff-api.ts'
import { disabledReasonFor } from '../ops/shared/tiers.ts'
import { EditProvider, NewProvider } from './provider-form.tsx'
import { HEALTH, WIRES } from './provider-texts.ts'

type Listed = { providers: readonly Provider[]; routed: readonly (CatalogueModel | LaneRoutes)[] }

export default function Providers() {
  const listing = useResource('ops.providers', readProviders)
  const current = listing.current.value
  return (
    <Page
      title={t('Providers')}
      width="work"
      note={t('Each provider is checked every minute, unless it just served a call.')}
      action={<NewProvider reload={listing.load} />}
    >
      <RequiredTier action="models" />
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={listing.load} />}
      {current.state === 'loading' && <div class="blank catalogue-place" aria-busy="true" />}
      {current.state === 'ready' && (
        <ul class="rows">
          {current.value.providers.map((provider) => (
            <li key={provider.id} class="row">
              <Row provider={provider} users={usersOf(provider, current.value)} reload={listing.load} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}

async function readProviders(): Promise<Listed> {
  const [{ providers }, { models, lanes }] = await Promise.all([
    api.admin.providers.list(),
    api.admin.models.list(),
  ])
  return { providers, routed: [...models, ...lanes] }
}

const usersOf = ({ id }: Provider, { routed }: Listed): string[] =>
  routed.filter(({ routes }) => routes.some(({ providerId }) => providerId === id)).map((model) => model.id)

type RowProps = { provider: Provider; users: readonly string[]; reload: () => Promise<void> }

function Row({ provider, users, reload }: RowProps) {
  const { name, wire, baseUrl, region, weight, keyLast4, builtIn, health } = provider
  const [words, chip] = HEALTH[health.status]
  return (
    <>
      <div>
        <p class="row-name">
          <bdi>{name}</bdi> <span class={chip}>{t(words)}</span>{' '}
          {builtIn && <span class="chip">{t('built in')}</span>}
        </p>
        <p class="help">
          {WIRES[wire]} · <bdi dir="ltr">{baseUrl || t('no address')}</bdi>
        </p>
        <p class="help">
          {[
            keyLast4 === null ? t('No key') : t('Key …{last4}', { last4: keyLast4 }),
            region === null ? t('No region') : t('Region {region}', { region }),
            t('Weight {n}', { n: weight }),
          ].join(' · ')}
        </p>
        {health.since !== null && (
          <p class="help">
            {t('{state} since {time}', { state: t(words), time: formatDateTime(health.since) })}
          </p>
        )}
        {health.lastError !== undefined && <p class="help bad health-error">{health.lastError}</p>}
        {users.length > 0 && <p class="help">{t('Used by {models}', { models: listed(users) })}</p>}
        {builtIn && (
          <p class="help">
            <a href="/app/ops/settings?q=upstream">
              {t('Change it in the settings upstream_base_url and upstream_api_key')}
            </a>
          </p>
        )}
      </div>
      {!builtIn && <Actions provider={provider} users={users} reload={reload} />}
    </>
  )
}

const listed = (names: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: 'unit' }).format(names)

function Actions({ provider, users, reload }: RowProps) {
  const { id, name, enabled } = provider
  const isDeleting = useSignal(false)
  const isBarred = disabledReasonFor('models') !== null
  const { run, busy, failure } = useAction(async () => {
    await api.admin.providers.change(id, { enabled: !enabled })
    await reload()
    announce(enabled ? t('{name} is disabled.', { name }) : t('{name} is enabled.', { name }))
  })
  return (
    <div class="catalogue-acts">
      {failure.value && <ErrorNotice failure={failure.value} />}
      <EditProvider provider={provider} reload={reload} />
      <Menu label={t('Actions for {name}', { name })}>
        <button type="button" aria-disabled={busy.value} disabled={isBarred} onClick={() => void run()}>
          {enabled ? t('Disable') : t('Enable')}
        </button>
        <button
          type="button"
          class="grave"
          disabled={isBarred || users.length > 0}
          onClick={() => {
            isDeleting.value = true
          }}
        >
          {t('Delete')}
        </button>
        {users.length > 0 && <p class="menu-who help">{t('To delete it, remove its routes first.')}</p>}
      </Menu>
      {isDeleting.value && (
        <Dialog
          label={t('Delete')}
          question={t('Delete the provider {name}?', { name })}
          look="grave"
          onClose={() => {
            isDeleting.value = false
          }}
          act={async () => {
            await api.admin.providers.delete(id)
            await reload()
            announce(t('{name} is deleted.', { name }))
            document.getElementById('screen-title')?.focus()
          }}
        >
          <p>{t('Its key is deleted too.')}</p>
        </Dialog>
      )}
    </div>
  )
}
