// Renames the team.
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { type Me, reloadSession } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'

export function RenameTeam({ me }: { me: Me }) {
  const isSaved = useSignal(false)
  const action = useAction(async (form: FormData) => {
    isSaved.value = false
    await api.teams.rename(me.orgId, { name: textOf(form, 'name').trim() })
    await reloadSession()
    isSaved.value = true
    announce(t('The name is saved.'))
  })
  return (
    <Section title={t('Name')}>
      <Form action={action} submit={t('Save')} busy={t('Saving …')} fields={['name']} back="name">
        <Field
          name="name"
          label={t('Team name')}
          help={
            isSaved.value ? (
              <span class="ok">{t('Saved.')}</span>
            ) : (
              t('Shown on invoices without a company name.')
            )
          }
          failure={action.failure.value}
          value={me.orgName}
          required
          dir="auto"
          autocomplete="off"
          maxLength={100}
        />
      </Form>
    </Section>
  )
}
