// The form of automatic top-up, and the sentence that says what it does.
import type { AutomaticTopup, Card } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { problem } from '../../data/failure.ts'
import type { Me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { type Currency, formatMoney, plainAmount } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Field, fieldError } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
import { Select } from '../../ui/input/select.tsx'
import { parseAmount } from '../../ui/money/parse-amount.ts'
import { amountsFor, roundMoney } from './top-up/suggested-amounts.ts'

type Rule = Pick<AutomaticTopup, 'thresholdMinor' | 'amountMinor' | 'monthlyMaxMinor'>

type RuleFormProps = {
  me: Me
  rule: AutomaticTopup | null
  cards: readonly Card[]
  onClose: () => void
  onSaved: () => Promise<void>
}

export function RuleForm({ me, rule, cards, onClose, onSaved }: RuleFormProps) {
  const { currency } = me
  const first = rule ?? suggestedRule(currency)
  const typed = useSignal({
    threshold: plainAmount(first.thresholdMinor, currency),
    amount: plainAmount(first.amountMinor, currency),
    month: plainAmount(first.monthlyMaxMinor, currency),
    card: (cards.find(({ id }) => id === rule?.card.id) ?? cards.find((card) => card.isDefault) ?? cards[0])
      ?.id,
  })
  const action = useAction(async (form: FormData) => {
    const minorOf = (name: string): bigint => {
      const read = parseAmount(textOf(form, name), currency)
      if ('error' in read) throw problem(read.error, { path: name })
      return read.minor
    }
    await api.wallet.automaticTopup.set({
      thresholdMinor: minorOf('threshold'),
      amountMinor: minorOf('amount'),
      monthlyMaxMinor: minorOf('month'),
      cardId: textOf(form, 'cardId'),
    })
    await onSaved()
  })
  const failure = action.failure.value
  const { threshold, amount, month, card } = typed.value
  const draft = readDraft(threshold, amount, month, currency)
  const chosen = cards.find(({ id }) => id === card)
  const field = (name: 'threshold' | 'amount' | 'month', label: string, path: string) => (
    <Field
      name={name}
      label={label}
      error={fieldError(failure, name) ?? fieldError(failure, path)}
      value={typed.value[name]}
      onInput={(event) => {
        typed.value = { ...typed.value, [name]: event.currentTarget.value }
      }}
      required
      dir="ltr"
      inputMode="decimal"
      autocomplete="off"
      maxLength={24}
    />
  )
  const { code } = currency
  return (
    <>
      <Form
        action={action}
        submit={rule ? t('Save') : t('Turn on')}
        busy={rule ? t('Saving …') : t('Turning on …')}
        fields={[
          'threshold',
          'thresholdMinor',
          'amount',
          'amountMinor',
          'month',
          'monthlyMaxMinor',
          'cardId',
        ]}
        back="threshold"
      >
        {field(
          'threshold',
          t('When the balance falls below, in {currency}', { currency: code }),
          'thresholdMinor',
        )}
        {field('amount', t('Charge each time, in {currency}', { currency: code }), 'amountMinor')}
        {field('month', t('At most per month, in {currency}', { currency: code }), 'monthlyMaxMinor')}
        <Select
          name="cardId"
          label={t('Card')}
          value={card ?? ''}
          options={cards.map(({ id, brand, last4 }) => [id, `${brand} •••• ${last4}`])}
          failure={failure}
          onChoose={(id) => {
            typed.value = { ...typed.value, card: id }
          }}
        />
        {draft && chosen && (
          <p>
            <Sentence rule={draft} card={chosen} currency={currency} />
          </p>
        )}
        <p class="help">
          {draft && me.balanceMinor < draft.thresholdMinor
            ? t('Your balance is below this now, so the first charge follows at once.')
            : t('Money on hold still counts: only what is spent lowers the balance.')}
        </p>
      </Form>
      <div class="choices">
        <button type="button" class="quiet" onClick={onClose}>
          {t('Cancel')}
        </button>
      </div>
    </>
  )
}

export const Sentence = ({
  rule: { thresholdMinor, amountMinor, monthlyMaxMinor },
  card: { brand, last4 },
  currency,
}: {
  rule: Rule
  card: Pick<Card, 'brand' | 'last4'>
  currency: Currency
}) => (
  <Trans
    text="When the balance falls below {threshold}, we charge {card} {amount}. At most {month} per month."
    threshold={<bdi>{amountText(thresholdMinor, currency)}</bdi>}
    card={<bdi dir="ltr">{`${brand} •••• ${last4}`}</bdi>}
    amount={<bdi>{amountText(amountMinor, currency)}</bdi>}
    month={<bdi>{amountText(monthlyMaxMinor, currency)}</bdi>}
  />
)

/** Whole amounts without decimals. */
export const amountText = (minor: bigint, currency: Currency): string =>
  minor % BigInt(currency.minorUnit) === 0n ? roundMoney(minor, currency) : formatMoney(minor, currency)

function readDraft(threshold: string, amount: string, month: string, currency: Currency): Rule | null {
  const [low, each, most] = [threshold, amount, month].map((text) => parseAmount(text, currency))
  if (!low || !each || !most || !('minor' in low) || !('minor' in each) || !('minor' in most)) return null
  return { thresholdMinor: low.minor, amountMinor: each.minor, monthlyMaxMinor: most.minor }
}

/** A quarter of the usual top-up as threshold, and five of them per month. */
function suggestedRule(currency: Currency): Rule {
  const [, amountMinor = 0n] = amountsFor(currency, { minMinor: 0n, maxMinor: 10n ** 15n, stepMinor: 1n })
  return { thresholdMinor: amountMinor / 4n, amountMinor, monthlyMaxMinor: amountMinor * 5n }
}
