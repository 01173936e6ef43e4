import { checkExamples } from '../examples-check.fixture.ts'
import { javascript } from './javascript.ts'
import { examples as addresses } from './rules/addresses.fixture.ts'
import { examples as answers } from './rules/answers.fixture.ts'
import { examples as code } from './rules/code.fixture.ts'
import { examples as commands } from './rules/commands.fixture.ts'
import { examples as crypto } from './rules/crypto.fixture.ts'
import { examples as mass } from './rules/mass.fixture.ts'
import { examples as nosql } from './rules/nosql.fixture.ts'
import { examples as pages } from './rules/pages.fixture.ts'
import { examples as parsing } from './rules/parsing.fixture.ts'
import { examples as paths } from './rules/paths.fixture.ts'
import { examples as prototypes } from './rules/prototypes.fixture.ts'
import { examples as regexes } from './rules/regexes.fixture.ts'
import { examples as sql } from './rules/sql.fixture.ts'
import { examples as tokens } from './rules/tokens.fixture.ts'
import { examples as transport } from './rules/transport.fixture.ts'

checkExamples(javascript, [
  ...addresses,
  ...answers,
  ...code,
  ...commands,
  ...crypto,
  ...mass,
  ...nosql,
  ...pages,
  ...parsing,
  ...paths,
  ...prototypes,
  ...regexes,
  ...sql,
  ...tokens,
  ...transport,
])
