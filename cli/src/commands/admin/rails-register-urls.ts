// cowrie admin rails register-urls: registers the URLs of the service for payments at the M-Pesa paybill.
import { asStaff, STAFF_OPTIONS } from '../../auth/staff-session.ts'
import type { Command } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'

const RESPONSE_TYPES = ['Completed', 'Cancelled'] as const

export const railsRegisterUrls: Command = {
  name: 'admin rails register-urls',
  summary: 'Register the URLs of the service at M-Pesa, for payments at the paybill. For operators.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  options: {
    ...STAFF_OPTIONS,
    'response-type': {
      type: 'string',
      placeholder: '<type>',
      summary:
        'While the service does not answer, "Completed" lets payments arrive and "Cancelled" refuses them. Default: Completed.',
    },
  },
  async run(context) {
    const { out, signal, values, endWith } = context
    const asked = values['response-type'] ?? 'Completed'
    const responseType = RESPONSE_TYPES.find((each) => each === asked)
    if (!responseType) throw new UsageError(`--response-type is one of ${RESPONSE_TYPES.join(' and ')}.`)
    const reply = await asStaff(context, (client) =>
      client.admin.registerRailUrls({ responseType }, { signal }),
    )
    const { ok, shortcode, host, detail } = reply
    out.result(reply, [
      ok
        ? `Registered ${host} for the paybill ${shortcode} (${responseType}).`
        : `M-Pesa did not register ${host} for the paybill ${shortcode}: ${detail}`,
    ])
    endWith(ok ? EXIT.ok : EXIT.failed)
  },
}
