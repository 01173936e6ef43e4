// Maps groups of the identity provider to roles. A group never grants ownership.
import type { OrgPolicy } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { problem } from '../../../data/failure.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { Form } from '../../../ui/form/form.tsx'

type Role = 'admin' | 'member'
type Line = { id: number; group: string; role: Role }
type Props = { policy: OrgPolicy; disabledReason: string | null; onChanged: () => Promise<void> }

let lastId = 0
const line = (group: string, role: string): Line => ({
  id: ++lastId,
  group,
  role: role === 'admin' ? 'admin' : 'member',
})

export function GroupRoles({ policy, disabledReason, onChanged }: Props) {
  const lines = useSignal<Line[]>(
    Object.entries(policy.groupRoleMap ?? {}).map(([group, role]) => line(group, role)),
  )
  const action = useAction(async () => {
    await api.policy.change(policy.orgId, { groupRoleMap: mapOf(lines.value) })
    await onChanged()
    announce(t('The groups are saved.'))
  })
  const set = (id: number, change: Partial<Line>) => {
    lines.value = lines.value.map((each) => (each.id === id ? { ...each, ...change } : each))
  }
  return (
    <Section title={t('Groups and roles')}>
      <p>{t('At each sign-in, users get the highest role of their groups. Groups never grant ownership.')}</p>
      <fieldset disabled={disabledReason !== null}>
        <Form action={action} submit={t('Save groups')} busy={t('Saving …')}>
          {lines.value.map(({ id, group, role }, index) => (
            <div key={id} class="group-role">
              <input
                name="group"
                aria-label={t('Group {n}', { n: index + 1 })}
                value={group}
                dir="auto"
                autocomplete="off"
                maxLength={200}
                required
                onInput={(event) => set(id, { group: event.currentTarget.value })}
              />
              <select
                aria-label={t('Role of group {n}', { n: index + 1 })}
                value={role}
                onChange={(event) => set(id, { role: event.currentTarget.value as Role })}
              >
                <option value="member">{t('Member')}</option>
                <option value="admin">{t('Administrator')}</option>
              </select>
              <button
                type="button"
                aria-label={t('Remove group {n}', { n: index + 1 })}
                onClick={() => {
                  lines.value = lines.value.filter((each) => each.id !== id)
                }}
              >
                {t('Remove')}
              </button>
            </div>
          ))}
          <button
            type="button"
            onClick={() => {
              lines.value = [...lines.value, line('', 'member')]
            }}
          >
            {t('Add a group')}
          </button>
        </Form>
      </fieldset>
      {disabledReason !== null && <p class="help needs">{disabledReason}</p>}
    </Section>
  )
}

/** Null without a mapping: roles then stay as they are. */
function mapOf(lines: readonly Line[]): Record<string, Role> | null {
  const map: Record<string, Role> = {}
  for (const { group, role } of lines) {
    const name = group.trim()
    if (name in map)
      throw problem(t('The group “{name}” is listed twice.', { name }), { code: 'invalid_groups' })
    map[name] = role
  }
  return lines.length === 0 ? null : map
}
