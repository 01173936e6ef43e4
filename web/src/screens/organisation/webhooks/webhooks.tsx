// The webhook endpoints of the organisation.
import type { WebhookEndpoint } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { session } from '../../../data/session.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Copyable } from '../../../ui/base/copyable.tsx'
import { Listing } from '../../../ui/base/listing.tsx'
import { Page } from '../../../ui/base/sheet.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Endpoint } from './webhook-endpoint.tsx'
import { EndpointFields, endpointIn } from './webhook-fields.tsx'

export type NewSecret = { endpoint: WebhookEndpoint; secret: string }

export default function Webhooks() {
  const { value } = session
  if (value.state !== 'in') return null
  const { me } = value
  if (me.role !== 'member') return <Endpoints key={me.orgId} />
  return (
    <Page title={t('Webhooks')} note={NOTE()}>
      <p class="help">{t('Only owners and administrators can manage webhooks.')}</p>
    </Page>
  )
}

const NOTE = () => t('We send signed events to your addresses: ids, states and amounts, never content.')

function Endpoints() {
  const endpoints = useResource('hooks.endpoints', () => api.hooks.endpoints.list())
  const types = useResource('hooks.types', () => api.hooks.eventTypes())
  const told = useSignal<NewSecret | null>(null)
  const known = types.current.value.state === 'ready' ? types.current.value.value.types : []
  return (
    <Page
      title={t('Webhooks')}
      note={NOTE()}
      action={
        <DialogButton
          label={t('Add endpoint')}
          question={t('New endpoint')}
          look="primary"
          fields={['url', 'description']}
          act={async (form) => {
            told.value = await api.hooks.endpoints.create(endpointIn(form))
            await endpoints.load()
            announce(t('Endpoint added. Save its secret now.'))
          }}
        >
          {(failure) => <EndpointFields types={known} failure={failure} />}
        </DialogButton>
      }
    >
      {told.value && (
        <Secret
          told={told.value}
          onDone={() => {
            told.value = null
            document.getElementById('screen-title')?.focus()
          }}
        />
      )}
      <Listing
        from={endpoints}
        items={({ endpoints: all }) => all}
        empty={
          <EmptyState
            picture="list"
            title={t('No endpoints yet')}
            text={t('An endpoint learns about payments, tasks and members within seconds.')}
          />
        }
      >
        {(endpoint) => (
          <Endpoint
            endpoint={endpoint}
            types={known}
            onChanged={endpoints.load}
            onSecret={(secret) => {
              told.value = { endpoint, secret }
            }}
          />
        )}
      </Listing>
    </Page>
  )
}

function Secret({ told: { endpoint, secret }, onDone }: { told: NewSecret; onDone: () => void }) {
  useEffect(() => document.getElementById('secret-made')?.focus(), [secret])
  return (
    <section class="once" aria-labelledby="secret-made">
      <h2 id="secret-made" tabIndex={-1}>
        {t('Save this secret now')}
      </h2>
      <p>{t('It signs events sent to {url}. It is shown only once.', { url: endpoint.url })}</p>
      <Copyable text={secret} label={t('the secret')} />
      <div class="choices">
        <button type="button" class="primary" onClick={onDone}>
          {t('I saved it')}
        </button>
      </div>
    </section>
  )
}
