// Automatic top-up: the card that is charged when the balance is low, and how much.
import type { AutomaticTopup, Card } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { formatDate } from '../../i18n/format.ts'
import type { Currency } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { amountText, RuleForm, Sentence } from './automatic-top-up-form.tsx'

type Known = {
  rule: AutomaticTopup | null
  /** Also after it was turned off. */
  openAttempt: AutomaticTopup['attempt']
  cards: Card[]
}

export function AutomaticTopUp({ me }: { me: Me }) {
  const from = useResource('wallet.automatic', async (): Promise<Known> => {
    const [{ automaticTopup: rule, openAttempt }, { paymentMethods }] = await Promise.all([
      api.wallet.automaticTopup.get(),
      api.paymentMethods.list(),
    ])
    return { rule, openAttempt, cards: paymentMethods.filter(({ expired }) => !expired) }
  })
  const current = from.current.value
  return (
    <Section title={t('Automatic top-up')}>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={from.load} />}
      {current.state === 'loading' && <span class="blank threshold-place" aria-busy="true" />}
      {current.state === 'ready' && <Open me={me} known={current.value} onNews={from.load} />}
    </Section>
  )
}

type OpenProps = { me: Me; known: Known; onNews: () => Promise<void> }

function Open({ me, known: { rule, openAttempt, cards }, onNews }: OpenProps) {
  const isEditing = useSignal(false)
  const isOwner = me.role === 'owner'
  const edit = () => {
    isEditing.value = true
  }
  if (isEditing.value)
    return (
      <RuleForm
        me={me}
        rule={rule}
        cards={cards}
        onClose={() => {
          isEditing.value = false
        }}
        onSaved={async () => {
          await onNews()
          isEditing.value = false
          announce(t('Automatic top-up is on.'))
        }}
      />
    )
  return (
    <>
      {rule ? (
        <State rule={rule} currency={me.currency} />
      ) : (
        <p>{t('When your balance is low, we can charge a stored card, so that work does not stop.')}</p>
      )}
      {!rule && openAttempt && <Waiting amountMinor={openAttempt.amountMinor} currency={me.currency} />}
      {isOwner && rule && <Actions rule={rule} onEdit={edit} onNews={onNews} />}
      {isOwner && !rule && (
        <div class="choices">
          {openAttempt?.authorizationUrl && <ConfirmLink url={openAttempt.authorizationUrl} />}
          {cards.length > 0 ? (
            <button type="button" onClick={edit}>
              {t('Set up automatic top-up')}
            </button>
          ) : (
            <a class="button" href="/app/billing#cards">
              {t('Add a card first')}
            </a>
          )}
        </div>
      )}
    </>
  )
}

function State({ rule, currency }: { rule: AutomaticTopup; currency: Currency }) {
  const { status, card, monthChargedMinor, limitedUntil, attempt, pausedReason, pausedDetail } = rule
  return (
    <>
      <p>
        {status === 'active' ? (
          <span class="chip ok">{t('On')}</span>
        ) : (
          <span class="chip warn">{t('Paused')}</span>
        )}{' '}
        <Sentence rule={rule} card={card} currency={currency} />
      </p>
      {pausedReason && <p role="status">{reasonText(pausedReason)}</p>}
      {pausedDetail && pausedReason === 'card_declined' && (
        <p class="help">
          <Trans text="Answer of the bank: {words}" words={<bdi>{pausedDetail}</bdi>} />
        </p>
      )}
      {limitedUntil && (
        <p role="status">
          {t('The monthly maximum is reached. It continues on {date}.', { date: formatDate(limitedUntil) })}
        </p>
      )}
      {attempt && pausedReason !== 'bank_confirmation' && (
        <Waiting amountMinor={attempt.amountMinor} currency={currency} />
      )}
      {monthChargedMinor > 0n && (
        <p class="help">
          {t('{amount} charged this month.', { amount: amountText(monthChargedMinor, currency) })}
        </p>
      )}
    </>
  )
}

const Waiting = ({ amountMinor, currency }: { amountMinor: bigint; currency: Currency }) => (
  <p role="status">
    {t('A charge of {amount} is waiting for the bank.', { amount: amountText(amountMinor, currency) })}
  </p>
)

const ConfirmLink = ({ url }: { url: string }) => (
  <a class="button" href={url} rel="noopener">
    {t('Confirm at your bank')}
  </a>
)

function Actions({
  rule,
  onEdit,
  onNews,
}: {
  rule: AutomaticTopup
  onEdit: () => void
  onNews: () => Promise<void>
}) {
  const { thresholdMinor, amountMinor, monthlyMaxMinor, card, attempt, status } = rule
  const resume = useAction(async () => {
    await api.wallet.automaticTopup.set({ thresholdMinor, amountMinor, monthlyMaxMinor, cardId: card.id })
    await onNews()
    announce(t('Automatic top-up is on.'))
  })
  const off = useAction(async () => {
    await api.wallet.automaticTopup.end()
    await onNews()
    announce(t('Automatic top-up is off.'))
  })
  const failure = resume.failure.value ?? off.failure.value
  return (
    <>
      {failure && <ErrorNotice failure={failure} />}
      <div class="choices">
        {attempt?.authorizationUrl && <ConfirmLink url={attempt.authorizationUrl} />}
        {status === 'paused' && !attempt?.authorizationUrl && (
          <button type="button" aria-disabled={resume.busy.value} onClick={() => void resume.run()}>
            {resume.busy.value ? t('Resuming …') : t('Resume')}
          </button>
        )}
        <button type="button" onClick={onEdit}>
          {t('Change')}
        </button>
        <button
          type="button"
          class="quiet grave"
          aria-disabled={off.busy.value}
          onClick={() => void off.run()}
        >
          {off.busy.value ? t('Turning off …') : t('Turn off')}
        </button>
      </div>
    </>
  )
}

function reasonText(reason: NonNullable<AutomaticTopup['pausedReason']>): string {
  switch (reason) {
    case 'card_declined':
      return t('The bank declined the card. Choose another card, or resume when the card works again.')
    case 'bank_confirmation':
      return t('Your bank asks you to confirm the charge. Nothing is charged until you confirm.')
    case 'card_unusable':
      return t('The card is expired or can no longer be charged. Choose another card.')
    case 'payment_disputed':
      return t('A card payment is disputed or was reversed. Resume when that is settled.')
    case 'currency_changed':
      return t('The currency of your wallet has changed. Set it up again.')
    case 'no_answer':
      return t('The card provider gave no answer for a day. Resume to try again.')
    case 'member_left':
      return t(
        'The owner who turned it on, or the person who added the card, has left. Choose a card, or resume.',
      )
  }
}
