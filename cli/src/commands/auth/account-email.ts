// cowrie account email: the email address of the account. API keys cannot change it.
import { asPerson, PERSON_OPTIONS } from '../../auth/staff-session.ts'
import type { Command } from '../../command.ts'
import { UsageError } from '../../errors.ts'

export const accountEmail: Command = {
  name: 'account email',
  usage: '[<new address>]',
  summary: 'Show the email address of your account, or change it.',
  args: { min: 0, max: 1 },
  isKeyless: true,
  options: {
    ...PERSON_OPTIONS,
    cancel: { type: 'boolean', summary: 'Cancel the change that waits for its confirmation.' },
  },
  async run(context) {
    const {
      args: [wanted],
      values,
      out,
      signal,
    } = context
    const isCancelled = values.cancel === true
    if (isCancelled && wanted !== undefined) throw new UsageError('Use either a new address or --cancel.')
    const { email, pendingEmail } = await asPerson(context, async (client) => {
      if (wanted !== undefined) await client.me.email.change({ email: wanted }, { signal })
      if (isCancelled) await client.me.email.cancel({ signal })
      return client.me.get({ signal })
    })
    out.result({ email, pendingEmail }, [email])
    if (pendingEmail)
      out.note(
        `Waiting for ${pendingEmail.email} until ${pendingEmail.expiresAt}. Open the link in that mailbox.`,
      )
  },
}
