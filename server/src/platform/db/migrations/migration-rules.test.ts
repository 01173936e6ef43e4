import { describe, expect, test } from 'vitest'
import { faultsOf, MIGRATION_RULES, type MigrationRule } from './migration-rules.ts'
import { readContentMigrations, readMigrations } from './sql-files.ts'
import { statementsOf } from './sql-statements.ts'

/** Files from before these rules. Their locks were short, because the tables were small. */
const ACCEPTED_UP_TO = 84
const CONTENT_ACCEPTED_UP_TO = 16

const rulesOf = (text: string, earlier: readonly string[] = []): MigrationRule[] =>
  faultsOf(text, earlier).map(({ rule }) => rule)

const WRONG: readonly (readonly [MigrationRule, string])[] = [
  ['rewrite', 'alter table payments add column token text default gen_random_uuid()::text'],
  ['rewrite', 'alter table payments add column at timestamptz not null default clock_timestamp()'],
  ['rewrite', 'alter table payments add column n bigserial'],
  ['rewrite', 'alter table payments add column twice bigint generated always as (minor * 2) stored'],
  ['rewrite', 'alter table payments alter column minor type numeric(20)'],
  ['rewrite', 'alter table payments alter minor set data type numeric'],
  ['rewrite', 'alter table payments set unlogged'],
  ['not_null', 'alter table payments alter column minor set not null'],
  ['not_null', 'alter table payments add column rate text not null'],
  ['constraint', 'alter table payments add constraint positive check (minor > 0)'],
  ['constraint', 'alter table payments add constraint of foreign key (org_id) references orgs'],
  ['constraint', 'alter table payments add constraint once unique (reference)'],
  ['constraint', 'alter table "payments" add column rate text check (rate <> \'not valid\')'],
  ['constraint', "alter table payments add column org text default 'org_1' references orgs"],
  ['index', 'create index payments_at on public.payments (created_at)'],
  ['index', 'create unique index payments_at on only payments (created_at)'],
  ['index', "create table other (id text); create index other_id on payments (id) where note <> 'on other'"],
  ['concurrently', 'create index concurrently payments_at on payments (created_at)'],
  [
    'concurrently',
    'drop index concurrently if exists other; create index concurrently payments_at on payments (at)',
  ],
  [
    'concurrently',
    'drop index concurrently if exists a; create index concurrently a on payments (at); create table b (id text)',
  ],
  ['drop', 'alter table payments drop column note'],
  ['drop', 'alter table payments add column a text, drop note'],
  ['drop', 'drop table if exists payments'],
  ['drop', 'drop function wallet_apply(text)'],
  ['rename', 'alter table payments rename column note to remark'],
  ['rename', 'alter table payments rename to money'],
  ['rename', 'alter function a() rename to b'],
  ['lock', 'lock table payments in exclusive mode'],
  ['lock', 'vacuum full payments'],
  ['lock', 'cluster payments using payments_pkey'],
  ['lock', 'reindex table payments'],
  ['lock', 'truncate payments'],
  ['whole_table', "update payments set note = 'where'"],
  ['whole_table', 'delete from payments -- where'],
  ['unreadable', "do $$ begin execute 'lock table payments'; end $$"],
  [
    'unreadable',
    `do $$ begin if exists (select from pg_roles where rolname = 'cowrie_app') then revoke all on a from b; drop table a; end if; end $$`,
  ],
  ['allowance', '-- allow: rewrite, the table has less than 1,000 rows\ncreate table small (id text)'],
  ['allowance', '-- allow: drop\ndrop table payments'],
  ['divided', 'alter table holds add column kind text references kinds'],
  [
    'divided',
    'alter table public.movements add constraint of foreign key (org_id) references orgs not valid',
  ],
  ['divided', 'drop index concurrently if exists u; create unique index concurrently u on holds (ref)'],
  ['divided', 'alter table wallets disable trigger user'],
  ['divided', 'create trigger t before update on holds for each row execute function f()'],
  [
    'divided',
    'create constraint trigger t after insert on only usage_points for each row execute function f()',
  ],
  ['divided', 'drop trigger if exists no_change on movements'],
  ['divided', 'create policy p on wallets using (org_id = (select tenant_scope()))'],
  ['divided', "call make_append_only('key_spend')"],
]

const RIGHT: readonly string[] = [
  "alter table payments add column kind text not null default 'card', add column at timestamptz default now()",
  'alter table payments add column org text references orgs',
  'alter table payments add constraint positive check (minor > 0) not valid',
  'alter table payments add constraint once unique using index payments_once',
  'alter table payments validate constraint positive',
  'alter table payments drop constraint old, add constraint new check (minor > 0) not valid',
  'alter table payments alter column note drop not null, alter note set default now()',
  'create table small (id text); create index small_id on small (id); update small set id = id; alter table small add check (true)',
  'create table if not exists public.small (id text); create unique index on public.small (id)',
  'drop index concurrently if exists payments_at; create unique index concurrently payments_at on payments (created_at)',
  "update payments set note = '' where note is null",
  'drop index payments_at',
  "alter table holds add column kind text not null default 'run'",
  'alter table holds add constraint kind_known check (kind is not null) not valid',
  'drop index concurrently if exists u; create unique index concurrently u on holds (org_id, ref)',
  'create policy p on wallets using (org_id = tenant_scope())',
  `do $$ begin
    if exists (select from pg_roles where rolname = 'cowrie_app') then
      -- Written by its function only.
      revoke insert, update, delete, truncate on payments from cowrie_app;
    end if;
  end $$`,
  "create function f() returns void language plpgsql as $body$ begin update payments set note = ''; drop table payments; end $body$",
  "insert into notes values ('; drop table payments; --', E'\\'; drop table payments')",
  '/* drop table payments; /* nested */ */ select 1',
  '-- allow: rewrite, the table has less than 1,000 rows\nalter table payments alter column minor type numeric',
]

describe('a migration', () => {
  test.for(WRONG)('breaks the rule %s: %s', ([rule, text]) => {
    expect(new Set(rulesOf(text))).toEqual(new Set([rule]))
  })

  test.for(RIGHT)('may contain: %s', (text) => {
    expect(faultsOf(text)).toEqual([])
  })

  test('may set a column not null after an earlier file has validated the check', () => {
    const set = 'alter table payments alter column rate set not null'
    const add = 'alter table payments add constraint rate_known check (rate is not null) not valid'
    const validate = 'alter table payments validate constraint rate_known'
    expect(rulesOf(set, [add, validate])).toEqual([])
    expect(rulesOf(set, [add])).toEqual(['not_null'])
    expect(rulesOf(set, [add.replace('rate is', 'rate is null or rate is'), validate])).toEqual(['not_null'])
    expect(rulesOf(`${add}; ${validate}`)).toEqual(['validate'])
  })

  test('is exempt only from the rule that the allowance names', () => {
    const text =
      '-- allow: drop, no statement of 0.4 reads this\nalter table payments drop column a, rename b to c'
    expect(rulesOf(text)).toEqual(['rename'])
    expect(rulesOf(`${text}; drop table other`)).toEqual(['rename', 'drop'])
  })

  test('of this repository keeps the rules, or says why not', () => {
    const check = (files: ReturnType<typeof readMigrations>, acceptedUpTo: number, folder: string) =>
      files.flatMap(({ version, name, text }, i) =>
        version <= acceptedUpTo
          ? []
          : faultsOf(
              text,
              files.slice(0, i).map((file) => file.text),
            ).map(({ rule, statement }) => `${folder}${name}: «${statement}» ${MIGRATION_RULES[rule]}.`),
      )
    expect(check(readMigrations(), ACCEPTED_UP_TO, '')).toEqual([])
    expect(check(readContentMigrations(), CONTENT_ACCEPTED_UP_TO, 'content/')).toEqual([])
    const concurrent = readContentMigrations().filter(({ text }) => /\bconcurrently\b/i.test(text))
    expect(concurrent, 'content migrations run in transactions').toEqual([])
  })
})

test('every SQL file of the repository is split into statements that contain all of it', () => {
  for (const { name, text } of [...readMigrations(), ...readContentMigrations()]) {
    const statements = statementsOf(text)
    const joined = statements.map((statement) => statement.text).join(';')
    const plain = (sql: string) => sql.replaceAll(/[\s;]/g, '')
    expect(plain(text).startsWith(plain(joined)), name).toBe(true)
  }
})

test('a file with a text that does not end is an error', () => {
  expect(() => statementsOf('select $a$ 1')).toThrow('does not end')
  expect(() => statementsOf('/* /* */ select 1')).toThrow('does not end')
})
