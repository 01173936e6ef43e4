// Billing bugs, planted into the database of one world only. Each must be caught by the simulation.
import { withPool } from '../../src/platform/db/pool.ts'

export type Bug = { readonly name: string; readonly install: (url: string) => Promise<void> }

export const bugs: readonly Bug[] = [
  before('a period is an hour too long', 'update on subscriptions', [
    "if new.period_end <> old.period_end then new.period_end := new.period_end + interval '1 hour'; end if;",
  ]),
  before('a renewal is a unit more than was told', 'insert on bills', [
    "if new.kind = 'renewal' then new.amount_minor := new.amount_minor + 1; end if;",
  ]),
  before('a downgrade is forgotten', 'update on subscriptions', [
    'new.scheduled_plan_code := null; new.scheduled_interval := null;',
  ]),
  before('a year has the allowance of one month', 'update on subscriptions', [
    'new.allowance_due_at := null;',
  ]),
  before('who does not pay goes on', 'update on subscriptions', [
    "if new.status = 'past_due' then new.status := 'active'; end if;",
  ]),
  before('a cancellation is forgotten', 'update on subscriptions', ['new.cancel_at_period_end := false;']),
]

/** A trigger that bends what the service writes. */
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
