import type { Example } from '../../example.fixture.ts'
import { servlet } from './servlet.fixture.ts'

const directory =
  'javax.naming.directory.DirContext context = new javax.naming.directory.InitialDirContext();'
const xpath = 'javax.xml.xpath.XPath xpath = javax.xml.xpath.XPathFactory.newInstance().newXPath();'

export const examples: readonly Example[] = [
  {
    rule: 'JV-LDAP-01',
    bad: [
      servlet(`
        ${directory}
        context.search("ou=people", "(uid=" + request.getParameter("uid") + ")", null); // ← here`),
      servlet(`
        ${directory}
        String filter = String.format("(&(objectclass=person)(uid=%s))", request.getHeader("uid"));
        context.search("ou=people", filter, new Object[] {}, null); // ← here`),
      servlet(`
        ${directory}
        String base = "ou=" + request.getParameter("unit");
        context.search(base, "(uid=1)", null); // ← here`),
    ],
    good: [
      servlet(`
        ${directory}
        context.search("ou=people", "(uid={0})", new Object[] {request.getParameter("uid")}, null);`),
      servlet(`
        ${directory}
        String uid = org.owasp.esapi.ESAPI.encoder().encodeForLDAP(request.getParameter("uid"));
        context.search("ou=people", "(uid=" + uid + ")", null);`),
      servlet(`
        ${directory}
        String uid = request.getParameter("uid");
        uid = "guest";
        context.search("ou=people", "(uid=" + uid + ")", null);`),
    ],
  },
  {
    rule: 'JV-XPATH-01',
    bad: [
      servlet(`
        ${xpath}
        xpath.evaluate("/users/user[@name='" + request.getParameter("name") + "']", null); // ← here`),
      servlet(`
        ${xpath}
        String expression = "/users/user[@id='" + request.getParameterValues("id")[0] + "']";
        xpath.compile(expression).evaluate(null); // ← here`),
      servlet(`
        ${xpath}
        StringBuffer text = new StringBuffer();
        text.append("//user[name='");
        text.append(request.getParameter("name"));
        text.append("']");
        xpath.compile(text.toString()); // ← here`),
    ],
    good: [
      servlet(`
        ${xpath}
        xpath.compile("/users/user[@name=$name]");
        response.setStatus(request.getParameter("name").length());`),
      servlet(`
        ${xpath}
        long id = Long.parseLong(request.getParameter("id"));
        xpath.evaluate("/users/user[@id='" + id + "']", null);`),
      servlet(`
        ${xpath}
        String name = org.owasp.esapi.ESAPI.encoder().encodeForXPath(request.getParameter("name"));
        xpath.evaluate("/users/user[@name='" + name + "']", null);`),
    ],
  },
]
