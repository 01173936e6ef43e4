// The addresses from which the organisation can be used, one per line with an optional label.
import type { IpAllowList as List } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
import { LongField } from '../../ui/input/long-field.tsx'

export function IpAllowList({ me }: { me: Me }) {
  const list = useResource('orgs.ipAllowList', () => api.orgs.ipAllowList.get(me.orgId))
  const current = list.current.value
  return (
    <Section title={t('Allowed addresses')}>
      <p>{t('Keys and sessions work only from these addresses. Empty: everywhere.')}</p>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={list.load} />}
      {current.state === 'ready' && <Edit orgId={me.orgId} list={current.value} onSaved={list.load} />}
    </Section>
  )
}

type EditProps = { orgId: string; list: List; onSaved: () => Promise<void> }

function Edit({ orgId, list, onSaved }: EditProps) {
  const action = useAction(async (form: FormData) => {
    const allowLockOut = form.get('allowLockOut') !== null
    await api.orgs.ipAllowList.set(orgId, { entries: entriesIn(textOf(form, 'entries')), allowLockOut })
    await onSaved()
    announce(t('The allowed addresses are saved.'))
  })
  const failure = action.failure.value
  return (
    <Form action={action} submit={t('Save addresses')} busy={t('Saving …')} fields={['entries']}>
      <LongField
        name="entries"
        label={t('Addresses and networks, one per line')}
        help={t('A label may follow the address. Your address now: {address}.', {
          address: list.yourAddress,
        })}
        value={list.entries.map(({ cidr, label }) => (label ? `${cidr} ${label}` : cidr)).join('\n')}
        placeholder="203.0.113.0/24 Lagos"
        rows={4}
        dir="ltr"
        failure={failure}
      />
      {failure?.code === 'would_lock_you_out' && (
        <label class="tick">
          <input type="checkbox" name="allowLockOut" />
          <span>{t('Save although I cannot use the organisation from here')}</span>
        </label>
      )}
    </Form>
  )
}

const entriesIn = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [cidr = '', ...words] = line.split(/\s+/)
      return { cidr, label: words.join(' ') || null }
    })
