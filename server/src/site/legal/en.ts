// Terms, privacy and security in English: what the service does, in plain words. The other languages have the same shape.

export type LegalTexts = typeof enLegal
export type LegalDocument = {
  readonly title: string
  readonly description: string
  readonly lead: string
  readonly sections: Readonly<Record<string, { readonly title: string; readonly text: readonly string[] }>>
}

export const enLegal = {
  terms: {
    title: 'Terms of service',
    description: 'The agreement between you and the operator of this Cowrie installation.',
    lead: 'This is the agreement between you and the operator of this service. It is short so that you can read it.',
    sections: {
      service: {
        title: 'The service',
        text: [
          'Cowrie changes code, answers questions, reviews pull requests and researches with AI models. Models make mistakes: review every change before you use it.',
          'A change counts as verified only if your tests failed or were missing before and pass after it.',
        ],
      },
      account: {
        title: 'Your account',
        text: [
          'You must be at least 18 years old or have the consent of a guardian, and give a real email address. Keep your password, keys and second factor to yourself: actions with them count as yours.',
          'An organisation belongs to its owners. They decide about members, budgets and closure.',
        ],
      },
      charges: {
        title: 'Charges',
        text: [
          'You prepay. Your balance never goes below zero. Each paid action has a maximum before it starts, and you never pay more than that.',
          'A repeated request with the same idempotency key is charged once. If we, our infrastructure or the model provider fail, the held amount is released or the charge is returned in the ledger.',
          'A task that you stop costs what was used until then. Prices can change for work that starts later, never for work that has started.',
        ],
      },
      payments: {
        title: 'Top-ups, plans and refunds',
        text: [
          'A top-up is credited when the payment provider confirms it. We add no fee. A plan renews until you cancel it, and a cancelled plan works until the end of its paid period.',
          'Write to us for a refund of unused balance. We return it through the channel that you paid with, where the provider allows it and the law requires nothing else.',
        ],
      },
      content: {
        title: 'Your code',
        text: [
          'Your code, prompts and results stay yours. You allow us to process them only to provide the service to you. We do not train models with them.',
          'Send only content that you may send. Files and values that look like secrets are withheld from models unless you allow them.',
        ],
      },
      use: {
        title: 'Fair use',
        text: [
          'Do not attack others, write malware, evade limits, resell access without agreement or break the law. Rate limits apply to everyone and are published in the reference.',
          'We may suspend an organisation that does so, and tell its owners why. Reading, export and support remain possible.',
        ],
      },
      liability: {
        title: 'Availability and liability',
        text: [
          'We aim for a service that is always available and publish its state on the status page. We do not promise that it never fails.',
          'As far as the law allows, our liability is limited to what you paid in the twelve months before the damage. Rights that the law gives consumers remain.',
        ],
      },
      end: {
        title: 'Ending',
        text: [
          'You can export your data and close your organisation at any time. We may end the agreement with 30 days of notice, or at once after serious abuse. Unused balance is returned.',
          'We announce changes of these terms by email 30 days before they apply. The law of the country of the operator applies.',
        ],
      },
    },
  },
  privacy: {
    title: 'Privacy',
    description: 'Which data this Cowrie installation stores, why, for how long and who receives it.',
    lead: 'We store what the service needs and nothing for advertising. No page loads anything from other companies.',
    sections: {
      data: {
        title: 'Stored data',
        text: [
          'Account: email address, name, a hash of your password, language and country, sign-in methods, sessions with device and network address.',
          'Content: tasks, chats, research, reviews and files that you send, until you delete them or close the organisation.',
          'Money: payments, phone numbers for mobile money, ledger entries, invoices, and a token of a stored card. Card numbers stay with the payment provider.',
          'Operation: a log of model calls with tokens and cost but without content, an audit log, and technical logs without content.',
        ],
      },
      purpose: {
        title: 'Why',
        text: [
          'To provide the service (contract), to prevent fraud and abuse (legitimate interest), and to keep accounts (legal duty). Nothing is sold, and nothing is used to train models.',
        ],
      },
      recipients: {
        title: 'Recipients',
        text: [
          'The model provider of the chosen model receives your prompt and the files that it needs. Values that look like secrets are withheld. An organisation can require a region; then only models of that region are used.',
          'The payment provider receives the amount, the reference and, where needed, your phone number or email address. The mail server receives the mails to you. GitHub receives what you publish there.',
          'Staff of the operator see accounts and payments to help you. Each change that they make is recorded in the audit log.',
        ],
      },
      duration: {
        title: 'How long',
        text: [
          'Content: until you delete it. Log of model calls: 90 days, unless the operator has set another number. Sessions: at most 30 days. Ledger, invoices and audit log: as long as tax law requires.',
          'When you close an organisation, its content is deleted. The ledger and the invoices remain without content.',
        ],
      },
      cookies: {
        title: 'Cookies',
        text: [
          'After sign-in: a session cookie that scripts cannot read, a second one without a secret that says that a session may exist, and one that recognises the device. On these pages: your choice of language and country. There are no other cookies and no trackers.',
          'The app keeps drafts and the last answers in your browser for use without a network. Signing out deletes them.',
        ],
      },
      rights: {
        title: 'Your rights',
        text: [
          'You can see, correct, export and delete your data in the app: Settings and Organisation. For everything else, write to us through the contact page. You can complain to the data protection authority of your country.',
        ],
      },
      place: {
        title: 'Where',
        text: [
          'Data is stored where the operator runs the service. An organisation can have its content in a separate database. Model providers may be in other countries; the operator names them on request.',
        ],
      },
    },
  },
  security: {
    title: 'Security',
    description: 'How this Cowrie installation protects code, keys and money, and how to report a problem.',
    lead: 'How we protect code, keys and money, and how you can check it.',
    sections: {
      report: {
        title: 'Report a problem',
        text: [
          'Write to us through the contact page. We answer within three working days. We take no legal action against research in good faith that harms no customer and reads no foreign data.',
        ],
      },
      tenants: {
        title: 'Separation of customers',
        text: [
          'The database itself separates organisations by row-level security. Tests call every endpoint as every kind of caller, and the table of access is published in the reference.',
        ],
      },
      signin: {
        title: 'Sign-in and keys',
        text: [
          'Passwords are stored as Argon2 hashes. Passkeys, one-time codes and single sign-on are available. Sessions end after 7 days without use.',
          'API keys are stored as digests. A key can have a budget, models, rates and allowed addresses.',
        ],
      },
      code: {
        title: 'Your code',
        text: [
          'Tests run in a sandbox without network. Git hooks and build scripts of a repository never run while it is read. Files and values that look like secrets are withheld from models.',
          'A task changes nothing on your machine or on GitHub by itself: you download the change or open the pull request.',
        ],
      },
      ledger: {
        title: 'The ledger proves itself',
        text: [
          'Each posting contains the hash of the one before it. GET /wallet/proof adds up all postings and checks the chain. You can download the postings and recalculate it: GET /wallet/proof/movements.',
          'Each charge can be explained: tokens, price, rounding and rate card. The service recalculates it while you look at it.',
        ],
      },
      payments: {
        title: 'Payments',
        text: [
          'A webhook alone credits nothing: we ask the payment provider for the status of each payment, and credit each reference once. Payments whose amount, currency or reference differ are reviewed by staff.',
        ],
      },
      quotes: {
        title: 'Quotes',
        text: [
          'A quote states the maximum before a task starts. The wallet holds at most that amount, and the database limits a charge to its hold. Use POST /tasks/{id}/quote to get one.',
        ],
      },
      retries: {
        title: 'Retries',
        text: [
          'Paid requests carry an idempotency key. The reply is stored with the charge in one transaction, so a retry after a lost connection returns the same reply and costs nothing more.',
        ],
      },
      web: {
        title: 'The web pages',
        text: [
          'A strict content security policy allows only scripts and styles of this origin. Pages load nothing from other companies. Texts are escaped by construction.',
        ],
      },
    },
  },
} satisfies Record<string, LegalDocument>
