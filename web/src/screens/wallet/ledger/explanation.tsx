// Explains an entry: quote, usage and calculation.
import type { WalletExplainReply } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { locale } from '../../../i18n/language.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { msg, t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { type Fact, Facts } from '../../../ui/base/facts.tsx'
import { SOURCES } from '../../../ui/money/entry-sources.ts'
import { signedAmount } from './entry-row.tsx'

type Explanation = WalletExplainReply['explanation']
type Metered = NonNullable<Explanation['metered']>
type ClassCharge = NonNullable<Metered['classes']>[number]
type TokenClass = ClassCharge['class']

const NAIRA: Currency = { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' }
const HASH_SHOWN = 12

type Props = { id: string; currency: Currency; withHead?: boolean }

/** With its amount and time at the head where it stands alone. */
export function EntryExplanation({ id, currency, withHead = false }: Props) {
  const read = useResource(`wallet.explain ${id}`, () => api.wallet.explain(id))
  const current = read.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={read.load} />
  if (current.state === 'loading') return <span class="blank explanation-place" aria-busy="true" />
  const { entry, explanation, chain } = current.value
  const { summary, metered } = explanation
  return (
    <div class={withHead ? 'explanation alone' : 'explanation'}>
      {withHead && (
        <>
          <p class="small-title">
            {t(SOURCES[entry.source] ?? entry.source)} · {formatDateTime(entry.createdAt)}
          </p>
          <p>
            <bdi dir="ltr" class={`amount ${entry.type}`} data-testid="entry-amount">
              {signedAmount(entry, currency)}
            </bdi>
          </p>
        </>
      )}
      <p>{summary}</p>
      <Facts
        lines={[
          ...linesOf(explanation, currency),
          ...(withHead
            ? [[t('Balance after'), formatMoney(entry.balanceAfterMinor, currency)] as const]
            : []),
          [t('Position in the chain'), placeOf(chain)],
        ]}
      />
      {metered && <Calculation metered={metered} />}
    </div>
  )
}

const placeOf = ({ seq, hash }: WalletExplainReply['chain']) => (
  <>
    {seq} · <code dir="ltr">{hash.slice(0, HASH_SHOWN)}…</code>
  </>
)

function linesOf({ metered, hold, settlement, payment }: Explanation, currency: Currency) {
  const amount = (minor: bigint) => formatMoney(minor, currency)
  const lines: (Fact | false | null)[] = [
    metered && [t('Model'), t('{model} ({lane} lane)', { model: metered.model, lane: metered.lane })],
    metered && [t('Tokens'), tokensOf(metered)],
    ...(metered ? pricesOf(metered) : []),
    metered !== null && currency.code !== 'NGN' && [t('Rate'), rateOf(metered, currency)],
    hold && [t('Reserved before'), `${amount(hold.reservedMinor)}, ${formatDateTime(hold.reservedAt)}`],
    settlement && [t('Charged'), `${amount(settlement.chargedMinor)}, ${formatDateTime(settlement.at)}`],
    settlement !== null &&
      settlement.fromIncludedMinor > 0n && [t('Paid by your plan'), amount(settlement.fromIncludedMinor)],
    settlement && [t('Paid from the wallet'), amount(settlement.fromWalletMinor)],
    settlement && [t('Released'), amount(settlement.releasedMinor)],
    payment && [t('Payment'), <code dir="ltr">{payment.reference}</code>],
    payment && [t('Method'), payment.rail ?? t('not from a payment provider')],
  ]
  return lines.filter((line): line is Fact => Boolean(line))
}

const CLASSES: Readonly<Record<TokenClass, string>> = {
  input: msg('Input'),
  cachedInput: msg('Cached input'),
  cacheWrite: msg('Cache write'),
  output: msg('Output'),
}

const count = (value: number): string => value.toLocaleString(locale())
const naira = (kobo: number): string => formatMoney(BigInt(kobo), NAIRA)

/** One price for all tokens, or a line for each class of tokens. */
function pricesOf({ classes, priceKoboPer1m, unbilledKobo }: Metered): Fact[] {
  if (!classes) return [[t('Price'), t('{price} per million tokens', { price: naira(priceKoboPer1m) })]]
  const lines = classes
    .filter(({ tokens }) => tokens > 0)
    .map((each): Fact => [t(CLASSES[each.class]), costOfClass(each)])
  if (unbilledKobo === '0') return lines
  return [...lines, [t('Not charged'), t('{kobo} kobo, beyond the reservation', { kobo: unbilledKobo })]]
}

const costOfClass = ({ tokens, priceKoboPer1m, exactKobo }: ClassCharge): string =>
  t('{tokens} at {price} per million: {kobo} kobo', {
    tokens: count(tokens),
    price: naira(priceKoboPer1m),
    kobo: exactKobo,
  })

function tokensOf({ tokens, billedTokens, promptTokens, outputTokens }: Metered): string {
  const used =
    promptTokens !== null && outputTokens !== null
      ? t('{all}: {read} read, {written} written', {
          all: count(tokens),
          read: count(promptTokens),
          written: count(outputTokens),
        })
      : count(tokens)
  if (billedTokens === tokens) return used
  return t('{used}; {billed} billed (the reserved maximum)', { used, billed: count(billedTokens) })
}

const rateOf = ({ rate, rateCard }: Metered, { minorName }: Currency): string =>
  t('{rate} {coin} for one kobo ({card})', {
    rate: `${rate.numerator}/${rate.denominator}`,
    coin: minorName,
    card: rateCard,
  })

const Calculation = ({ metered: { steps, recomputed } }: { metered: Metered }) => (
  <>
    <p class="small-title">{t('The calculation')}</p>
    <ol class="calculation">
      {steps.map((step) => (
        <li key={step}>
          <bdi dir="ltr">{step}</bdi>
        </li>
      ))}
    </ol>
    <p class="help">
      {recomputed ? (
        <span class="ok">{t('We recalculated it just now: the amount is correct.')}</span>
      ) : (
        <span class="bad">{t('We recalculated it just now and got another amount. Please contact us.')}</span>
      )}
    </p>
  </>
)
