import { checkExamples } from '../examples-check.fixture.ts'
import { java } from './java.ts'
import { examples as addresses } from './rules/addresses.fixture.ts'
import { examples as code } from './rules/code.fixture.ts'
import { examples as command } from './rules/command.fixture.ts'
import { examples as crypto } from './rules/crypto.fixture.ts'
import { examples as logging } from './rules/logging.fixture.ts'
import { examples as parsing } from './rules/parsing.fixture.ts'
import { examples as path } from './rules/path.fixture.ts'
import { examples as queries } from './rules/queries.fixture.ts'
import { examples as random } from './rules/random.fixture.ts'
import { examples as sessions } from './rules/sessions.fixture.ts'
import { examples as sql } from './rules/sql.fixture.ts'
import { examples as tls } from './rules/tls.fixture.ts'
import { examples as xss } from './rules/xss.fixture.ts'

checkExamples(java, [
  ...addresses,
  ...code,
  ...command,
  ...crypto,
  ...logging,
  ...parsing,
  ...path,
  ...queries,
  ...random,
  ...sessions,
  ...sql,
  ...tls,
  ...xss,
])
