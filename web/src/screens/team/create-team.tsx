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
    <Section title={t('Create a team')}>
      <p>
        {t(
          'This is your personal account. A team has a wallet, a plan and five seats of its own; you decide who is in it and what each may spend.',
        )}
      </p>
      <Form
        action={action}
        submit={t('Create a team')}
        busy={t('Please wait …')}
        fields={['name']}
        back="name"
      >
        <Field
          name="name"
          label={t('Name of the team')}
          failure={action.failure.value}
          required
          dir="auto"
          autocomplete="organization"
          maxLength={100}
        />
      </Form>
      <p class="onward">
        <a href="/app/organisations">{t('Switch to a team you are in')}</a>
      </p>
    </Section>
  )
}
