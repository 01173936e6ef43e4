import type { Example } from '../../example.fixture.ts'
import { servlet } from './servlet.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JV-COOKIE-01',
    bad: [
      servlet(`
        Cookie cookie = new Cookie("session", "abc");
        cookie.setHttpOnly(true);
        response.addCookie(cookie); // ← here`),
      servlet(`
        Cookie cookie = new Cookie("session", "abc");
        cookie.setSecure(false);
        response.addCookie(cookie); // ← here`),
      servlet(`response.addCookie(new Cookie("user", "1")); // ← here`),
    ],
    good: [
      servlet(`
        Cookie cookie = new Cookie("session", "abc");
        cookie.setSecure(true);
        response.addCookie(cookie);`),
      servlet(`
        Cookie cookie = new Cookie("session", "abc");
        cookie.setSecure(request.isSecure());
        response.addCookie(cookie);`),
      servlet(`
        Cookie cookie = new Cookie("session", "");
        cookie.setMaxAge(0);
        response.addCookie(cookie);`),
      servlet(`for (Cookie cookie : request.getCookies()) response.addCookie(cookie);`),
    ],
  },
  {
    rule: 'JV-TRUST-01',
    bad: [
      servlet(`request.getSession().setAttribute("userid", request.getParameter("userid")); // ← here`),
      servlet(`
        HttpSession session = request.getSession();
        String name = request.getHeader("X-Name").trim();
        session.putValue(name, "10340"); // ← here`),
      servlet(
        `request.getSession().setAttribute("role", pick(request.getParameterValues("role"))); // ← here`,
        'private String pick(String[] all) { return all.length > 0 ? all[0] : ""; }',
      ),
    ],
    good: [
      servlet(
        `request.getSession().setAttribute("userid", Integer.valueOf(request.getParameter("userid")));`,
      ),
      servlet(`
        String role = request.getParameter("role");
        if (List.of("reader", "writer").contains(role)) request.getSession().setAttribute("role", role);`),
      servlet(`
        String role = request.getParameter("admin") == null ? "reader" : "guest";
        request.getSession().setAttribute("role", role);`),
    ],
  },
]
