// cowrie admin secrets: shows the rotation of the service secret, or seals the stored data again now.
import type { SecretRotation } from '@cowrie/sdk'
import { asStaff, STAFF_OPTIONS } from '../../auth/staff-session.ts'
import type { Command } from '../../command.ts'
import { EXIT } from '../../exit-codes.ts'

export const secrets: Command = {
  name: 'admin secrets',
  summary: 'Show whether the previous service secret may be removed. For staff.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  options: {
    ...STAFF_OPTIONS,
    reseal: { type: 'boolean', summary: 'Seal the stored data again now instead of within the hour.' },
  },
  async run(context) {
    const { values, out, signal, endWith } = context
    await asStaff(context, async (client) => {
      const state = values.reseal
        ? await client.admin.secrets.reseal({ signal })
        : await client.admin.secrets.get({ signal })
      out.result(state, linesOf(state, values.reseal === true))
    })
    endWith(EXIT.ok)
  },
}

function linesOf(state: SecretRotation, isRequested: boolean): string[] {
  const { begunAt, checkedAt, resealed, lastResealed, unreadable, removableAt } = state
  const lost = unreadable.map(
    ({ name, count, ids }) => `${name}: no secret opens ${count}, such as ${ids.join(', ')}`,
  )
  return [
    begunAt === null ? 'No pass over the stored data yet.' : `The secret is current since ${begunAt}.`,
    ...(checkedAt === null
      ? []
      : [`Last pass: ${checkedAt}, ${lastResealed} sealed again (${resealed} in all).`]),
    ...lost,
    ...(isRequested ? ['A pass was requested.'] : []),
    !state.hasPrevious
      ? 'There is no previous secret.'
      : state.removable
        ? 'SERVICE_SECRET_PREVIOUS may be removed.'
        : `SERVICE_SECRET_PREVIOUS must stay${removableAt === null ? '' : `, until ${removableAt} at the earliest`}.`,
  ]
}
