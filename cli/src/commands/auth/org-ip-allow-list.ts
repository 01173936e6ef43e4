// cowrie org ip-allow-list: the addresses from which an organisation can be used. API keys cannot change it.
import type { Client } from '@cowrie/sdk'
import { asPerson, PERSON_OPTIONS } from '../../auth/staff-session.ts'
import { type Command, type Context, textsOf } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { columns } from '../../terminal/wrap.ts'

export const orgIpAllowList: Command = {
  name: 'org ip-allow-list',
  summary: 'Show the addresses from which your organisation can be used, or replace them.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  options: {
    ...PERSON_OPTIONS,
    set: {
      type: 'string',
      multiple: true,
      placeholder: '<cidr[=label]>',
      summary:
        'An address or a network, such as 203.0.113.0/24=Office. Repeat it for each. It replaces the list.',
    },
    clear: { type: 'boolean', summary: 'Remove the list: every address can use the organisation.' },
    'allow-lock-out': { type: 'boolean', summary: 'Store a list that lacks your own address.' },
  },
  async run(context) {
    const { values, out, signal } = context
    const entries = entriesOf(context)
    const list = await asPerson(context, async (client: Client) => {
      const orgId = context.org?.startsWith('org_') ? context.org : (await client.me.get({ signal })).orgId
      if (entries === null) return client.orgs.ipAllowList.get(orgId, { signal })
      const allowLockOut = values['allow-lock-out'] === true
      return client.orgs.ipAllowList.set(orgId, { entries, allowLockOut }, { signal })
    })
    const rows = list.entries.map(({ cidr, label }): [string, string] => [cidr, label ?? ''])
    out.result(
      list,
      rows.length > 0 ? columns(rows, out.width) : ['The organisation can be used from every address.'],
    )
    out.note(`Your address is ${list.yourAddress}.`)
  },
}

/** Null to show the list. */
function entriesOf({ values }: Context): { cidr: string; label: string | null }[] | null {
  const given = textsOf(values, 'set')
  if (values.clear === true) {
    if (given.length > 0) throw new UsageError('Use either --set or --clear.')
    return []
  }
  if (given.length === 0) return null
  return given.map((each) => {
    const [cidr = '', ...label] = each.split('=')
    return { cidr, label: label.join('=') || null }
  })
}
