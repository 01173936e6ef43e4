// The texts of the public pages in English. The other languages have the same shape.
import type { ChannelName } from '../../payments/payments.ts'

export type SiteTexts = typeof en

export const en = {
  skip: 'Skip to the content',
  nav: {
    pricing: 'Pricing',
    docs: 'Docs',
    status: 'Status',
    terms: 'Terms',
    privacy: 'Privacy',
    security: 'Security',
    signIn: 'Sign in',
    register: 'Create an account',
    openApp: 'Open the app',
    contact: 'Contact',
    pages: 'Pages',
    language: 'Language',
    country: 'Country',
  },
  home: {
    title: 'Cowrie: a coding agent that states its price first',
    description:
      'An AI coding agent for Nigeria, Kenya, Ghana, South Africa and Egypt. See the most a task can cost, pay from a prepaid wallet in your currency.',
    headline: 'A coding agent that states its price first.',
    lead: (currency: string) =>
      `Ask for a change, see the most it can cost, and pay from a prepaid wallet in ${currency}.`,
    promptLabel: 'What should change?',
    promptExample: 'Fix the failing test.',
    promptButton: 'Try it on the sample',
    promptHint: 'Opens a small sample repository. You see the price before anything is charged.',
    recordedTitle: 'A recorded task',
    recordedNote: 'Recorded with our development model. Cost at today’s price.',
    play: 'Play',
    atMost: 'At most',
    cost: 'Cost',
    costOf: (spent: string, max: string) => `${spent} of at most ${max}`,
    tools: { list: 'Listed the files', read: 'Read', edit: 'Edited', run: 'Ran' },
    testsPass: (passed: number) =>
      passed === 1 ? 'The failing test passes now' : `${passed} tests pass now`,
    pricesTitle: 'Prices',
    priceTask: 'the task above',
    priceTokens: 'a million tokens, open lane',
    pricePlan: 'a month on Pro, with usage included',
    allPrices: 'All prices',
    noModels: 'No model is configured yet.',
    paidBy: 'Paid by',
    from: (amount: string) => `from ${amount}`,
    testMoney: 'This installation uses test money.',
    noChannels: 'No payment channel is configured for this country yet.',
    promisesTitle: 'Four promises you can check',
    promises: [
      {
        title: 'Never above the stated price',
        text: 'Every task has a maximum before it starts.',
        proof: 'See how a quote works',
      },
      { title: 'Never twice', text: 'A repeated request is charged once.', proof: 'See how retries work' },
      {
        title: 'Never for our failures',
        text: 'If we or the model fail, the money returns.',
        proof: 'Read the terms of charges',
      },
      {
        title: 'Every charge explained',
        text: 'Each entry shows its calculation, and your balance is their sum.',
        proof: 'Verify a ledger yourself',
      },
    ],
    toolsTitle: 'Works with the tools you have',
    toolsText: 'Set the address and the key, and your wallet pays.',
  },
  channels: { card: 'Card', ussd: 'Bank USSD', ozow: 'Ozow instant EFT' } as Partial<
    Record<ChannelName, string>
  >,
  pricing: {
    title: 'Pricing',
    description: 'All prices of Cowrie in your currency: models, plans and payment channels.',
    lead: (currency: string) => `All prices in ${currency}. They include the taxes of your country.`,
    exampleTitle: 'The cost of a task',
    example: (tokens: string, spent: string, max: string) =>
      `The recorded task on the front page used ${tokens} tokens and costs ${spent} at today’s price. Its maximum was ${max}. A larger task costs more: the app shows the maximum before each task, and the usual cost once enough comparable tasks exist.`,
    modelsTitle: 'Models',
    modelsText:
      'Prices are per million tokens. You pay for used tokens, at most rounded up to the smallest unit.',
    columns: {
      model: 'Model',
      input: 'Input',
      cachedInput: 'Cached input',
      cacheWrite: 'Cache write',
      output: 'Output',
      window: 'Window',
    },
    lanes: { open: 'Open lane', frontier: 'Frontier lane' },
    tokens: 'tokens',
    plansTitle: 'Plans',
    plansText:
      'A plan includes usage. The wallet pays for everything beyond it. Without a plan you pay only for use.',
    planColumns: {
      plan: 'Plan',
      month: 'Month',
      year: 'Year',
      included: 'Usage included per month',
      seats: 'Seats',
      seat: 'Further seat per month',
    },
    none: 'none',
    channelsTitle: 'Payment channels',
    channelsText:
      'Cowrie adds no fee: the amount you pay is the amount in your wallet. Your bank or network may charge you for the transfer.',
    channelColumns: { channel: 'Channel', least: 'Least', most: 'Most', fee: 'Our fee' },
    balanceNote: 'Money that you paid in does not expire. Your balance never goes below zero.',
  },
  status: {
    title: 'Status',
    description: 'Whether Cowrie, its models, payment channels and mail work now.',
    allWork: 'Everything works',
    someLimited: 'Some parts are limited',
    someDown: 'Some parts do not work',
    parts: { service: 'Service', database: 'Database', models: 'Models', mail: 'Mail' },
    states: { works: 'Works', limited: 'Limited', down: 'Down', test: 'Test mode' },
    notes: {
      maintenance: 'Maintenance: reading works, paid work waits.',
      modelsTest: 'The development model answers.',
      modelsLimited: 'A provider does not answer. Other providers take over.',
      modelsDown: 'No provider answers. Nothing is charged.',
      mailTest: 'Mail is captured, not sent.',
    },
    paymentsTitle: 'Payments',
    channelStates: { live: 'Works', test: 'Test money', paused: 'Paused: the provider does not answer' },
    noChannels: 'No channel is configured.',
    noticeTitle: 'Notice',
    readAt: (time: string) => `Read at ${time} UTC. Updated every few seconds.`,
    help: 'Payments that arrive during an outage are credited afterwards. Started tasks resume or are refunded.',
  },
  legal: {
    template:
      'This text is a template. The operator of this installation must have it reviewed for its country.',
    changed: (date: string) => `Version of ${date}`,
    operator: (name: string) => `Operator: ${name}`,
  },
  notFoundFigure: '–',
}
