// Every rule finds what it is for and leaves alone what was put right.
import { checkExamples } from '../examples-check.fixture.ts'
import * as php from './php.ts'
import { examples as address } from './rules/address.fixture.ts'
import { examples as code } from './rules/code.fixture.ts'
import { examples as command } from './rules/command.fixture.ts'
import { examples as html } from './rules/html.fixture.ts'
import { examples as include } from './rules/include.fixture.ts'
import { examples as objects } from './rules/objects.fixture.ts'
import { examples as queries } from './rules/queries.fixture.ts'
import { examples as secrets } from './rules/secrets.fixture.ts'
import { examples as server } from './rules/server.fixture.ts'
import { examples as sql } from './rules/sql.fixture.ts'

checkExamples(php, [
  ...address,
  ...code,
  ...command,
  ...html,
  ...include,
  ...objects,
  ...queries,
  ...secrets,
  ...server,
  ...sql,
])
