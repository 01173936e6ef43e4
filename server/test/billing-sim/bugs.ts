// Billing bugs that a test installs into one database. The simulation must detect each of them.
import { withPool } from '../../src/platform/db/pool.ts'

export type Bug = { readonly name: string; readonly install: (url: string) => Promise<void> }

export const bugs: readonly Bug[] = [
  before('a period is an hour too long', 'update on subscriptions', [
    "if new.period_end <> old.period_end then new.period_end := new.period_end + interval '1 hour'; end if;",
  ]),
  before('a renewal costs one unit more than announced', 'insert on bills', [
    "if new.kind = 'renewal' then new.amount_minor := new.amount_minor + 1; end if;",
  ]),
  before('a scheduled downgrade is lost', 'update on subscriptions', [
    'new.scheduled_plan_code := null; new.scheduled_interval := null;',
  ]),
  before('a yearly plan gets only one monthly allowance', 'update on subscriptions', [
    'new.allowance_due_at := null;',
  ]),
  before('an unpaid subscription stays active', 'update on subscriptions', [
    "if new.status = 'past_due' then new.status := 'active'; end if;",
  ]),
  before('a cancellation is lost', 'update on subscriptions', ['new.cancel_at_period_end := false;']),
]

/** Installs a trigger that changes the rows which the service writes. */
function before(name: string, event: string, lines: readonly string[]): Bug {
  return {
    name,
    async install(url) {
      await withPool(url, async (owner) => {
        await owner.unsafe(
          `create function planted() returns trigger language plpgsql as $$ begin ${lines.join(' ')} return new; end $$`,
        )
        await owner.unsafe(`create trigger planted before ${event} for each row execute function planted()`)
      })
    },
  }
}
