import type { Example } from '../../example.fixture.ts'
import { plain } from './servlet.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JV-LOG-01',
    bad: [
      plain(`void open(String password) { log.info("signing in with " + password); } // ← here`),
      plain(
        `void open(User user) { LOGGER.debug("user {} {}", user.getName(), user.getPassword()); } // ← here`,
      ),
      plain(`void open(String apiKey) { System.out.println("key: " + apiKey); } // ← here`),
    ],
    good: [
      plain(`void open(String password) { log.info("password of length " + password.length()); }`),
      plain(`void open(String password) { log.info("password is " + mask(password)); }`),
      plain(`void open(String passwordPolicy) { log.info("policy " + passwordPolicy); }`),
    ],
  },
]
