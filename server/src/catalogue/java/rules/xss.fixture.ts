import type { Example } from '../../example.fixture.ts'
import { controller, servlet } from './servlet.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JV-XSS-01',
    bad: [
      controller(`
        @GetMapping("/echo")
        public String echo(HttpServletRequest request) {
          String text = request.getParameter("text");
          return text; // ← here
        }`),
      servlet(`response.getWriter().println("<h1>" + request.getParameter("name") + "</h1>"); // ← here`),
      servlet(`
        Map<String, String[]> all = request.getParameterMap();
        String[] values = all.get("name");
        PrintWriter out = response.getWriter();
        out.write(values[0]); // ← here`),
      servlet(`
        String name = "";
        Enumeration<String> names = request.getParameterNames();
        while (names.hasMoreElements()) {
          String each = (String) names.nextElement();
          if (request.getParameter(each).equals("x")) name = each;
        }
        response.getWriter().format(Locale.US, "hello %s", name); // ← here`),
      controller(`
        @GetMapping("/hello")
        public String hello(@RequestParam String name) {
          return "<p>Hello " + name + "</p>"; // ← here
        }`),
      servlet(
        `response.getWriter().print(decorate(request.getQueryString())); // ← here`,
        `private static String decorate(String text) {
          String marked = "<b>" + text;
          return marked.concat("</b>");
        }`,
      ),
    ],
    good: [
      controller(
        `
        @GetMapping("/echo")
        public String echo(@RequestParam String text) { return encode(text); }
        private static String encode(String text) {
          String amp = StringUtils.replace(text, "&", "&amp;");
          return StringUtils.replace(amp, "<", "&lt;");
        }`,
        'import org.apache.commons.lang3.StringUtils;',
      ),
      servlet(`
        java.util.regex.Pattern digits = java.util.regex.Pattern.compile("[0-9]+");
        String page = request.getParameter("page");
        if (!digits.matcher(page).matches()) return;
        response.getWriter().println("<b>" + page);`),
      servlet(
        `response.getWriter().println("<h1>" + org.owasp.encoder.Encode.forHtml(request.getParameter("name")));`,
      ),
      servlet(`
        String name = org.springframework.web.util.HtmlUtils.htmlEscape(request.getParameter("name"));
        response.getWriter().println(name);`),
      servlet(`
        response.setContentType("application/json");
        response.getWriter().println("{\\"name\\": \\"" + request.getParameter("name") + "\\"}");`),
      servlet(
        `response.getWriter().println(new Chooser().choose(request.getParameter("name")));`,
        `private class Chooser {
          String choose(String given) {
            String result = "default";
            String marks = "ABC";
            switch (marks.charAt(1)) {
              case 'A': result = given; break;
              case 'B': result = "bob"; break;
              default: result = given;
            }
            return result;
          }
        }`,
      ),
      servlet(`
        String name = request.getParameter("name").replaceAll("[^A-Za-z0-9]", "");
        response.getWriter().println("<h1>" + name);`),
      controller(`
        @GetMapping("/hello")
        public String hello(@RequestParam String name) { return "Hello " + name; }`),
    ],
  },
]
