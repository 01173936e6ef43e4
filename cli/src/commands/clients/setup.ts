// cowrie setup: configures other coding clients for this service.
import { CLIENT_RECIPES, type ClientRecipe } from '@cowrie/sdk/clients'
import { limitsFrom, SETUP_LIMIT_OPTIONS } from '../../auth/key-limits.ts'
import type { Command, Context } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { checkClient, listClients } from '../../setup/check.ts'
import { installClient, printConfiguration } from '../../setup/install.ts'
import { undoClient } from '../../setup/undo.ts'

const IDS = CLIENT_RECIPES.map(({ id }) => id)
const MODES = ['list', 'print', 'check', 'undo'] as const

export const setup: Command = {
  name: 'setup',
  usage: '[client]',
  summary: `Let another coding client use your wallet, with a separate key: ${IDS.join(', ')}.`,
  args: { min: 0, max: 1 },
  isKeyless: true,
  complete: IDS,
  options: {
    model: {
      type: 'string',
      placeholder: '<id>',
      summary: 'The model to start with. Default: frontier, else open.',
    },
    ...SETUP_LIMIT_OPTIONS,
    check: { type: 'boolean', summary: 'Check the setup with a free call.' },
    undo: { type: 'boolean', summary: 'Restore the configuration and revoke the key.' },
    print: { type: 'boolean', summary: 'Print the configuration and write nothing.' },
    key: { type: 'boolean', summary: 'With --print: create a key for it.' },
    list: { type: 'boolean', summary: 'List the clients and whether they are set up.' },
  },
  async run(context) {
    const { values, args } = context
    const modes = MODES.filter((mode) => values[mode])
    if (modes.length > 1) throw new UsageError(`--${modes.join(' and --')} cannot be combined.`)
    if (values.key && !values.print) throw new UsageError('--key is for --print only.')
    if (values.list || args.length === 0) return list(context)
    const recipe = recipeOf(args[0])
    if (values.check) return checkClient(context, recipe)
    if (values.undo) return undoClient(context, recipe)
    if (values.print) return printConfiguration(context, recipe, limitsFrom)
    return installClient(context, recipe, limitsFrom)
  },
}

function list(context: Context): void {
  if (context.args.length > 0) throw new UsageError('--list takes no client.')
  listClients(context)
}

function recipeOf(name: string | undefined): ClientRecipe {
  const recipe = CLIENT_RECIPES.find(({ id }) => id === name)
  if (!recipe) throw new UsageError(`Unknown client "${name}". Clients: ${IDS.join(', ')}.`)
  return recipe
}
