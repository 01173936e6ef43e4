// An example result, for users without a run.

import { t } from '../../i18n/t.ts'
import { Section } from '../../ui/base/sheet.tsx'

const PATH = 'src/wallet/credit.js'
const LINES = [
  ['same', 'export async function credit(wallet, payment) {'],
  ['del', '  wallet.balance += payment.amount'],
  ['add', '  if (wallet.seen.has(payment.id)) return wallet'],
  ['add', '  wallet.seen.add(payment.id)'],
  ['add', '  wallet.balance += payment.amount'],
  ['same', '  return wallet'],
  ['same', '}'],
] as const
const SIGNS = { same: ' ', del: '−', add: '+' } as const

export const Sample = () => (
  <Section title={t('Example result')}>
    <p class="help">{t('An example. Nothing was run or charged.')}</p>
    <figure class="sample">
      <figcaption>
        <bdi dir="ltr">{PATH}</bdi> <span class="chip">{t('Example')}</span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
      <section class="sample-box" dir="ltr" tabIndex={0} aria-label={PATH}>
        <ol class="sample-lines">
          {LINES.map(([kind, text]) => (
            <li key={text} class={kind}>
              {kind !== 'same' && <span class="unseen">{kind === 'add' ? t('added') : t('removed')} </span>}
              <span aria-hidden="true" class="sample-sign">
                {SIGNS[kind]}
              </span>
              <code>{text}</code>
            </li>
          ))}
        </ol>
      </section>
    </figure>
  </Section>
)
