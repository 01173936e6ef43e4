// Adds a member by email. Without a free seat it shows the price of one more.
import type { BillingSummary } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { problem } from '../../data/failure.ts'
import type { Me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, textOf } from '../../ui/form/form.tsx'
import { mayManage, readCap } from './member.ts'
import { CapField, RoleField } from './member-fields.tsx'
import { SeatOffer } from './seat-offer.tsx'

type Props = { me: Me; summary: BillingSummary | null; onNews: () => Promise<void> }

export function Invite({ me, summary, onNews }: Props) {
  const isFull = summary !== null && summary.seats.occupied >= summary.seats.total
  return (
    <Section title={t('Add member')}>
      {mayManage(me) ? (
        <Question me={me} summary={summary} isFull={isFull} onNews={onNews} />
      ) : (
        <>
          <div class="choices">
            <button type="button" disabled aria-describedby="invite-barred">
              {t('Invite')}
            </button>
          </div>
          <p id="invite-barred" class="help">
            {t('Owners and administrators can invite.')}
          </p>
        </>
      )}
    </Section>
  )
}

function Question({ me, summary, isFull, onNews }: Props & { isFull: boolean }) {
  const { orgId, currency } = me
  const said = useSignal<string | null>(null)
  const round = useSignal(0)
  const action = useAction(async (form: FormData) => {
    said.value = null
    const read = readCap(textOf(form, 'capNaira'), currency)
    if ('error' in read) throw problem(read.error, { path: 'capNaira' })
    const { member, mailed } = await api.teams.members.add(orgId, {
      email: textOf(form, 'email').trim(),
      role: textOf(form, 'role') === 'admin' ? 'admin' : 'member',
      ...(read.cap !== null && { capNaira: read.cap }),
    })
    said.value = inWords(member, mailed)
    // The next invitation starts with an empty form.
    round.value += 1
    await onNews()
    announce(said.value)
  })
  const failure = action.failure.value
  return (
    <>
      <Form
        key={round.value}
        action={action}
        submit={t('Invite')}
        busy={t('Inviting …')}
        fields={['email', 'role', 'capNaira']}
        back="email"
        quiet={['seats_exceeded']}
      >
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
      </Form>
      {said.value && <p class="ok note">{said.value}</p>}
      {summary && (isFull || failure?.code === 'seats_exceeded') && (
        <SeatOffer
          me={me}
          summary={summary}
          onBought={async (words) => {
            action.reset()
            await onNews()
            announce(words)
          }}
          onNews={onNews}
        />
      )}
    </>
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
