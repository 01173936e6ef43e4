// Creates the key of a tool, named after it, with an optional budget. The key is shown once.
import type { KeysCreateReply } from '@cowrie/sdk'
import type { ClientRecipe } from '@cowrie/sdk/clients'
import type { Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import type { Currency } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Copyable } from '../../ui/base/copyable.tsx'
import { Form } from '../../ui/form/form.tsx'
import { BudgetFields, budgetFrom, NO_LIMITS } from '../identity/key-limits.tsx'

type Props = { recipe: ClientRecipe; currency: Currency; made: Signal<KeysCreateReply | null> }

export function ToolKey({ recipe, currency, made }: Props) {
  const action = useAction(async (form: FormData) => {
    made.value = await api.keys.create({
      name: recipe.title,
      scopes: ['agent:run'],
      ...budgetFrom(form, currency),
    })
  })
  if (made.value) return <CreatedKey made={made.value} />
  return (
    <>
      <p>{t('The key is named “{name}” and can only call models.', { name: recipe.title })}</p>
      <Form
        action={action}
        submit={t('Create key')}
        busy={t('Creating …')}
        fields={['budgetMinor', 'budgetPeriod']}
        back="budgetMinor"
      >
        <BudgetFields limits={NO_LIMITS} currency={currency} failure={action.failure.value} />
      </Form>
    </>
  )
}

function CreatedKey({ made }: { made: KeysCreateReply }) {
  useEffect(() => document.getElementById('tool-key')?.focus(), [])
  return (
    <div class="once">
      <h3 id="tool-key" tabIndex={-1}>
        {t('Your key, shown only now')}
      </h3>
      <Copyable text={made.key} label={t('the key')} />
      <p>{t('It is filled in below. When you leave this page, it cannot be shown again.')}</p>
    </div>
  )
}
