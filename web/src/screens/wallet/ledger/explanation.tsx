// An entry as a receipt: tokens and prices in columns, who paid, and the calculation.
import type { WalletExplainReply } from '@cowrie/sdk'
import type { ComponentChildren } from 'preact'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { language, locale } from '../../../i18n/language.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { msg, t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { type Fact, Facts } from '../../../ui/base/facts.tsx'
import { SOURCES } from '../../../ui/money/entry-sources.ts'
import { signedAmount } from './entry-row.tsx'

type Explanation = WalletExplainReply['explanation']
type Metered = NonNullable<Explanation['metered']>
type TokenClass = NonNullable<Metered['classes']>[number]['class']

const NAIRA: Currency = { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' }
const HASH_SHOWN = 12

type Props = { id: string; currency: Currency; isAlone?: boolean; children?: ComponentChildren }

/** With its amount and time at the head where it stands alone. */
export function EntryExplanation({ id, currency, isAlone = false, children }: Props) {
  const read = useResource(`wallet.explain ${language.value} ${id}`, () => api.wallet.explain(id))
  const current = read.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={read.load} />
  if (current.state === 'loading') return <span class="blank explanation-place" aria-busy="true" />
  const { entry, explanation, chain } = current.value
  const { summary, metered } = explanation
  return (
    <div class={isAlone ? 'explanation alone' : 'explanation'}>
      {isAlone && (
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
      {metered?.accrual && <p>{metered.accrual.sentence}</p>}
      {metered ? <Cost metered={metered} currency={currency} /> : <p>{summary}</p>}
      <Facts
        lines={[
          ...linesOf(explanation, currency),
          ...(isAlone ? [[t('Balance after'), formatMoney(entry.balanceAfterMinor, currency)] as const] : []),
          [t('Position in the ledger'), placeOf(chain)],
        ]}
      />
      {metered && <Calculation metered={metered} />}
      {children}
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
    metered && !metered.classes && [t('Tokens'), tokensOf(metered)],
    metered !== null &&
      metered.unbilledKobo !== '0' && [
        t('Not charged'),
        t('{kobo} kobo, beyond the reservation', { kobo: exact(metered.unbilledKobo) }),
      ],
    metered !== null && currency.code !== 'NGN' && [t('Rate'), rateOf(metered, currency)],
    hold && [t('Reserved'), `${amount(hold.reservedMinor)}, ${formatDateTime(hold.reservedAt)}`],
    settlement !== null &&
      settlement.fromIncludedMinor > 0n && [t('Paid by your plan'), amount(settlement.fromIncludedMinor)],
    settlement && [t('Paid from the wallet'), amount(settlement.fromWalletMinor)],
    settlement && [t('Released'), amount(settlement.releasedMinor)],
    payment && [t('Payment reference'), <code dir="ltr">{payment.reference}</code>],
    payment && [t('Payment provider'), payment.rail ?? t('None')],
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
/** A decimal number of the service with the separators of the language. A fraction such as `1/3` stays as it is. */
const exact = (decimal: string): string =>
  /^\d+(\.\d+)?$/.test(decimal)
    ? new Intl.NumberFormat(locale(), { maximumFractionDigits: 20 }).format(
        decimal as Intl.StringNumericLiteral,
      )
    : decimal
const naira = (kobo: number): string => formatMoney(BigInt(kobo), NAIRA)

type Line = { name: string; tokens: number; priceKoboPer1m: number; exactKobo: string }

/** One line for all tokens, or one for each class of tokens. */
const costLines = ({ classes, billedTokens, priceKoboPer1m, exactKobo }: Metered): Line[] =>
  classes
    ? classes.filter(({ tokens }) => tokens > 0).map((each) => ({ ...each, name: t(CLASSES[each.class]) }))
    : [{ name: t('All tokens'), tokens: billedTokens, priceKoboPer1m, exactKobo }]

function Cost({ metered, currency }: { metered: Metered; currency: Currency }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
    <section class="number-table" tabIndex={0} aria-label={t('Cost')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Cost')}</th>
            <th scope="col">{t('Tokens')}</th>
            <th scope="col">{t('Per million')}</th>
            <th scope="col">{t('Kobo')}</th>
          </tr>
        </thead>
        <tbody>
          {costLines(metered).map(({ name, tokens, priceKoboPer1m, exactKobo }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{count(tokens)}</td>
              <td>
                <bdi dir="ltr">{naira(priceKoboPer1m)}</bdi>
              </td>
              <td>{exact(exactKobo)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {t('Total')}
            </th>
            <td>
              <bdi dir="ltr">{formatMoney(metered.costMinor, currency)}</bdi>
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

function tokensOf({ tokens, billedTokens, promptTokens, outputTokens }: Metered): string {
  const used =
    promptTokens !== null && outputTokens !== null
      ? t('{all}: {read} input, {written} output', {
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
    <p class="small-title">{t('Calculation')}</p>
    <ol class="calculation">
      {steps.map((step) => (
        <li key={step}>
          <bdi dir="auto">{step}</bdi>
        </li>
      ))}
    </ol>
    <p>
      {recomputed ? (
        <span class="ok">{t('Recalculated now: matches the charge.')}</span>
      ) : (
        <span class="bad">{t('Recalculated now: does not match the charge. Please contact us.')}</span>
      )}
    </p>
  </>
)
