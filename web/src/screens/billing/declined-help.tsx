// Help after a failed charge: use another card, or contact the bank.
import type { ApiFailure } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { openExternalPage } from '../../router/external-page.ts'
import { navigate } from '../../router/location.ts'

const NEEDS_CARD = new Set(['card_declined', 'no_payment_method', 'payment_refused'])

/** `onLeave` closes the dialog before the focus moves to the cards. */
export function DeclinedHelp({ failure, onLeave }: { failure: ApiFailure; onLeave: () => void }) {
  const { run, busy } = useAction(openExternalPage)
  const { authorizationUrl } = failure.detail
  if (failure.code === 'card_challenged' && typeof authorizationUrl === 'string')
    return (
      <button type="button" aria-disabled={busy.value} onClick={() => void run(authorizationUrl)}>
        {t('Confirm with your bank')}
      </button>
    )
  if (!NEEDS_CARD.has(failure.code)) return null
  return (
    <button
      type="button"
      onClick={() => {
        onLeave()
        navigate('/app/billing#cards')
      }}
    >
      {failure.code === 'no_payment_method' ? t('Add card') : t('Use another card')}
    </button>
  )
}
