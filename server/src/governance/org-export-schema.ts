// What an export has in it, for who reads it by program. A test holds these names against what the modules hand over.
import { z } from 'zod'
import { timestamp } from '../platform/http/shapes.ts'

const row = z.looseObject({})

/** Single things, or null where there is none. */
const fact = (description: string) => row.nullable().meta({ description })
/** The oldest first. */
const list = (description: string) => z.array(row).meta({ description })

export const ExportDocument = z
  .object({
    format: z.literal(1),
    exportedAt: timestamp,
    orgId: z.string(),
    org: fact('The organisation, its policy and its plan.'),
    sso: fact('The connection of its single sign-on, without secrets, and its domains.'),
    kyc: fact('What it submitted about its business, and what came of it.'),
    flags: list('Which features it sees, and why.'),
    wallet: fact('What its wallet holds now.'),
    billingDetails: fact('What stands on its invoices.'),
    givenPlan: fact('A plan that it was given.'),
    members: list('Who belongs to it, with roles and caps.'),
    apiKeys: list('Its keys, without what opens anything.'),
    webhookEndpoints: list('Where it is told what happened, without secrets.'),
    ledger: list('Every credit and debit.'),
    movements: list('Every movement of its wallet, with its hash.'),
    holds: list('What work reserved, and what became of it.'),
    memberMonths: list('What each member spent, by month.'),
    usage: list('Every metered turn.'),
    invoices: list('Every invoice.'),
    creditNotes: list('Every credit note.'),
    topups: list('Every top-up.'),
    otherPayments: list('Payments for plans and cards.'),
    paymentReturns: list('What payment providers and banks gave back to payers, and open disputes.'),
    refunds: list('What staff credited.'),
    subscriptions: list('Every subscription.'),
    bills: list('What was to be paid for them.'),
    cards: list('Stored cards: brand and last digits.'),
    indexFiles: list('Indexed files with their chunks, as they are searched.'),
    agentRuns: list('Runs of the agent with their edits.'),
    threads: list('Threads of its members.'),
    messages: list('Their messages.'),
    projects: list('Its projects.'),
    projectMembers: list('Who may see or write to each of them.'),
    attachments: list('Files that were made for it, without their bytes.'),
    installations: list('Installations of the GitHub app that it has claimed.'),
    reviewRuns: list('Reviews of its pull requests.'),
    reviewFindings: list('What they found, and what was said of it.'),
    researchRuns: list('Its research runs.'),
    researchSources: list('What their searches brought, and what became of it.'),
    researchFindings: list('What they found, each with its quote.'),
    researchPages: list('The texts that were read.'),
    audit: list('Who did what.'),
  })
  .meta({ id: 'OrgExport' })
