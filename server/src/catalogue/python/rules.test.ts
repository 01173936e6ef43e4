import { checkExamples } from '../examples-check.fixture.ts'
import { python } from './python.ts'
import { examples as access } from './rules/access.fixture.ts'
import { examples as address } from './rules/address.fixture.ts'
import { examples as code } from './rules/code.fixture.ts'
import { examples as command } from './rules/command.fixture.ts'
import { examples as crypto } from './rules/crypto.fixture.ts'
import { examples as deserialization } from './rules/deserialization.fixture.ts'
import { examples as html } from './rules/html.fixture.ts'
import { examples as leaks } from './rules/leaks.fixture.ts'
import { examples as path } from './rules/path.fixture.ts'
import { examples as queries } from './rules/queries.fixture.ts'
import { examples as session } from './rules/session.fixture.ts'
import { examples as settings } from './rules/settings.fixture.ts'
import { examples as sql } from './rules/sql.fixture.ts'
import { examples as transport } from './rules/transport.fixture.ts'

checkExamples(python, [
  ...command,
  ...code,
  ...sql,
  ...path,
  ...deserialization,
  ...address,
  ...html,
  ...queries,
  ...session,
  ...crypto,
  ...transport,
  ...settings,
  ...access,
  ...leaks,
])
