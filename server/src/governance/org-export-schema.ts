// The schema of an exported organisation. A test compares its names with the data of the modules.
import { z } from 'zod'
import { timestamp } from '../platform/http/shapes.ts'

const row = z.looseObject({})

/** A single object, or null. */
const fact = (description: string) => row.nullable().meta({ description })
/** Oldest first. */
const list = (description: string) => z.array(row).meta({ description })

export const ExportDocument = z
  .object({
    format: z.literal(1),
    exportedAt: timestamp,
    orgId: z.string(),
    org: fact('The organisation, its policy and its plan.'),
    sso: fact('The connection of its single sign-on, without secrets, and its domains.'),
    kyc: fact('Its business details and the result of their review.'),
    flags: list('Its feature flags and their reasons.'),
    wallet: fact('The current balances of its wallet, and the posting that they follow from.'),
    transparency: fact('The proof that the newest published head of its wallet is in the transparency log.'),
    billingDetails: fact('The billing details on its invoices.'),
    givenPlan: fact('A plan granted by staff.'),
    automaticTopup: fact('The rule that charges a card when the balance is low.'),
    members: list('Its members, with roles and caps.'),
    apiKeys: list('Its API keys, without secrets.'),
    scimTokens: list('The tokens of its directory service, without secrets.'),
    scimUsers: list('Its users as the directory service describes them.'),
    scimGroups: list('The groups of its directory service, with their members.'),
    webhookEndpoints: list('Its webhook endpoints, without secrets.'),
    ledger: list('Every credit and debit.'),
    movements: list('Every posting of its wallet, with its hash.'),
    holds: list('Reservations for work, and their results.'),
    accruals: list('The exact sum of charges that accumulate, and the sum of their debits.'),
    memberMonths: list('The spending of each member by month.'),
    trialCredits: list('The trial credit, if it was granted.'),
    keySpend: list('The spending of each API key by day.'),
    usage: list('Every metered turn.'),
    requests: list('The model calls of the request log.'),
    invoices: list('Every invoice.'),
    creditNotes: list('Every credit note.'),
    topups: list('Every top-up.'),
    otherPayments: list('Payments for plans and cards.'),
    paymentReturns: list('Refunds by payment providers and banks, and disputes.'),
    sourceRefunds: list('Refunds by staff to the card, account or phone that paid.'),
    refunds: list('Credits by staff.'),
    subscriptions: list('Every subscription.'),
    bills: list('The bills of subscriptions.'),
    cards: list('Stored cards: brand and last digits.'),
    indexFiles: list('Indexed files with their searchable chunks.'),
    indexHistories: list('Commit histories of indexed repositories.'),
    agentRuns: list('Agent runs with their edits.'),
    threads: list('Chat threads of its members.'),
    messages: list('Messages of the threads.'),
    storedResponses: list('Stored responses of the Responses API, with their input.'),
    projects: list('Its projects.'),
    projectMembers: list('The members of each project and their access.'),
    attachments: list('Generated files, without their content.'),
    customRules: list('Its analysis rules.'),
    installations: list(
      'Its installations of the GitHub app and its connected repositories, without secrets.',
    ),
    reviewRuns: list('Reviews of its pull requests.'),
    reviewFindings: list('Findings of the reviews, and the feedback on them.'),
    researchRuns: list('Its research runs.'),
    researchSources: list('Sources of the research runs, with their status.'),
    researchFindings: list('Findings of the research runs, with their quotes.'),
    researchPages: list('The texts of the pages that research runs read.'),
    tasks: list('Its tasks for the agent.'),
    taskTurns: list('Turns of the tasks, with prompts and attachments.'),
    taskSteps: list('Model calls and tool calls of the turns, with their results.'),
    taskBaseFiles: list('Original files of the tasks, encoded as base64.'),
    taskChanges: list('Changes of files by the tasks, in order.'),
    taskClients: list('Tools and conventions that client workspaces of tasks brought.'),
    taskPullRequests: list('Pull requests of the tasks.'),
    audit: list('The audit log.'),
  })
  .meta({ id: 'OrgExport' })
