// The cost of each turn of a task, and its budget.
import type { Task } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { problem } from '../../../data/failure.ts'
import type { Me } from '../../../data/session.ts'
import { formatMoney, plainAmount } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { Weave } from '../../../ui/layout/weave.tsx'
import { parseAmount } from '../../../ui/money/parse-amount.ts'

type Props = { task: Task; me: Me; onChange: () => Promise<void> }

export function Cost({ task, me, onChange }: Props) {
  const { turns, spentMinor, budgetMinor } = task
  const { currency } = me
  return (
    <div class="task-cost">
      <p class="cost-total">
        <Amount minor={spentMinor} currency={currency} testId="task-spent" />
      </p>
      {budgetMinor === null ? (
        <p class="help">{t('No budget is set.')}</p>
      ) : (
        <>
          <p class="help">{t('of a budget of {amount}', { amount: formatMoney(budgetMinor, currency) })}</p>
          <Weave
            of={budgetMinor > 0n ? Number(spentMinor) / Number(budgetMinor) : 1}
            tone={spentMinor * 5n >= budgetMinor * 4n ? 'warn' : 'accent'}
          />
        </>
      )}
      <DialogButton
        label={budgetMinor === null ? t('Set a budget') : t('Change the budget')}
        submit={t('Save')}
        question={t('Task budget')}
        fields={['budgetMinor']}
        act={async (form) => {
          await api.tasks.patch(task.id, { budgetMinor: readBudget(textOf(form, 'budgetMinor'), me) })
          await onChange()
        }}
      >
        {(failure) => (
          <Field
            name="budgetMinor"
            label={t('Maximum for all turns ({currency})', { currency: currency.code })}
            help={t('Leave empty for no limit.')}
            failure={failure}
            dir="ltr"
            inputMode="decimal"
            autocomplete="off"
            defaultValue={budgetMinor === null ? '' : plainAmount(budgetMinor, currency)}
          />
        )}
      </DialogButton>
      {turns.length > 0 && (
        <div class="cost-scroll">
          <table class="cost-table">
            <thead>
              <tr>
                <th scope="col">{t('Turn')}</th>
                <th scope="col">{t('Model')}</th>
                <th scope="col" class="figure">
                  {t('Cost')}
                </th>
              </tr>
            </thead>
            <tbody>
              {turns.map(({ id, ordinal, model, spentMinor: spent }) => (
                <tr key={id}>
                  <td>{ordinal}</td>
                  <td>
                    <bdi dir="ltr">{model}</bdi>
                  </td>
                  <td class="figure">
                    <Amount minor={spent} currency={currency} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="help">{t('Tools, tests, storage and waiting are free.')}</p>
    </div>
  )
}

/** Null for an empty field. */
export function readBudget(typed: string, { currency }: Me): bigint | null {
  if (typed.trim() === '') return null
  const read = parseAmount(typed, currency)
  if ('error' in read) throw problem(read.error, { path: 'budgetMinor' })
  return read.minor
}
