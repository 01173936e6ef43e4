import type { Example } from '../../example.fixture.ts'
import { plain, servlet } from './servlet.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JV-RAND-01',
    bad: [
      plain(
        `String token() { String resetToken = Long.toString(new Random().nextLong()); return resetToken; } // ← here`,
      ),
      servlet(`
        double value = Math.random();
        String rememberMeKey = Double.toString(value).substring(2); // ← here
        response.addCookie(new Cookie("rememberMe", rememberMeKey));`),
      plain(`
        private final Random random = new Random();
        public String newPassword() {
          int number = random.nextInt(1000000);
          return "pw" + number; // ← here
        }`),
      servlet(`
        int number = new java.util.Random().nextInt();
        request.getSession().setAttribute("sessionToken", Integer.toString(number)); // ← here`),
    ],
    good: [
      plain(
        `String token() { String resetToken = Long.toString(new SecureRandom().nextLong()); return resetToken; }`,
      ),
      plain(`long delay() { long jitter = new Random().nextInt(100); return jitter; }`),
      servlet(`
        double value = SecureRandom.getInstance("SHA1PRNG").nextDouble();
        String rememberMeKey = Double.toString(value).substring(2);
        response.addHeader("X", rememberMeKey);`),
      plain(
        `String token() { Random random = new SecureRandom(); String token = "" + random.nextInt(); return token; }`,
      ),
    ],
  },
]
