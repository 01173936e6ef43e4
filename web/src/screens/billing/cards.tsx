// The cards that pay for the plan. The default card is charged first.
import type { Card } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { isOnline } from '../../data/network.ts'
import { sendPaidRequest } from '../../data/paid-request.ts'
import type { Resource } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { openExternalPage } from '../../router/external-page.ts'
import { appLocation } from '../../router/location.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Listing } from '../../ui/base/listing.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { isRetryable } from '../../ui/form/form.tsx'
import { Dialog } from '../../ui/input/dialog-button.tsx'
import { Menu } from '../../ui/layout/menu.tsx'
import { cardWarning } from './card-warning.ts'

export type StoredCard = { paymentMethods: Card[] }
type Props = { me: Me; from: Resource<StoredCard>; hasPlan: boolean }

export const Cards = ({ me, from, hasPlan }: Props) => {
  const { value } = from.current
  const isOnly = value.state === 'ready' && value.value.paymentMethods.length === 1
  return (
    <Section title={t('Cards')}>
      <Listing from={from} items={({ paymentMethods }) => paymentMethods} empty={t('No cards yet.')}>
        {(card) => (
          <Row card={card} isLast={isOnly && hasPlan} isOwner={me.role === 'owner'} onNews={from.load} />
        )}
      </Listing>
      {me.role === 'owner' ? (
        <AddCard orgId={me.orgId} />
      ) : (
        <p class="help">{t('Only an owner can add a card.')}</p>
      )}
    </Section>
  )
}

type RowProps = { card: Card; isLast: boolean; isOwner: boolean; onNews: () => Promise<void> }

function Row({ card, isLast, isOwner, onNews }: RowProps) {
  const isRemoving = useSignal(false)
  const { id, brand, last4, bank, isDefault } = card
  const name = t('{brand} ending in {last4}', { brand, last4 })
  const first = useAction(async () => {
    await api.paymentMethods.setDefault(id)
    await onNews()
    announce(t('{card} is now the default card.', { card: name }))
  })
  return (
    <div class="row">
      <div>
        <p class="row-name">
          <Trans
            text="{brand} ending in {last4}"
            brand={<bdi>{brand}</bdi>}
            last4={<bdi dir="ltr">{last4}</bdi>}
          />{' '}
          {isDefault && <span class="chip ok">{t('Default')}</span>} <Warning card={card} />
        </p>
        <p class="help">
          {bank && (
            <>
              <bdi>{bank}</bdi> ·{' '}
            </>
          )}
          <Trans text="Expires {month}" month={<bdi dir="ltr">{monthOf(card)}</bdi>} />
        </p>
        {first.failure.value && <ErrorNotice failure={first.failure.value} />}
      </div>
      {isOwner && (
        <Menu label={t('Actions for {card}', { card: name })}>
          {!isDefault && (
            <button type="button" aria-disabled={first.busy.value} onClick={() => void first.run()}>
              {t('Make default')}
            </button>
          )}
          <button
            type="button"
            class="grave"
            onClick={() => {
              isRemoving.value = true
            }}
          >
            {t('Remove')}
          </button>
        </Menu>
      )}
      {isRemoving.value && (
        <Dialog
          label={t('Remove')}
          look="grave"
          question={t('Remove {card}?', { card: name })}
          onClose={() => {
            isRemoving.value = false
          }}
          act={async () => {
            await api.paymentMethods.remove(id)
            await onNews()
            announce(t('{card} is removed.', { card: name }))
          }}
        >
          <p>
            {isLast
              ? t('This is your only card. Add another, or the next plan payment fails.')
              : t('It is no longer charged, and the payment provider deletes it.')}
          </p>
        </Dialog>
      )}
    </div>
  )
}

const monthOf = ({ expMonth, expYear }: Card): string => `${String(expMonth).padStart(2, '0')}/${expYear}`

function Warning({ card }: { card: Card }) {
  const warning = cardWarning(card, new Date())
  if (warning === 'expired') return <span class="chip bad">{t('Expired')}</span>
  return warning === 'soon' ? <span class="chip warn">{t('Expires soon')}</span> : null
}

/** The page of the provider shows the amount before the payment. */
function AddCard({ orgId }: { orgId: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const isWanted = appLocation.value.section === 'cards'
  useEffect(() => {
    if (isWanted) button.current?.focus()
  }, [isWanted])
  const { run, busy, failure } = useAction(async () => {
    const { authorizationUrl } = await sendPaidRequest('card', orgId, (once) =>
      api.paymentMethods.add({}, once),
    )
    await openExternalPage(authorizationUrl)
  })
  const refused = failure.value
  return (
    <>
      <p class="help">{t('Adding a card takes a small payment, which goes to your wallet.')}</p>
      {refused && <ErrorNotice failure={refused} retry={isRetryable(refused) ? run : undefined} />}
      <div class="choices">
        <button
          ref={button}
          type="button"
          disabled={!isOnline.value}
          aria-disabled={busy.value}
          onClick={() => void run()}
        >
          {busy.value ? t('Please wait …') : t('Add card')}
        </button>
        {!isOnline.value && <span class="help">{t('You are offline.')}</span>}
      </div>
    </>
  )
}
