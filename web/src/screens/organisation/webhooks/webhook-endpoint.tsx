// One webhook endpoint: events, status and actions.
import type { WebhookEndpoint } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { msg, t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Dialog } from '../../../ui/input/dialog-button.tsx'
import { Menu } from '../../../ui/layout/menu.tsx'
import { Deliveries } from './webhook-deliveries.tsx'
import { EndpointFields, type EventTypes, endpointIn } from './webhook-fields.tsx'

const DISABLED: Readonly<Record<string, string>> = {
  gone: msg('Turned off: the address responded that it is gone.'),
  failing: msg('Turned off: it failed for five days.'),
}

type Props = {
  endpoint: WebhookEndpoint
  types: EventTypes
  onChanged: () => Promise<void>
  onSecret: (secret: string) => void
}

export function Endpoint({ endpoint, types, onChanged, onSecret }: Props) {
  const { id, url, description, events, enabled, disabledReason, failingSince, previousUntil } = endpoint
  const isOpen = useSignal(false)
  const asked = useSignal<'edit' | 'secret' | 'remove' | null>(null)
  const close = () => {
    asked.value = null
  }
  const tested = useSignal(0)
  const test = useAction(async () => {
    await api.hooks.endpoints.test(id)
    isOpen.value = true
    tested.value++
    announce(t('Test event sent.'))
  })
  const toggle = useAction(async () => {
    await api.hooks.endpoints.change(id, { enabled: !enabled })
    await onChanged()
    announce(enabled ? t('Endpoint turned off.') : t('Endpoint turned on.'))
  })
  const failure = test.failure.value ?? toggle.failure.value
  return (
    <article class="endpoint" aria-label={url}>
      <div class="row">
        <div>
          <p class="row-name">
            <bdi dir="ltr">{url}</bdi>{' '}
            {enabled ? (
              <span class={failingSince ? 'chip warn' : 'chip ok'}>
                {failingSince ? t('Failing') : t('On')}
              </span>
            ) : (
              <span class="chip bad">{t('Off')}</span>
            )}
          </p>
          {description && (
            <p class="help" dir="auto">
              {description}
            </p>
          )}
          <p class="help">
            {events === null ? t('Receives all events.') : <bdi dir="ltr">{events.join(', ')}</bdi>}
          </p>
        </div>
        <div class="endpoint-acts">
          <button type="button" aria-disabled={test.busy.value} onClick={() => void test.run()}>
            {t('Send a test')}
          </button>
          <Menu label={t('Actions for {url}', { url })}>
            <button type="button" onClick={() => (asked.value = 'edit')}>
              {t('Edit')}
            </button>
            <button type="button" onClick={() => void toggle.run()}>
              {enabled ? t('Turn off') : t('Turn on')}
            </button>
            <button type="button" onClick={() => (asked.value = 'secret')}>
              {t('New secret')}
            </button>
            <button type="button" class="grave" onClick={() => (asked.value = 'remove')}>
              {t('Remove')}
            </button>
          </Menu>
        </div>
      </div>
      {disabledReason && <p class="bad">{t(DISABLED[disabledReason] ?? disabledReason)}</p>}
      {failingSince && (
        <p class="help">{t('It has been failing since {time}.', { time: formatDateTime(failingSince) })}</p>
      )}
      {previousUntil && (
        <p class="help">
          {t('The previous secret also works until {time}.', {
            time: formatDateTime(previousUntil),
          })}
        </p>
      )}
      {failure && <ErrorNotice failure={failure} />}
      <details
        open={isOpen.value}
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open
        }}
      >
        <summary>{t('Deliveries')}</summary>
        {isOpen.value && <Deliveries key={tested.value} endpointId={id} />}
      </details>
      {asked.value === 'edit' && (
        <Dialog
          label={t('Save')}
          question={t('Edit endpoint')}
          fields={['url', 'description']}
          onClose={close}
          act={async (form) => {
            await api.hooks.endpoints.change(id, endpointIn(form))
            await onChanged()
            announce(t('Endpoint saved.'))
          }}
        >
          {(error) => <EndpointFields types={types} endpoint={endpoint} failure={error} />}
        </Dialog>
      )}
      {asked.value === 'secret' && (
        <Dialog
          label={t('New secret')}
          question={t('Create a new secret?')}
          onClose={close}
          act={async () => {
            const { secret } = await api.hooks.endpoints.rotateSecret(id)
            await onChanged()
            onSecret(secret)
          }}
        >
          <p>{t('The old secret also works for one day.')}</p>
        </Dialog>
      )}
      {asked.value === 'remove' && (
        <Dialog
          label={t('Remove')}
          question={t('Remove this endpoint?')}
          look="grave"
          onClose={close}
          act={async () => {
            await api.hooks.endpoints.remove(id)
            await onChanged()
            announce(t('Endpoint removed.'))
            document.getElementById('screen-title')?.focus()
          }}
        >
          <p>
            <bdi dir="ltr">{url}</bdi>
          </p>
          <p>{t('No more events are sent to it. Its delivery history is deleted.')}</p>
        </Dialog>
      )}
    </article>
  )
}
