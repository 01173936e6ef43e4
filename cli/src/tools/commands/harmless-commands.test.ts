import { expect, test } from 'vitest'
import { isHarmless } from './harmless-commands.ts'

test.for([
  'cat src/pay.ts | head -20',
  'printf "%s\\n" done',
  'git grep -n "kobo" src',
  'wc -l src/*.ts',
  'cat ./src/[a-m]*.ts',
])('%s runs without a question', (command) => expect(isHarmless(command, '/repo')).toBe(true))

test.for([
  // Bash evaluates the subscript, and sets PATH for the next command.
  "printf -v 'a[$(rm -rf src)]' x",
  'printf -v PATH ./evil; ls',
  'printf -vPATH ./evil; ls',
  // Runs a program with the files that match.
  'git grep -lOrm hello',
  'git grep -O./evil hello',
  'git grep --open-files-in-pager=rm hello',
])('%s asks, because it runs a program', (command) => expect(isHarmless(command, '/repo')).toBe(false))

test.for(['od -c .env', 'od -c .e*', 'cut -c1-9 ./.[e]nv', 'rev web/.en?', 'grep -f .e* a.txt'])(
  '%s asks, because it may print secrets in another form',
  (command) => expect(isHarmless(command, '/repo')).toBe(false),
)
