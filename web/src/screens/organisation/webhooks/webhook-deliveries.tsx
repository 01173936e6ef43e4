// The deliveries to one endpoint in the last thirty days, with responses.
import type { WebhookDelivery } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { usePages } from '../../../data/paged-resource.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { msg, t, tn } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { PagedList } from '../../../ui/base/paged-list.tsx'
import { Select } from '../../../ui/input/select.tsx'

type Status = WebhookDelivery['status']
const STATUSES: Readonly<Record<Status, readonly [words: string, look: string]>> = {
  pending: [msg('Pending'), 'chip warn'],
  delivered: [msg('Delivered'), 'chip ok'],
  failed: [msg('Failed'), 'chip bad'],
}
const POLL_MS = 2_000

export function Deliveries({ endpointId }: { endpointId: string }) {
  const status = useSignal('')
  const chosen = status.value
  const pages = usePages('deliveries', `hooks.deliveries ${endpointId} ${chosen}`, (cursor) =>
    api.hooks.deliveries.list(endpointId, {
      limit: 10,
      ...(chosen && { status: chosen as Status }),
      ...cursor,
    }),
  )
  usePollDeliveries(pages.current.value.state === 'ready' ? pages.current.value.value : [], pages.load)
  return (
    <>
      <div class="filters">
        <Select
          name={`status-${endpointId}`}
          label={t('Show')}
          value={chosen}
          onChoose={(value) => {
            status.value = value
          }}
          options={[
            ['', t('Everything')],
            ['failed', t('Failed')],
            ['pending', t('Pending')],
            ['delivered', t('Delivered')],
          ]}
        />
      </div>
      <PagedList pages={pages} empty={t('No deliveries yet.')} more={t('Older deliveries')}>
        {(delivery) => <Delivery delivery={delivery} onReplayed={pages.load} />}
      </PagedList>
    </>
  )
}

/** A first attempt usually succeeds within seconds, so poll a few times. */
function usePollDeliveries(deliveries: readonly WebhookDelivery[], load: () => Promise<void>): void {
  const isNew = deliveries.some(({ status, attempts }) => status === 'pending' && attempts === 0)
  useEffect(() => {
    if (!isNew) return undefined
    let looks = 0
    const timer = setInterval(() => {
      looks++
      if (looks >= 5) clearInterval(timer)
      void load()
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [isNew])
}

function Delivery({ delivery, onReplayed }: { delivery: WebhookDelivery; onReplayed: () => Promise<void> }) {
  const { id, type, status, attempts, lastStatus, lastError, nextAttemptAt, createdAt, eventId } = delivery
  const [words, look] = STATUSES[status]
  const replay = useAction(async () => {
    await api.hooks.deliveries.replay(id)
    await onReplayed()
    announce(t('It is sent again with the same id.'))
  })
  return (
    <div class="row">
      <div>
        <p class="row-name">
          <code dir="ltr">{type}</code> <span class={look}>{t(words)}</span>
        </p>
        <p class="help">
          {formatDateTime(createdAt)} · {tn(attempts, '{n} attempt', '{n} attempts')}
          {lastStatus !== null && ` · HTTP ${lastStatus}`}
        </p>
        {lastError && (
          <p class="help bad" dir="auto">
            {lastError}
          </p>
        )}
        {nextAttemptAt && status === 'pending' && attempts > 0 && (
          <p class="help">{t('Next attempt {time}.', { time: formatDateTime(nextAttemptAt) })}</p>
        )}
        <p class="help">
          <code dir="ltr">{eventId}</code>
        </p>
        {replay.failure.value && <ErrorNotice failure={replay.failure.value} />}
      </div>
      {status !== 'pending' && (
        <button
          type="button"
          aria-label={t('Resend: {type}, {time}', { type, time: formatDateTime(createdAt) })}
          aria-disabled={replay.busy.value}
          onClick={() => void replay.run()}
        >
          {t('Resend')}
        </button>
      )}
    </div>
  )
}
