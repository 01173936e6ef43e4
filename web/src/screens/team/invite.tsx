// Adds a member by email.
import { api } from '../../data/api.ts'
import { problem } from '../../data/failure.ts'
import type { Me } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { appLocation } from '../../router/location.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Field } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'
import { readCap } from './member.ts'
import { CapField, RoleField } from './member-fields.tsx'

type Props = { me: Me; isFull: boolean; onNews: () => Promise<void> }

export function Invite({ me: { orgId, currency }, isFull, onNews }: Props) {
  async function invite(form: FormData): Promise<void> {
    const read = readCap(textOf(form, 'capNaira'), currency)
    if ('error' in read) throw problem(read.error, { path: 'capNaira' })
    const { member, mailed } = await api.teams.members.add(orgId, {
      email: textOf(form, 'email').trim(),
      role: textOf(form, 'role') === 'admin' ? 'admin' : 'member',
      ...(read.cap !== null && { capNaira: read.cap }),
    })
    await onNews()
    announce(inWords(member, mailed))
  }
  return (
    <DialogButton
      label={t('Invite member')}
      submit={t('Send invitation')}
      question={t('Invite a member')}
      look="primary"
      fields={['email', 'role', 'capNaira']}
      disabledReason={isFull ? t('No free seat') : null}
      opened={appLocation.value.section === 'invite'}
      act={invite}
    >
      {(failure) => (
        <>
          <Field
            name="email"
            label={t('Email')}
            type="email"
            inputMode="email"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            dir="auto"
            required
            maxLength={254}
            failure={failure}
          />
          <RoleField now="member" />
          <CapField currency={currency} failure={failure} />
        </>
      )}
    </DialogButton>
  )
}

function inWords({ email, pending }: { email: string; pending: boolean }, mailed: boolean): string {
  if (!mailed)
    return t(
      '{email} joined the team, but no email was sent: too many were sent before. Tell them yourself.',
      { email },
    )
  return pending
    ? t('Invitation sent to {email}.', { email })
    : t('{email} joined the team and was notified by email.', { email })
}
