// The price and the report of a search whose query a model rewrites.
import type { SearchReply } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { sendPaidRequest } from '../../data/paid-request.ts'
import type { Me } from '../../data/session.ts'
import type { Action } from '../../data/use-action.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Amount } from '../../ui/base/amount.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'

export type SearchBody = Parameters<typeof api.index.search>[0]
export type QuotedSearch = { readonly body: SearchBody; readonly maxMinor: bigint }
type Rewrite = NonNullable<SearchReply['rewrite']>

/** Asks for the highest cost. The reply has the plain hits, in case no model can be asked. */
export const quoteSearch = (body: SearchBody): Promise<SearchReply> =>
  api.index.search({ ...body, rewrite: true, preview: true })

export const searchRewritten = ({ body, maxMinor }: QuotedSearch): Promise<SearchReply> => {
  const asked = { ...body, rewrite: true, maxCostMinor: maxMinor }
  const intent = JSON.stringify({ ...asked, maxCostMinor: String(maxMinor) })
  return sendPaidRequest('index.search', intent, (once) => api.index.search(asked, once))
}

export function SearchPrice({
  quoted,
  me,
  action,
  onCancel,
}: {
  quoted: QuotedSearch
  me: Me
  action: Action<[QuotedSearch]>
  onCancel: () => void
}) {
  const isBusy = action.busy.value
  return (
    <div class="told">
      <p>
        <Trans
          text="A model adds names and words to the query, for at most {amount}."
          amount={<Amount minor={quoted.maxMinor} currency={me.currency} testId="search-price" />}
        />
      </p>
      {action.failure.value && <ErrorNotice failure={action.failure.value} />}
      <div class="choices">
        <button type="button" class="primary" aria-disabled={isBusy} onClick={() => void action.run(quoted)}>
          {isBusy
            ? t('Searching …')
            : t('Search for at most {amount}', { amount: formatMoney(quoted.maxMinor, me.currency) })}
        </button>
        <button type="button" onClick={onCancel}>
          {t('Go back')}
        </button>
      </div>
    </div>
  )
}

export function RewriteReport({ rewrite, me }: { rewrite: Rewrite; me: Me }) {
  return (
    <p class="help" data-testid="search-rewrite">
      {rewrite.status === 'used' ? (
        <Trans
          text="Also searched: {words}. Cost: {amount}."
          words={<bdi>{rewrite.words.join(', ')}</bdi>}
          amount={<Amount minor={rewrite.costMinor} currency={me.currency} testId="search-cost" />}
        />
      ) : (
        reasonText(rewrite.reason)
      )}
    </p>
  )
}

function reasonText(reason: Rewrite['reason']): string {
  switch (reason) {
    case 'no_hits':
      return t('Nothing was found, so no words were added. This search was free.')
    case 'no_model':
      return t('No model may read the query, so no words were added. This search was free.')
    default:
      return t('The model gave no usable answer, so no words were added. This search was free.')
  }
}
