// Every rule finds what it is for and leaves alone what was put right.
import { checkExamples } from '../examples-check.fixture.ts'
import * as go from './go.ts'
import { examples as address } from './rules/address.fixture.ts'
import { examples as command } from './rules/command.fixture.ts'
import { examples as crypto } from './rules/crypto.fixture.ts'
import { examples as html } from './rules/html.fixture.ts'
import { examples as logging } from './rules/logging.fixture.ts'
import { examples as numbers } from './rules/numbers.fixture.ts'
import { examples as path } from './rules/path.fixture.ts'
import { examples as randomness } from './rules/randomness.fixture.ts'
import { examples as server } from './rules/server.fixture.ts'
import { examples as sql } from './rules/sql.fixture.ts'
import { examples as tls } from './rules/tls.fixture.ts'
import { examples as transaction } from './rules/transaction.fixture.ts'

checkExamples(go, [
  ...address,
  ...command,
  ...crypto,
  ...html,
  ...logging,
  ...numbers,
  ...path,
  ...randomness,
  ...server,
  ...sql,
  ...tls,
  ...transaction,
])
