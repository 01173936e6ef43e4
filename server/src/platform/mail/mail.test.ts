import { startFakeSmtp } from '@cowrie/testkit/fakes/smtp.ts'
import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { App } from '../app.ts'
import { createJobs } from '../jobs/jobs.ts'
import { createLog } from '../log/log.ts'
import { createMetrics } from '../log/metrics.ts'
import { createSecrets } from '../secrets.ts'
import { createMail, mailJobs, plainMail } from './mail.ts'
import type { Mailer } from './mailer.ts'

import { Outbox } from './schema.ts'
import { captureMail, listMails } from './sql.ts'
import { renderMail } from './template.ts'

let database: TestDb
beforeAll(async () => {
  database = await openTestDb()
})
afterAll(() => database.close())

const FROM = 'Cowrie <no-reply@cowrie.example>'
const TIMES = { connectMs: 15_000, greetingMs: 15_000, silenceMs: 15_000 }
const secrets = createSecrets('a secret of at least thirty-two bytes')
const languageOf = async (_: unknown, email: string) => (email.startsWith('amina') ? ('sw' as const) : null)
const link = 'https://cowrie.example/auth/verify?token=canary'
const mailTo = (to: string, subject = 'Sign in') => ({
  to,
  ...plainMail(subject, ['Here is your link.'], { label: 'Sign in', url: link }),
})

/** The parts of the app that mail needs, with a real database and a captured log. */
function start(smtpUrl: string | null, times = TIMES) {
  const { db, clock } = database
  const lines: string[] = []
  const log = createLog({ level: 'debug', destination: { write: (line) => lines.push(line) } })
  const metrics = createMetrics({ processDefaults: false })
  const mail: Mailer = createMail({ smtpUrl, mailFrom: FROM }, secrets, languageOf, times)
  const parts: Pick<App, 'db' | 'clock' | 'log' | 'metrics' | 'mail' | 'secrets'> = {
    db,
    clock,
    log,
    metrics,
    mail,
    secrets,
  }
  const app = parts as App
  const jobs = createJobs(() => app, mailJobs, [], {
    slowEnabled: () => true,
    leaseSeconds: () => 30,
    graceSeconds: () => 5,
  })
  onTestFinished(() => mail.close())
  const send = (to: string, subject?: string) => db.tx('platform', (tx) => mail.send(tx, mailTo(to, subject)))
  const queued = () =>
    database.sql.rows<{ state: string; attempt: number; error: string | null; payload: unknown }>`
      select state, attempt, error, payload from jobs where name = 'mail.send' order by id`
  /** Lets the time pass that a retry waits at most, and runs what is due. */
  const later = () => {
    clock.advance({ minutes: 11 })
    return jobs.drain()
  }
  return {
    db,
    jobs,
    mail,
    send,
    queued,
    later,
    lines,
    log: () => lines.join(''),
    metrics: () => metrics.exposition(),
  }
}

describe('without a mail server', () => {
  test('a mail is captured in the outbox after its transaction, for its recipient only', async () => {
    const { db, jobs, send, log, metrics } = start(null)
    await send('ada@example.com', 'First')
    database.clock.advance({ seconds: 1 })
    await send('ada@example.com', 'Second')
    await send('grace@example.com', 'Other')
    await jobs.drain()
    const mails = await listMails(db.direct, 'Ada@Example.com')
    expect(mails.map(({ subject }) => subject)).toEqual(['Second', 'First'])
    expect(mails[0]).toMatchObject({
      to: 'ada@example.com',
      text: expect.stringContaining(link),
      createdAt: database.clock.now(),
    })
    expect(mails[0]?.html).toContain('https://cowrie.example/auth/verify')
    expect(Outbox.parse({ mails })).toEqual({ mails })
    expect(log()).toContain('"to":"ada@example.com","subject":"Second"')
    expect(log()).not.toContain('canary')
    expect(await metrics()).toContain('cowrie_mails_total{outcome="kept"} 3\n')
  })

  test('a mail is in the language of its recipient, and in English where a text has no translation', async () => {
    const { db, mail, jobs, log } = start(null)
    await db.tx('platform', async (tx) => {
      await mail.send(tx, {
        to: 'amina@example.com',
        ...plainMail('Your sign-in link', [], { label: 'Sign in', url: link }),
      })
      await mail.send(tx, mailTo('amina.k@example.com', 'Your sign-in link'))
    })
    await jobs.drain()
    const [first] = await listMails(db.direct, 'amina@example.com')
    expect(first).toMatchObject({ subject: 'Kiungo chako cha kuingia', text: `Ingia:\n${link}\n\nCowrie\n` })
    expect(first?.html).toContain('lang="sw"')
    const [second] = await listMails(db.direct, 'amina.k@example.com')
    expect(second).toMatchObject({ subject: 'Your sign-in link' })
    expect(log()).toContain('"language":"sw","msg":"mail.message.untranslated"')
  })

  test('a mail of a rolled back transaction is never sent', async () => {
    const { db, jobs } = start(null)
    const mail = createMail({ smtpUrl: null, mailFrom: FROM }, secrets, languageOf)
    const broken = db.tx('platform', async (tx) => {
      await mail.send(tx, mailTo('nobody@example.com'))
      throw new Error('changed my mind')
    })
    await expect(broken).rejects.toThrow('changed my mind')
    await jobs.drain()
    expect(await listMails(db.direct, 'nobody@example.com')).toEqual([])
  })

  test('the queue contains nothing readable of the mail', async () => {
    const { send, queued, jobs } = start(null)
    await send('secret-recipient@example.com')
    const [waiting] = await queued()
    expect(waiting?.state).toBe('waiting')
    expect(JSON.stringify(waiting)).not.toMatch(/secret-recipient|canary|Sign in|cowrie\.example/)
    await jobs.drain()
  })

  test('the outbox keeps the newest thousand mails, and a repeated job stores its mail once', async () => {
    const { db, jobs, send } = start(null)
    await database.sql.rows`
      insert into mail_outbox (id, recipient, subject, body_text, body_html, created_at)
      select 'job_' || lpad(n::text, 26, '0'), 'many@example.com', 'Old ' || n, '', '', ${database.clock.now()} from generate_series(1, 1500) n`
    await send('many@example.com', 'Newest')
    await jobs.drain()
    const { count } = await database.sql.one<{
      count: number
    }>`select count(*)::int as count from mail_outbox`
    expect(count).toBe(1_000)
    const [newest, next] = await listMails(db.direct, 'many@example.com')
    expect([newest?.subject, next?.subject]).toEqual(['Newest', 'Old 1500'])

    const message = { to: 'many@example.com', ...renderMail(mailTo('many@example.com', 'Again')) }
    for (let times = 0; times < 2; times++)
      await db.tx('platform', (tx) => captureMail(tx, newest?.id ?? '', message))
    expect((await listMails(db.direct, 'many@example.com'))[0]?.subject).toBe('Newest')
  })
})

describe('with a mail server', () => {
  test('a mail is delivered as text and HTML, with sender, date and the Message-ID of its job', async () => {
    const server = await startFakeSmtp()
    const { send, jobs, queued, log } = start(server.url)
    await send('ada@example.com', 'Überraschung: ₦1,500')
    const [waiting] = await database.sql.rows<{ id: string }>`select id from jobs where name = 'mail.send'`
    await jobs.drain()
    expect(server.received).toHaveLength(1)
    const [{ envelope, mail }] = server.received as [(typeof server.received)[0]]
    expect(envelope).toEqual({ from: 'no-reply@cowrie.example', to: ['ada@example.com'] })
    expect(mail).toMatchObject({
      from: { name: 'Cowrie', address: 'no-reply@cowrie.example' },
      to: [{ address: 'ada@example.com' }],
      subject: 'Überraschung: ₦1,500',
      messageId: `<${waiting?.id}@cowrie.example>`,
    })
    expect(new Date(mail.date ?? '')).toEqual(database.clock.now())
    expect(mail.text).toContain(link)
    expect(mail.html).toContain(`<a href="${link}"`)
    expect(mail.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
    expect(await queued()).toEqual([])
    expect(log()).not.toContain('canary')
  })

  test.for([
    { it: 'the recipient is temporarily unavailable', at: 'recipient' as const },
    { it: 'the content is temporarily rejected', at: 'data' as const },
  ])('when $it, the same mail is sent later', async ({ at }) => {
    const server = await startFakeSmtp({ [at]: [451] })
    const { send, jobs, queued, later, metrics } = start(server.url)
    await send('ada@example.com')
    await jobs.drain()
    expect(server.received).toEqual([])
    expect(await queued()).toMatchObject([{ state: 'waiting', attempt: 1 }])
    await later()
    expect(server.received).toHaveLength(1)
    expect(await queued()).toEqual([])
    const text = await metrics()
    expect(text).toContain('cowrie_mails_total{outcome="retried"} 1\n')
    expect(text).toContain('cowrie_mails_total{outcome="sent"} 1\n')
  })

  test.for([
    { it: 'the mailbox does not exist', at: 'recipient' as const, code: 550 },
    { it: 'the content is rejected', at: 'data' as const, code: 554 },
  ])('when $it, the mail is not retried', async ({ at, code }) => {
    const server = await startFakeSmtp({ [at]: Array(20).fill(code) })
    const { send, jobs, queued, later, log, metrics } = start(server.url)
    await send('gone@example.com')
    await jobs.drain()
    await later()
    expect(await queued()).toEqual([])
    expect(server.asked()).toBe(1)
    expect(log()).toContain(`"smtpCode":${code}`)
    expect(await metrics()).toContain('cowrie_mails_total{outcome="refused"} 1\n')
  })

  test('a mail waits until the server is available again', async () => {
    const server = await startFakeSmtp()
    await server.stop()
    const { send, jobs, queued, later } = start(server.url)
    await send('ada@example.com')
    await jobs.drain()
    await later()
    expect(await queued()).toMatchObject([{ state: 'waiting', attempt: 2 }])
    await server.start()
    await later()
    expect(server.received).toHaveLength(1)
    expect(await queued()).toEqual([])
  })

  test('a server that restarts between two mails receives both', async () => {
    const server = await startFakeSmtp()
    const { send, jobs, later } = start(server.url)
    await send('ada@example.com')
    await jobs.drain()
    await server.stop()
    await server.start()
    await send('grace@example.com')
    await jobs.drain()
    await later()
    expect(server.received.map(({ envelope }) => envelope.to)).toEqual([
      ['ada@example.com'],
      ['grace@example.com'],
    ])
  })

  test('a server that never greets times out', async () => {
    const server = await startFakeSmtp({ silent: true })
    const { send, jobs, queued } = start(server.url, { ...TIMES, greetingMs: 500 })
    await send('ada@example.com')
    await jobs.drain()
    expect(await queued()).toMatchObject([{ state: 'waiting', attempt: 1 }])
    await database.sql.rows`delete from jobs`
  })

  test('a wrong password is a configuration error: the mail waits, and the password is not logged', async () => {
    const server = await startFakeSmtp({ password: 'right' })
    const { send, jobs, queued, log } = start(server.url.replace('//', '//cowrie:wrong-canary@'))
    await send('ada@example.com')
    await jobs.drain()
    expect(await queued()).toMatchObject([{ state: 'waiting', attempt: 1 }])
    expect(JSON.stringify(await queued()) + log()).not.toContain('wrong-canary')
    const mended = start(server.url.replace('//', '//cowrie:right@'))
    await mended.later()
    expect(server.received).toHaveLength(1)
  })

  test('a mail that is not accepted for a long time is given up', async () => {
    const server = await startFakeSmtp({ recipient: Array(100).fill(451) })
    const { send, jobs, queued, later, metrics } = start(server.url)
    await send('ada@example.com')
    await jobs.drain()
    for (let times = 0; times < 20; times++) await later()
    expect(await queued()).toMatchObject([{ state: 'dead', attempt: 16 }])
    expect(await metrics()).toContain('cowrie_mails_total{outcome="failed"} 1\n')
    expect(server.asked()).toBe(16)
    await database.sql.rows`delete from jobs`
  })
})
