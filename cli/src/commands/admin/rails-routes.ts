// cowrie admin rails routes: shows and sets the order of provider accounts for a channel and currency.
import type { AdminRailRoutesSetBody, RailRoute } from '@cowrie/sdk'
import { asStaff, STAFF_OPTIONS } from '../../auth/staff-session.ts'
import type { Command } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { bold, dim, type Line, yellow } from '../../terminal/line.ts'

/** The service refuses unknown names. */
type Body = AdminRailRoutesSetBody

export const railsRoutes: Command = {
  name: 'admin rails routes',
  usage: '[channel currency [rail:account=priority …]]',
  summary:
    'Show or set the order of provider accounts. Lower priorities come first; `default` resets. For operators.',
  args: { min: 0, max: 22 },
  isKeyless: true,
  options: STAFF_OPTIONS,
  async run(context) {
    const { args, out, signal } = context
    const [channel, currency, ...choices] = args
    if (channel !== undefined && currency === undefined)
      throw new UsageError('Name the currency, too: cowrie admin rails routes card NGN.')
    const accounts = choices.join() === 'default' ? [] : choices.map(parseChoice)
    const routes = await asStaff(context, async (client) => {
      if (channel !== undefined && currency !== undefined && choices.length > 0)
        await client.admin.railRoutes.set(
          { channel: channel as Body['channel'], currency: currency as Body['currency'], accounts },
          { signal },
        )
      return (await client.admin.railRoutes.list({ signal })).routes
    })
    const shown = routes.filter(
      (route) => channel === undefined || (route.channel === channel && route.currency === currency),
    )
    out.result({ routes: shown }, shown.length > 0 ? shown.flatMap(linesOf) : ['No account serves it.'])
  },
}

function parseChoice(choice: string) {
  const [, rail, account, priority] = /^([a-z]+):([A-Za-z]+)=(\d{1,3})$/.exec(choice) ?? []
  if (rail === undefined || account === undefined)
    throw new UsageError(`${choice} is not an account with its priority, such as paystack:NG=1.`)
  return { rail, account, priority: Number(priority) }
}

const linesOf = ({ channel, currency, accounts }: RailRoute): Line[] => [
  [bold(`${channel} ${currency}`)],
  ...accounts.map(
    ({ rail, account, priority, isDown, settled, decided, feeBasisPoints }, index): Line => [
      `  ${index + 1}. ${rail}:${account}`,
      dim(priority === null ? '' : ` priority ${priority}`),
      dim(decided === 0 ? '' : `, ${settled} of ${decided} settled`),
      dim(feeBasisPoints === null ? '' : `, fees ${feeBasisPoints / 100} %`),
      ...(isDown ? [yellow(' down')] : []),
    ],
  ),
]
