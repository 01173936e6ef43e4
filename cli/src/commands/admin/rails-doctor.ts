// cowrie admin rails doctor: checks the payment providers with calls that move no money.
import type { AdminRailDoctorReply as Report } from '@cowrie/sdk'
import { asStaff, STAFF_OPTIONS } from '../../auth/staff-session.ts'
import type { Command, Context } from '../../command.ts'
import { EXIT } from '../../exit-codes.ts'
import { bold, dim, green, type Line, red, yellow } from '../../terminal/line.ts'
import { pad } from '../../terminal/width.ts'

export const railsDoctor: Command = {
  name: 'admin rails doctor',
  usage: '[rail]',
  summary: 'Check the keys, webhooks and clock of payment providers. Moves no money. For operators.',
  args: { min: 0, max: 1 },
  isKeyless: true,
  options: STAFF_OPTIONS,
  async run(context) {
    const { out, endWith } = context
    const reports = await asStaff(context, async (client) => {
      const rails = context.args.length > 0 ? context.args : await configuredRails(client, context)
      const done: Report[] = []
      for (const rail of rails) {
        out.progress(`Checking ${rail} …`, false)
        done.push(await client.admin.railDoctor(rail, { signal: context.signal }))
      }
      out.endProgress()
      return done
    })
    const isFailed = reports.some(({ status }) => status === 'failed')
    out.result({ ok: !isFailed, reports }, linesOf(reports))
    endWith(isFailed ? EXIT.failed : EXIT.ok)
  },
}

async function configuredRails(client: Context['client'], { signal }: Context): Promise<string[]> {
  const { rails } = await client.admin.rails({ signal })
  return rails.filter(({ accounts }) => accounts.length > 0).map(({ rail }) => rail)
}

type Probe = Report['accounts'][number]['probes'][number]

const SIGNS: Readonly<Record<Probe['status'], Line>> = {
  ok: [green('✓')],
  warning: [yellow('!')],
  failed: [red('✗')],
  skipped: [dim('-')],
  not_applicable: [dim('-')],
  not_readable: [yellow('?')],
}

function linesOf(reports: readonly Report[]): Line[] {
  if (reports.length === 0) return ['No provider has keys.']
  return reports.flatMap(({ rail, accounts }) =>
    accounts.length === 0
      ? [`${rail} has no keys.`]
      : accounts.flatMap(({ account, keys, status, probes }): Line[] => [
          [bold(`${rail} ${account}`), ` (${keys} keys): ${status}`],
          ...probes.flatMap(rowsOf),
          '',
        ]),
  )
}

const PROBE_WIDTH = 'unknown_reference'.length

const rowsOf = ({ probe, status, finding, remedy }: Probe): Line[] => [
  ['  ', ...SIGNS[status], ` ${pad(probe, PROBE_WIDTH)}  ${finding}`],
  ...(remedy === null ? [] : [`    ${pad('', PROBE_WIDTH)}  → ${remedy}`]),
]
