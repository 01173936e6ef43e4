// Creates a team with its own wallet, members and plan.
import { api } from '../../data/api.ts'
import { reloadAfterSwitch } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'

export function CreateTeam() {
  const action = useAction(async (form: FormData) => {
    const { orgId, name } = await api.teams.create({ name: textOf(form, 'name').trim() })
    await api.me.switchOrg({ orgId })
    await reloadAfterSwitch()
    announce(t('You are now in {team}.', { team: name }))
    document.getElementById('screen-title')?.focus()
  })
  return (
    <Section title={t('Create team')}>
      <p>{t('This is your personal account. A team has its own wallet, plan and five seats.')}</p>
      <Form action={action} submit={t('Create team')} busy={t('Please wait …')} fields={['name']} back="name">
        <Field
          name="name"
          label={t('Team name')}
          failure={action.failure.value}
          required
          dir="auto"
          autocomplete="organization"
          maxLength={100}
        />
      </Form>
      <p class="onward">
        <a href="/app/organisations">{t('Switch to your team')}</a>
      </p>
    </Section>
  )
}
