import type { Example } from '../../example.fixture.ts'
import { controller, servlet } from './servlet.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JV-SSRF-01',
    bad: [
      servlet(`new java.net.URL(request.getParameter("url")).openStream(); // ← here`),
      controller(`
        @GetMapping("/fetch")
        public String fetch(@RequestParam String host) {
          return rest.getForObject("https://" + host + "/status", String.class); // ← here
        }`),
      servlet(`
        java.net.URL url = new java.net.URL("http://" + request.getParameter("host"));
        java.net.URLConnection connection = url.openConnection(); // ← here`),
    ],
    good: [
      servlet(
        `new java.net.URL("https://api.example.com/items/" + request.getParameter("id")).openStream();`,
      ),
      controller(`
        @GetMapping("/fetch")
        public String fetch(@RequestParam String id) {
          return rest.getForObject("https://api.example.com/items/{id}", String.class, id);
        }`),
      servlet(`
        String host = request.getParameter("host");
        if (!List.of("a.example.com", "b.example.com").contains(host)) return;
        new java.net.URL("https://" + host).openStream();`),
    ],
  },
  {
    rule: 'JV-REDIR-01',
    bad: [
      servlet(`response.sendRedirect(request.getParameter("next")); // ← here`),
      servlet(`
        String next = request.getParameter("next");
        if (next == null) next = "/";
        response.setHeader("Location", next); // ← here`),
      controller(`
        @GetMapping("/go")
        public String go(@RequestParam String to) {
          return "redirect:" + to; // ← here
        }`),
    ],
    good: [
      servlet(`response.sendRedirect("/orders/" + request.getParameter("id"));`),
      servlet(
        `response.sendRedirect(request.getContextPath() + "/login?next=" + request.getParameter("next"));`,
      ),
      servlet(`
        String next = request.getParameter("next");
        if (!Set.of("/home", "/orders").contains(next)) next = "/home";
        response.sendRedirect(next);`),
    ],
  },
  {
    rule: 'JV-HEADER-01',
    bad: [
      servlet(`response.setHeader("X-Name", request.getParameter("name")); // ← here`),
      servlet(
        `response.addHeader("Content-Disposition", "attachment; filename=" + request.getParameter("file")); // ← here`,
      ),
      servlet(`
        StringBuilder value = new StringBuilder();
        value.append("lang=").append(request.getParameter("lang"));
        response.addHeader("X-Options", value.toString()); // ← here`),
    ],
    good: [
      servlet(`response.setHeader("X-Name", request.getParameter("name").replaceAll("[\\\\r\\\\n]", ""));`),
      servlet(
        `response.setHeader("X-Name", java.net.URLEncoder.encode(request.getParameter("name"), "UTF-8"));`,
      ),
      servlet(
        `response.setHeader("X-Page", String.valueOf(Integer.parseInt(request.getParameter("page"))));`,
      ),
    ],
  },
]
